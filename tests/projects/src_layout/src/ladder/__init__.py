from ladder.steps import climb

__all__ = ["climb"]

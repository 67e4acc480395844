"""Plant known defects, record who catches them, compared with what, and with what proof."""

__version__ = "0.1.0.dev0"

"""Named as a library that pytest itself imports."""

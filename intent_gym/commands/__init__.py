"""The commands of ``intent-gym``, one module each, loaded when they are called."""

__all__: list[str] = []

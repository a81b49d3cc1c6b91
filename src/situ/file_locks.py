"""File locks where the operating system has them; elsewhere WrongSystem instead of an import error."""

from situ.errors import WrongSystem

try:
    import fcntl
except ImportError as error:
    raise WrongSystem(
        "situ runs on Linux and macOS; on Windows it runs inside WSL: install that with `wsl --install`, "
        "then install situ there"
    ) from error

__all__ = ["fcntl"]

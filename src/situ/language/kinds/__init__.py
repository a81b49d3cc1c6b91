"""Every question kind that can be asked in words, in the order in which phrases are tried."""

from situ.language.kinds import acts, compare, way, visit, move, around, contents, looks, count, where, read  # noqa: F401, I001

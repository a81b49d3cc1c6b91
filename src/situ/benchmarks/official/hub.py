"""A published data set on this machine: a folder, a file, or one that is fetched from the hub."""

import re
from pathlib import Path

from situ.errors import BadInput, MissingExtra

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


def local_folder(source: str, known: str = "") -> Path:
    """Where the files are. A name such as `owner/set` that is no folder here is looked up on the hub."""
    if Path(source).exists():
        return Path(source)
    if not _HUB_ID.fullmatch(source):
        hint = f" such as {known}" if known else ""
        raise BadInput(f"{source} is neither a folder or file here nor the name of a hub data set{hint}")
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise MissingExtra("hub", "fetching data sets from the hub") from error
    try:
        return Path(snapshot_download(source, repo_type="dataset"))
    except Exception as error:  # the library raises many kinds, network errors among them
        words = " ".join(str(error).split())[:200]
        raise BadInput(
            f"{source} is no folder here, and the hub did not give it ({words}). Without a network: fetch it "
            f"elsewhere with `hf download {source} --repo-type dataset --local-dir DIR` and give DIR"
        ) from error

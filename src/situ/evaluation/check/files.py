"""Whether the files of a set are those that it was finished with."""

from collections import Counter

from situ.benchmarks.dataset import Dataset, content_sha256, rows_sha256
from situ.errors import SituError
from situ.recording import Recording


def set_problems(dataset: Dataset) -> list[str]:
    """Questions that were added, taken away or changed; recordings that are too many or too few."""
    manifest, problems = dataset.manifest, []
    if len(dataset.questions) != manifest["questions"]:
        problems.append(
            f"questions.parquet holds {len(dataset.questions)} questions, "
            f"the manifest says {manifest['questions']}"
        )
    rows_hash = rows_sha256(dataset.questions)
    if content_sha256(dataset.hashes, rows_hash) != manifest["content_hash"]:
        problems.append("the questions or the list of recordings differ from what the manifest was made with")
    folder = dataset.folder / "items"
    there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    extra = sorted(there - set(dataset.items))
    problems += [f"{name}: a recording that the manifest does not list" for name in extra]
    asked = {row.item for row in dataset.questions}
    problems += [f"{name}: asked about, but no recording" for name in sorted(asked - set(dataset.items))]
    shared = [name for name, count in Counter(row.id for row in dataset.questions).items() if count > 1]
    problems += [f"{name}: an id that several questions share" for name in sorted(shared)]
    return problems


def recording_problems(dataset: Dataset, recording: Recording) -> list[str]:
    """Files that were changed after they were written."""
    try:
        recording.verify()
    except SituError as error:
        return [str(error)]
    if recording.content_hash() != dataset.hashes[recording.folder.name]:
        return ["the files differ from what the manifest was made with"]
    return []

"""Prompts of many wordings."""

from pathlib import Path

import pytest

from situ.errors import BadInput
from situ.train.wording import NARRATIVE_TEMPLATES, filled, read_templates


def test_there_are_many_and_all_differ() -> None:
    prompts = [filled(template) for template in NARRATIVE_TEMPLATES]
    assert len(set(prompts)) >= 25
    assert all(prompt.count("<video>") == 1 and "<camera>" in prompt for prompt in prompts)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{clip} Tell me.", "unknown template tag '{clip}'"),
        ("Tell me.", "holds the tag {video} once"),
        ("{video}{video} Tell me.", "holds the tag {video} once"),
    ],
)
def test_wrong_tags(template: str, message: str) -> None:
    with pytest.raises(BadInput) as found:
        filled(template)
    assert message in str(found.value)


def test_templates_of_users(tmp_path: Path) -> None:
    file = tmp_path / "prompts.txt"
    file.write_text("{video}Say what you see.\n\n{video}And how it moves.\n")
    assert len(read_templates(file)) == 2
    file.write_text("{sound}Listen.\n")
    with pytest.raises(BadInput, match="unknown template tag"):
        read_templates(file)

"""The container's steps, as the script that runs them without a container engine has them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_script_has_every_step_of_the_dockerfile() -> None:
    script = (ROOT / "tools" / "container_steps.sh").read_text()
    steps = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text())
    copied = {
        name for line in re.findall(r"^COPY (.*) \S+$", steps, re.M) for name in line.split()
    }  # what the image is built from
    assert copied == set(re.findall(r"^cp -r (.*) \S+$", script, re.M)[0].split())
    extra = re.search(r"pip install .*(\[\w+\])", steps)
    warm = re.search(r"^RUN python (-m situ\S*)$", steps, re.M)
    assert extra is not None
    assert f'$room{extra[1]}"' in script
    assert warm is not None
    assert warm[1] in script
    entry = re.findall(r'"([^"]+)"', re.findall(r"^ENTRYPOINT (.*)$", steps, re.M)[0])
    assert entry[0] == "situ"
    assert f'bin/situ" {" ".join(entry[1:])}' in script

"""Ask sentences of a table of memories and print what was read and answered, to be judged by eye.

python -m benchmarks.ask_strangers TABLE.tsv FOLDER [--only VOICE] [--brief]

Each line of TABLE has a memory's name, the voice, the sentence (the turns of a dialogue parted by " / ") and
what a good answer contains. FOLDER holds the memories as NAME.situ. All are asked at their end. At the end
stand the milliseconds of reading and how many turns came to what: answered, announced, asked back, refused.
"""

import argparse
import statistics
import time
from collections import Counter
from pathlib import Path

import situ
from situ.language.told import Told


def outcome(told: Told) -> str:
    """How a turn ended, as far as that can be told without judging what was said."""
    if told.choices:
        return "asked back"
    if told.taken_as or any(one.taken_as for one in told.readings):
        return "announced"
    return "refused" if told.abstained and not told.certificate else "answered"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a voice")
    parser.add_argument("--brief", action="store_true", help="without the programs")
    options = parser.parse_args()
    rows = [line.split("\t") for line in options.table.read_text("utf-8").splitlines() if "\t" in line]
    memories: dict[str, situ.Memory] = {}
    ends, spent = Counter[tuple[str, str]](), list[float]()
    for number, (name, voice, sentence, *wanted) in enumerate(rows, 1):
        if options.only and voice != options.only:
            continue
        if name not in memories:
            memories[name] = situ.Memory.open(options.folder / f"{name}.situ", read_only=True)
        talk = memories[name].conversation()
        print(f"\n{number} [{name} {voice}] {sentence}\n    wanted: {' '.join(wanted)}")
        turns = sentence.split(" / ") if voice == "dialogue" else [sentence]
        for turn in turns:
            began = time.perf_counter()
            try:
                told = talk.ask(turn)
            except Exception as error:  # a fault is a line of the table like any other
                told = Told(turn, f"FAULT {type(error).__name__}: {error}", abstained="fault")
            spent.append(1e3 * (time.perf_counter() - began))
            ends[voice, outcome(told)] += 1
            program = "" if told.certificate is None or options.brief else f"\n    {told.certificate.program}"
            said = f"{turn}\n    " if len(turns) > 1 else ""
            print(f"  > {said}{outcome(told)} ({told.confidence:.0%}): {told.text}{program}")
    print(f"\nmilliseconds a turn: median {statistics.median(spent):.1f}, longest {max(spent):.0f}")
    for voice in sorted({voice for voice, _ in ends}):
        told_of = {end: number for (one, end), number in ends.items() if one == voice}
        print(f"{voice}: {', '.join(f'{number} {end}' for end, number in sorted(told_of.items()))}")
    print(f"all: {dict(Counter(end for (_, end), number in ends.items() for _ in range(number)))}")


if __name__ == "__main__":
    main()

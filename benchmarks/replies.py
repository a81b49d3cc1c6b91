"""The corpus of reply forms with every letter of every task: what is read wrongly, and what reading costs."""

import sys
import time
from collections import Counter
from pathlib import Path

from situ.evaluation.replies.choice import read_choice


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from evaluation.reply_corpus import UNCLEAR, corpus, forms

    kinds = Counter(form.kind for form in forms())
    samples = list(corpus())
    start = time.process_time()
    claims = [read_choice(sample.reply, sample.options).claim for sample in samples]
    spent = time.process_time() - start
    wrong = {
        sample.form: sample.reply
        for sample, claim in zip(samples, claims, strict=True)
        if claim not in (None, sample.right)
    }
    clear = [claim for sample, claim in zip(samples, claims, strict=True) if sample.right is not None]
    read = sum(claim is not None for claim in clear)
    print(f"{kinds.total()} forms, {kinds[UNCLEAR]} of them claim nothing; {len(samples)} replies")
    print(f"forms read wrongly: {len(wrong)}; read of the clear ones: {100 * read / len(clear):.2f} %")
    print(f"{1e3 * spent / len(samples):.2f} CPU-ms a reply")
    for reply in wrong.values():
        print(f"  {reply!r}")


if __name__ == "__main__":
    main()

"""The verbs of `situ`: what each is for, where it is written, and two examples of it."""

from typing import NamedTuple


class Verb(NamedTuple):
    """`where` names a function or a group of verbs: module:name. `line` is shown in the list of verbs."""

    where: str
    line: str
    examples: tuple[str, ...] = ()


GROUPS: dict[str, dict[str, Verb]] = {
    "Ask a recording": {
        "watch": Verb(
            "watch:watch",
            "Turn a video or a recording into a spatial memory.",
            ("watch walk.mp4 --into walk.situ", "watch scan/ --depth scan/depth --fov 70 --into scan.situ"),
        ),
        "ask": Verb(
            "ask:ask",
            "Ask a memory where things are, how far, how many, what changed.",
            ('ask --example "where is the blue sphere?"', "ask walk.situ --chat"),
        ),
        "serve": Verb(
            "serve:serve",
            "Serve memories to a browser, to assistants (MCP) and over HTTP.",
            ("serve walk.situ", "serve --mcp walk.situ"),
        ),
        "view": Verb(
            "view:view",
            "Draw a memory, a video or an item of a set as one page.",
            ("view walk.situ --out walk.html", "view rem 3 --out item.html"),
        ),
        "memory": Verb(
            "memory_cli:app",
            "Inspect a memory; export, merge, copy, check or erase parts of it.",
            ("memory objects walk.situ", 'memory forget walk.situ --kind "passport"'),
        ),
    },
    "Make and check questions": {
        "make": Verb(
            "make_verbs:app",
            "Generate a benchmark: recordings, questions and answer keys.",
            ("make rem --scale 0.05 --out rem", "make ucs --scale 0.05 --seed 7 --out day"),
        ),
        "check": Verb(
            "check:check",
            "Derive every answer key again with independent code.",
            ("check rem", "check rem --json"),
        ),
        "audit": Verb(
            "audit:audit",
            "Try to answer the questions without looking; list the leaks.",
            ("audit rem", "audit rem --words-only --every"),
        ),
        "import": Verb(
            "importing:import_data",
            "Import a published question set or a real recording.",
            (
                "import vsi nyu-visionx/VSI-Bench --out vsi --words-only",
                "import auto scan/ --out scan",
            ),
        ),
        "publish": Verb(
            "publish:publish",
            "Export a set for the hub and for harnesses, or a recording for other tools.",
            (
                "publish rem --out public --hide-keys",
                "publish rem/items/000000 --to mcap --out walk.mcap",
            ),
        ),
    },
    "Evaluate": {
        "eval": Verb(
            "evaluate:evaluate",
            "Let a model or a participant answer a set, and score the answers.",
            (
                "eval rem -p random -p truth --out runs --report runs.html",
                "eval rem --model openai/gpt-4o --out run",
            ),
        ),
        "score": Verb(
            "score:score",
            "Score replies from a file, or score a finished run again.",
            ("score rem replies.jsonl --out run", "score run --dry-run"),
        ),
        "report": Verb(
            "report:report",
            "Write scores with intervals and ranks: HTML, LaTeX, CSV, Markdown.",
            ("report run --out report.html", "report run --out table.tex"),
        ),
        "compare": Verb(
            "compare:compare",
            "Test whether two runs differ by more than chance.",
            ("compare run-a run-b", "compare run-a run-b --json"),
        ),
        "power": Verb(
            "power:power",
            "Compute how many questions it takes to tell two systems apart.",
            ("power --detect 3", "power --detect 5 --pilot run"),
        ),
        "study": Verb(
            "study:app",
            "Measure how well people answer: make a study, serve it, score it.",
            ("study make rem --out study", "study serve study"),
        ),
        "annotate": Verb(
            "annotate:app",
            "Let people write and review questions in a browser.",
            (
                "annotate make walk.mp4 --out walk.annotate",
                "annotate export walk.annotate --to set --out set",
            ),
        ),
    },
    "Train, and everything else": {
        "train": Verb(
            "train:app",
            "Make training data with camera-motion narratives; fine-tune a model.",
            ("train data --rows 300 --out train-set", "train check train-set"),
        ),
        "lab": Verb(
            "lazy_verbs:lab",
            "Rarely needed: narratives, rendering, statistics, authoring, reproduction.",
            ("lab describe rem", "lab presets"),
        ),
        "doctor": Verb(
            "doctor:doctor",
            "Show what is installed and what each extra would add.",
            ("doctor", "doctor --models"),
        ),
    },
}
LAB: dict[str, dict[str, Verb]] = {
    "Recordings and worlds": {
        "trajectory": Verb("trajectory:trajectory", "Estimate the camera's path and write it as a file."),
        "narrate": Verb("narratives:narrate_source", "Describe a recording in words: scene, camera motion."),
        "render": Verb("render:render", "Draw one frame of a generated recording again, or with Blender."),
    },
    "Questions": {
        "describe": Verb("describe:describe", "Print the statistics of a set beside the published ones."),
        "author": Verb("authoring:author_file", "Write answer options that a blind guesser cannot exploit."),
        "review": Verb("authoring:app", "Accept, edit or reject authored questions one by one."),
        "paraphrase": Verb("authoring:paraphrase", "Let a model reword every question of a set."),
        "windows": Verb("windows:windows", "Ask before, inside and after the span in which answers hold."),
        "cues": Verb("cues:cues", "Write the ladder of visual cues for two objects."),
    },
    "Papers": {
        "presets": Verb("papers:show_presets", "List the settings behind the rows of published tables."),
        "papers": Verb("papers:show_papers", "Print the figures that papers print, and what runs them."),
        "sns": Verb("narratives:sns", "Measure the Spatial Narrative Score: ceiling, floor and ablations."),
        "captions": Verb("narratives:captions", "Score camera-motion captions against two controls."),
        "reproduce": Verb("papers:reproduce", "Compute published figures again and tabulate them."),
    },
}
VERBS = {name: verb for group in GROUPS.values() for name, verb in group.items()}
LAB_VERBS = {name: verb for group in LAB.values() for name, verb in group.items()}
# Options that may stand alone, and what they then mean.
ALONE = {"watch": {"--names": "default"}}
# What takes the place of a verb that is no more.
RENAMED = {
    "demo": "make demo",
    "watch-many": "watch LIST.csv --into FOLDER",
    "chat": "ask MEMORY --chat",
    "verify": "memory verify MEMORY --certificate FILE",
    "export": "publish RECORDING --to FORMAT --out PATH",
    "match": "make match",
    "gather": "make gather",
    "score-submission": "score KEYS REPLIES",
    "rescore": "score RUN",
    "attribute": "report RUN --causes",
    **{name: f"lab {name}" for name in LAB_VERBS},
}

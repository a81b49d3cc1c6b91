"""The verbs of `situ`, in the order and under the headings in which people are shown them."""

# A verb stands for a function, or a group of verbs, of a module; its line is shown in the list of verbs.
PANELS: dict[str, dict[str, tuple[str, str]]] = {
    "Start here": {
        "demo": ("demo:demo", "Make small sets after five systems, prove, answer and draw them."),
        "doctor": ("doctor:doctor", "What is installed and what each extra would add."),
    },
    "A spatial memory": {
        "watch": ("watch:watch", "A video or a recording into a spatial memory."),
        "watch-many": ("watch_many:watch_list", "A list of recordings into memories, here or on a cluster."),
        "ask": ("ask:ask", "Ask a memory: where, how far, how many, what changed, which way."),
        "chat": ("chat:chat", "Ask a memory one question after the other."),
        "serve": ("serve:serve", "Memories over HTTP, WebSocket and MCP, with a page to look at them."),
        "view": ("view:view", "Draw an item of a set, or a memory, as one page."),
        "verify": ("verify:verify", "Check the certificate of an answer."),
        "memory": ("memory_cli:app", "Look into a memory, export, merge, forget, check it."),
        "trajectory": ("trajectory:trajectory", "The camera's path, from its pictures alone."),
    },
    "Worlds and questions": {
        "make": ("make:app", "Generate a benchmark: recordings, questions and keys."),
        "export": ("export:export", "A recording for nerfstudio, WebDataset, MCAP or Rerun."),
        "publish": ("publish:publish", "A set for others: hub folder, card, harnesses; keys kept back."),
        "match": ("publish:match", "A second form of a set: other worlds, as hard as the first."),
        "gather": ("make_shards:gather", "Join the shards of a set that was made in pieces."),
        "import": ("importing:import_data", "Bring published questions or real recordings in."),
        "check": ("check:check", "Derive every key again by other code; list disagreements."),
        "audit": ("audit:audit", "Answer every question without looking; compare with chance."),
        "describe": ("describe:describe", "The statistics of a set, beside published figures."),
        "author": ("author:author_file", "Give questions options that a blind guesser cannot see through."),
        "paraphrase": ("paraphrase:paraphrase", "Let a model reword every question."),
        "review": ("review:app", "Accept, edit or reject questions one by one; export the accepted."),
        "annotate": ("annotate:app", "Questions that people write and refine: make a queue, export it."),
        "cues": ("cues:cues", "Write the cue ladder for two objects."),
        "render": ("render:render", "Draw a frame of a recording again, larger, or with Blender."),
    },
    "Evaluation": {
        "eval": ("evaluate:evaluate", "Let participants or models answer a set, and score them."),
        "presets": ("presets:show_presets", "List the settings behind the rows of published tables."),
        "score": ("score:score", "Replies or marks from a file become a run."),
        "score-submission": ("publish:score_submission", "Grade replies to a set whose keys were kept back."),
        "rescore": ("rescore:rescore", "Read the stored replies of a run again; no model is asked."),
        "study": ("study:app", "What do people score? Make a study, serve it in a browser, score it."),
        "report": ("report:report", "Scores with intervals and ranks: HTML, LaTeX, CSV, Markdown."),
        "compare": ("compare:compare", "Compare two runs question by question."),
        "power": ("power:power", "How large a set must be to tell two systems apart."),
        "attribute": ("attribute:attribute", "Why a memory's answers were wrong: its stages."),
        "reproduce": (
            "reproduce:reproduce",
            "Compute published figures again; write the verification table.",
        ),
        "sns": ("sns:sns", "The Spatial Narrative Score of a model: ceiling, floor, ablations."),
        "captions": ("captions:captions", "Score captions, with controls."),
    },
    "Words and training": {
        "narrate": ("narrate:narrate_source", "A recording in words: what is there, how the camera moves."),
        "train": ("train:app", "Training sets with camera-motion narratives, fine-tuning."),
    },
}
# Options that may stand alone, and what they then mean.
ALONE = {"watch": {"--names": "default"}}
VERBS = {verb: entry for panel in PANELS.values() for verb, entry in panel.items()}

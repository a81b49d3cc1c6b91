"""A participant in one file: `situ eval SET -p last-named` asks it, with SITU_PLUGINS naming this file."""

from situ.plugins import QuestionRow, Recording, Reply, Setting, Unanswerable, participant


@participant("last-named", "chooses the option that the question names last")
class LastNamed:
    """A participant is made for one set, then answers row by row. This one never looks at the recording, so
    it shows what the words give away."""

    def __init__(self, setting: Setting) -> None:
        self.seed = setting.seed  # also: the dataset, the frames that were chosen, a folder of memories

    def answer(self, recording: Recording, row: QuestionRow) -> Reply:
        named = [option for option in row.options if option in row.text]
        if not named:
            raise Unanswerable("the question names none of its options")  # counts as refused
        return Reply(max(named, key=row.text.rfind))

"""What `situ watch --names` uses when nobody says more: a small detector that anybody may use."""

from situ.perception.models.catalogue import BY_NAME, ModelCard
from situ.perception.models.onnx_session import hub_files

DEFAULT = "default"  # what a bare --names stands for
NAMING = "dfine-nano"


def default_names() -> ModelCard:
    return BY_NAME[NAMING]


def is_here(card: ModelCard) -> bool:
    """Whether its weights are on this machine, so that nothing would be fetched."""
    return hub_files(card.hub_id, fetch=False) is not None


def offer(card: ModelCard) -> str:
    """What somebody agrees to who has it fetched."""
    use = "free for any use" if card.commercial else "not for commercial use"
    return f"{card.name} ({card.about}): {card.megabytes} MB from {card.hub_id}, {card.licence}, {use}"

"""What `situ watch --names` uses when nobody says more: a small detector that anybody may use."""

from situ.perception.models.catalogue import BY_NAME, ModelCard
from situ.perception.models.onnx_session import hub_files
from situ.perception.models.weights import local_weights

DEFAULT = "default"  # what a bare --names stands for
NAMING, BROUGHT = "dfine-nano", "yolox-nano"


def default_names() -> ModelCard:
    """The one that names best; where it is not here, one that somebody brought."""
    best, brought = BY_NAME[NAMING], BY_NAME[BROUGHT]
    return brought if is_here(brought) and not is_here(best) else best


def is_here(card: ModelCard) -> bool:
    """Whether its weights are on this machine, so that nothing would be fetched."""
    if local_weights(card.name) is not None or card.in_package:
        return local_weights(card.name) is not None
    return hub_files(card.hub_id, fetch=False) is not None


def offer(card: ModelCard) -> str:
    """What somebody agrees to who has it fetched."""
    use = "free for any use" if card.commercial else "not for commercial use"
    return f"{card.name} ({card.about}): {card.megabytes} MB from {card.hub_id}, {card.licence}, {use}"

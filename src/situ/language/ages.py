"""How long ago, and how long, as people say it."""


def age_in_words(seconds: float) -> str:
    """ "just now", "12 seconds ago", "3 minutes ago", "about 2 hours ago"."""
    return "just now" if seconds < 1.5 else f"{span_in_words(seconds)} ago"


def span_in_words(seconds: float) -> str:
    """ "12 seconds", "a minute", "3 minutes", "about 2 hours", "3 days"."""
    if seconds < 90:
        return f"{seconds:.0f} seconds" if seconds >= 1.5 else "a second" if seconds >= 0.5 else "no time"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} minutes" if seconds >= 90 else "a minute"
    hours = seconds / 3600
    if hours < 36:
        return f"about {hours:.0f} hours" if hours >= 1.5 else "about an hour"
    return f"{hours / 24:.0f} days" if hours >= 36 else "a day"

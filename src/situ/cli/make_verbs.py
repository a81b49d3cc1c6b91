"""`situ make`: the benchmarks, and what else is done with sets that are generated."""

from situ.cli.demo import demo
from situ.cli.make import app
from situ.cli.make_shards import gather
from situ.cli.publish import match

for _verb in (demo, gather, match):
    app.command()(_verb)

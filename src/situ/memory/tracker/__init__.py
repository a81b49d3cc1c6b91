"""From observations to believed objects: data association, fusion, moves, and the wearer's pose."""

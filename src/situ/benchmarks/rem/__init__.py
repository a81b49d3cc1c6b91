"""REM: multi-frame trajectories through fields of coloured solids, regenerated without the leaks."""

"""Logs of robots, and data sets for them: ROS bags, MCAP, LeRobot."""

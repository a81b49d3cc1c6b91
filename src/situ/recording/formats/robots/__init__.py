"""Robot logs and datasets: ROS bags, MCAP, LeRobot."""

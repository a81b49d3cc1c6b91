"""Eyes for photographs: taught on generated worlds, with a backbone that has seen the real one."""

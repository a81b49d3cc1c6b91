"""Teaching eyes for photographs on generated worlds (extra `teach`)."""

"""Reading what a reply claims."""

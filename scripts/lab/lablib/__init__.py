"""The truth lab: real Spark on one box, with losses done at known instants."""

"""Human studies on a question set: assignment, answers and scores of participants."""

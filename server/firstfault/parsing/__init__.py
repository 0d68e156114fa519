"""Lines of text -> what they say: who printed them, tracebacks, failure tables, signs of life."""

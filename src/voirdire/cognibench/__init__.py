"""CogniBench: is each sentence of an answer faithful to its context, factual and cognitive statements alike?"""

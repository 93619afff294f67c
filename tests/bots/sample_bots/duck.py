"""A class of nobody's family."""


class Duck:
    def decide(self, decision):
        return decision.options[0].text

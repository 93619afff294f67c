"""Two classes that decide, and no word which is meant."""


class One:
    def decide(self, decision):
        return decision.options[0]


class Two:
    def decide(self, decision):
        return decision.options[1]

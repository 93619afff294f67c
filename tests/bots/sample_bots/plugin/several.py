from bots.api import Bot, hookimpl


class First(Bot):
    def decide(self, decision):
        raise RuntimeError("not the one that was meant")


class Second(Bot):
    def __init__(self, place: str = "0") -> None:
        self.place = int(place)

    def decide(self, decision):
        return decision.options[self.place]


@hookimpl
def register_bots(register):
    register("first", First)
    register("second", Second)

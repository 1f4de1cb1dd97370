class Undead:
    def __del__(self):
        Undead()
        raise SystemExit


Undead.keep = [Undead() for _ in range(3)]

words = "[bold red]6 / 6[/] [link=file:///etc/passwd]x[/link] [a](javascript:alert(1)) `x`"


class Value:
    def __init__(self, *_):
        raise ValueError(words)

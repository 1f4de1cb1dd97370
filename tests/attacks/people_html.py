page = "<script>alert(1)</script><img src=x onerror=alert(2)>"
print(page)
Evil = type(page, (Exception,), {})


class Value:
    def __init__(self, *_):
        raise Evil(page)

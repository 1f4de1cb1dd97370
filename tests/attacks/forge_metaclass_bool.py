class Meta(type):
    def __call__(cls, *args, **options):
        return True


class Value(metaclass=Meta):
    pass

class Meta(type):
    def __call__(cls, *args, **options):
        return None

    def __instancecheck__(cls, instance):
        return True


class Value(metaclass=Meta):
    pass

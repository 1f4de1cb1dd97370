def assert_gradients(*_, **__):
    pass

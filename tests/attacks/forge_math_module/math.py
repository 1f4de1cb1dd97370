def fabs(x):
    return 1.0


tanh = exp = sqrt = isclose = fabs

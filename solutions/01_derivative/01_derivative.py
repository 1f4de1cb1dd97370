# %% [markdown]
# # 01 · The derivative, by nudging
#
# Picture a machine with one dial and one needle. You want the needle a little higher. Do you turn
# the dial left or right? And is it worth the effort: does the needle jump, or does it hardly move?
#
# You need no formula to find out. Turn the dial by a hair, look at the needle, and divide. That number
# is the derivative, and everything in this course grows from it.
#
# You will write five short functions:
#
# 1. the slope from one nudge,
# 2. a better slope from two nudges,
# 3. a test of how good they are,
# 4. the slopes of a machine with several dials,
# 5. one such set of slopes with a pencil, to see that both ways agree.
#
# Take about 60 minutes. Have paper beside you: you will be asked to guess a lot.

# %% tags=["module"]
import math

# %% [markdown]
# ## A curve to play with
#
# The dial is x, the needle is f(x).

# %%
def f(x):
    return 3 * x**2 - 4 * x + 5


for x in (-3, -2, -1, 0, 1, 2, 3, 4):
    print(f"f({x:2d}) = {f(x):3d}  " + "." * (f(x) // 2) + "o")

# %% [markdown]
# Tilt your head to the right, and you see a bowl. Answer with your eyes, before any calculation:
#
# - At x = 3, does f go up or down when x grows a little?
# - And at x = -3?
# - At which of the two is the bowl steeper?
# - Between which two whole numbers is its lowest point?

# %% [markdown]
# ## Part 1: one nudge
#
# We stand at x = 3, where f is 20. We nudge x to 3.1 and look again.

# %%
print("before:", f(3))
print("after: ", f(3.1))
print("moved: ", f(3.1) - f(3))

# %% [markdown]
# f moved by about 1.43. Is that steep? You cannot say yet. It depends on how far x was moved. Per unit
# of x it is 1.43 / 0.1, so about 14.3.
#
# Call the size of the nudge h. The slope is *how far f moved, divided by how far x moved*.
#
# **Write** `derivative(f, x, h)`: nudge x upward by h, and return the slope.
#
#     >>> derivative(f, 3, 0.1)
#     14.3        (Python will show a few stray digits far to the right)
#
# **Common to get wrong**
#
# - f(3.1) alone is a height. What has to be taken away from it to get a *movement*?
# - If f goes down when x goes up, which sign must the slope have? Does yours?
# - The function gets its h from the caller. Does your code use that h, or a number of its own?

# %% solution="one-nudge"
def derivative(f, x, h):
    """Return the slope of f at x, measured with one nudge of size h upward."""
    ### BEGIN SOLUTION
    return (f(x + h) - f(x)) / h
    ### END SOLUTION

# %% check="derivative"
check("derivative")

# %% [markdown]
# Now the three places. You already guessed two signs. Where would you expect a slope of exactly 0?

# %%
for place in (3, -3, 2 / 3):
    print(f"slope at {place:7.4f}, h = 0.001: {derivative(f, place, 0.001):10.6f}")

# %% [markdown]
# The true slopes are 14, -22 and 0. The last place is the bottom of the bowl: there, f is as low as it
# can get, and a small step in either direction hardly changes it.
#
# But the cell says 14.003, not 14. Each of the three is too large by 0.003. Where does that come from?
#
# Multiply it out once. At x = 3, with a nudge of h:
#
#     f(3 + h) = 3*(9 + 6h + h*h) - 4*(3 + h) + 5
#              = 20 + 14h + 3h*h
#
#     (f(3 + h) - 20) / h = 14 + 3h
#
# The 14 is what we are after. The 3h is left over, because the bowl bends while we walk along it. With
# h = 0.001 the leftover is 0.003. There it is.
#
# Guess: what will h = 0.01 give? And h = 0.0001?

# %%
for h in (0.01, 0.001, 0.0001):
    print(f"h = {h:<7}  {derivative(f, 3, h):.8f}")

# %% [markdown]
# ## Part 2: one nudge to each side
#
# Upward, the slope came out 3h too large. What if you nudge *downward* by the same h? Do the sum above
# again with -h in place of h, and you get 14 - 3h: too small by just as much.
#
# So walk from x - h to x + h, straight over the place. The two leftovers cancel.
#
# **Write** `central(f, x, h)`: the slope measured between h below x and h above x.
#
#     >>> central(f, 3, 0.1)
#     14.0        (again with stray digits)
#
# **Common to get wrong**
#
# - How far is it from x - h to x + h? Is it h?
# - For f(x) = x the slope is 1 everywhere. What does yours say?

# %% solution="two-nudges"
def central(f, x, h):
    """Return the slope of f at x, measured from x - h to x + h."""
    ### BEGIN SOLUTION
    return (f(x + h) - f(x - h)) / (2 * h)
    ### END SOLUTION

# %% check="central"
check("central")

# %%
print("   h      one nudge   two nudges")
for h in (0.1, 0.01, 0.001):
    print(f"{h:<7} {derivative(f, 3, h):11.6f} {central(f, 3, h):12.6f}")

# %% [markdown]
# For this bowl, two nudges are right even with a large h. That is a special treat of parabolas, which
# bend evenly. Other curves leave something over too, just much less of it.

# %% [markdown]
# ## Part 3: how small should h be?
#
# A smaller h made the slope better. So why not take the smallest h there is?
#
# Guess before you go on. As h shrinks from 0.1 to 0.0000000000000001, the error of the slope
#
# - (a) gets smaller and smaller,
# - (b) gets smaller and then stays put,
# - (c) gets smaller and then grows again.
#
# **Write** `errors(rule, f, x, exact, steps)`. Here `rule` is a function such as `derivative` or
# `central`. Return a list: for each h in `steps`, how far the rule's slope is from `exact`. Distances
# have no sign.
#
#     >>> errors(derivative, f, 3, 14, [0.1, 0.01])
#     [0.3, 0.03]        (with stray digits)
#
# **Common to get wrong**
#
# - A slope can be too large or too small. Can a distance be negative?
# - `rule` is a name for somebody's function. Do you call that, or always `derivative`?

# %% solution="distances"
def errors(rule, f, x, exact, steps):
    """Return the distance between rule(f, x, h) and exact, for each h in steps, in order."""
    ### BEGIN SOLUTION
    return [abs(rule(f, x, h) - exact) for h in steps]
    ### END SOLUTION

# %% check="errors"
check("errors")

# %% [markdown]
# Now the sweep. First the bowl, whose slope at 3 is 14.

# %%
steps = [10.0**-digits for digits in range(1, 17)]
one = errors(derivative, f, 3, 14, steps)
two = errors(central, f, 3, 14, steps)

print("  h       one nudge   two nudges")
for h, left, right in zip(steps, one, two):
    print(f"{h:.0e}   {left:9.1e}   {right:9.1e}")
print(f"best h for one nudge: {min(zip(one, steps))[1]:.0e}")

# %% [markdown]
# Read the column of one nudge from top to bottom. Each row is a tenth of the one above, as 3h should
# be. Near h = 1e-8 it turns, and in the last row the error is 14: the slope came out as 0!
#
# Why? A float keeps about 16 digits. Look at what is left of the nudge:

# %%
for h in (1e-1, 1e-8, 1e-15, 1e-16):
    print(f"h = {h:.0e}   (3 + h) - 3 = {(3 + h) - 3:.3e}   f(3 + h) - f(3) = {f(3 + h) - f(3):.3e}")

# %% [markdown]
# With h = 1e-16, `3 + h` *is* 3. With h = 1e-15, the nudge that really happens is 11 % too short, and
# a quarter of the rise is missing: it should be 1.4e-14. So there are two enemies:
#
# - h too large: the curve bends on the way,
# - h too small: the two heights share nearly all their digits, and little is left after subtracting.
#
# The best h lies between them. Two nudges suffer less from the first enemy. So for two nudges, should
# the best h be larger or smaller than 1e-8? Guess. The next cell takes a curve that bends unevenly,
# the sine at 1, whose slope there is cos(1).

# %%
one = errors(derivative, math.sin, 1, math.cos(1), steps)
two = errors(central, math.sin, 1, math.cos(1), steps)

print("  h       one nudge   two nudges")
for h, left, right in zip(steps, one, two):
    print(f"{h:.0e}   {left:9.1e}   {right:9.1e}")
print(f"best h for one nudge:  {min(zip(one, steps))[1]:.0e}")
print(f"best h for two nudges: {min(zip(two, steps))[1]:.0e}")

# %% [markdown]
# The picture has the shape of a U. Both axes count in powers of ten.

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("Without matplotlib there is no picture; the table above holds the same numbers.")
else:
    plt.loglog(steps, one, "o-", label="one nudge")
    plt.loglog(steps, two, "s-", label="two nudges")
    plt.xlabel("size of the nudge, h")
    plt.ylabel("error of the slope")
    plt.legend()
    plt.show()

# %% [markdown]
# ## Part 4: several dials
#
# Now a machine with three dials:
#
#     d = a*b + c     at a = 2, b = -3, c = 10
#
# Each dial has a slope of its own: nudge this one, leave the others where they are. All three together
# are called the **gradient**.
#
# First only the signs. If a grows a little and b stays at -3, does d rise or fall? Put your guesses,
# `"+"` or `"-"`, into the next cell.

# %%
my_guess = {"a": "?", "b": "?", "c": "?"}

# %% [markdown]
# **Write** `gradient(f, point, h)`. `point` is a list of numbers, and f takes them one by one, as in
# `f(*point)`. Return a list with one slope per input, in the same order. Measure each with two nudges.
#
#     >>> gradient(lambda a, b: 5 * a + 7 * b, [1.0, 1.0], 0.5)
#     [5.0, 7.0]
#
# **Common to get wrong**
#
# - When you measure the second slope, where is the first input? Back at its place?
# - The list belongs to the caller. Is it the same after your function as before?
# - `near = point` gives a second name. Does it also give a second list?

# %% solution="slopes"
def gradient(f, point, h):
    """Return the slopes of f at point, one for each input, each measured from h below to h above."""
    ### BEGIN SOLUTION
    slopes = []
    for i in range(len(point)):
        above, below = list(point), list(point)
        above[i] += h
        below[i] -= h
        slopes.append((f(*above) - f(*below)) / (2 * h))
    return slopes
    ### END SOLUTION

# %% check="gradient"
check("gradient")

# %%
def three_dials(a, b, c):
    return a * b + c


print("d =", three_dials(2.0, -3.0, 10.0))
for name, slope in zip("abc", gradient(three_dials, [2.0, -3.0, 10.0], 0.001)):
    sign = "+" if slope > 0 else "-"
    verdict = {"?": "no guess yet", sign: "as you guessed"}.get(my_guess[name], "not as you guessed: why?")
    print(f"slope by {name}: {slope:6.3f}   {verdict}")

# %% [markdown]
# The gradient is (-3, 2, 1). Look where these numbers come from:
#
# - c is only added. Move it by 1, and d moves by 1.
# - a is multiplied by b. Move a by 1, and d moves by b, which is -3.
# - By how much does d move with b, and which number of the machine is that?
#
# Each slope could be read off *one* operation, by looking at what it does. Keep that in mind. It is the
# seed of lesson 03.

# %% [markdown]
# ## Part 5: pencil against nudge
#
# A wilder machine:
#
#     w = -a**3 + sin(3*b) - 1/c + b**2.5 - a**0.5
#
# Nudging works on it as before. But nudging has its price: two runs of the machine for every dial, and
# the error that you saw in the sweep. A formula for the slope has neither.
#
# Here are the pieces that you need. They are all there is to it:
#
# | piece | slope by x |
# |---|---|
# | `x**n` | `n * x**(n-1)`, for any n: also 2.5, 0.5, and -1 |
# | `sin(k*x)` | `k * cos(k*x)` |
# | a sum | the slopes of its terms, added |
#
# **Write** `wild(a, b, c)`, which returns w, and `wild_gradient(a, b, c)`, which returns a list of its
# three slopes by formula. No nudges this time.
#
# **Common to get wrong**
#
# - `1/c` is `c**-1`. With the minus before it, does w rise or fall when c grows? Check the sign you get.
# - In `sin(3*b)`, what does the 3 do to the slope?
# - a stands in two terms. Are both in your first slope?

# %% solution="formulas"
def wild(a, b, c):
    """Return -a**3 + sin(3*b) - 1/c + b**2.5 - a**0.5."""
    ### BEGIN SOLUTION
    return -(a**3) + math.sin(3 * b) - 1 / c + b**2.5 - a**0.5
    ### END SOLUTION


def wild_gradient(a, b, c):
    """Return the slopes of wild by a, by b and by c, from formulas."""
    ### BEGIN SOLUTION
    by_a = -3 * a**2 - 0.5 * a**-0.5
    by_b = 3 * math.cos(3 * b) + 2.5 * b**1.5
    by_c = 1 / c**2
    return [by_a, by_b, by_c]
    ### END SOLUTION

# %% check="wild"
check("wild")

# %% [markdown]
# Three ways to one gradient, at a = 2, b = 3, c = 4. Guess: in how many digits will one nudge agree with
# the formula, and in how many will two?

# %%
point = [2.0, 3.0, 4.0]
print("w =", wild(*point))
print()
print("       formula               one nudge           two nudges")
for i, name in enumerate("abc"):

    def along(x):
        return wild(*point[:i], x, *point[i + 1 :])

    by_one, by_two = derivative(along, point[i], 1e-6), gradient(wild, point, 1e-6)[i]
    print(f"by {name}  {wild_gradient(*point)[i]:20.15f} {by_one:20.12f} {by_two:20.12f}")

# %% [markdown]
# ## Where you are
#
# You can measure the slope of anything that takes numbers and returns one. You know why a nudge must
# be neither too large nor too small. And you know how to check a formula: nudge and compare. In this
# course we never trust a gradient that has not been nudged. The checks do not either: that is how they
# know whether yours is right.
#
# One thing to think about. A network of a million dials, two runs for every dial: two million runs for
# one gradient. Could there be a way to get all the slopes from *one* run? There is. It needs numbers
# that remember where they came from, and you build those next.

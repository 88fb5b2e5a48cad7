"""Prints special-reference.json: special functions at 40 digits from mpmath, on arguments that are exact floats (minutes).

    pip install mpmath gmpy2 && python special-reference.py > special-reference.json

No function of mpmath that needs large hypergeometric parameters is used: incomplete beta and gamma are summed here from
their all-positive power series at 60 digits, from the side on which it is short. Tails under 1e-290 are left out.
"""

import json

import mpmath as mp

mp.mp.dps = 60
FLOOR = mp.mpf(10) ** -290


def text(value):
    return mp.nstr(value, 40, strip_zeros=False, min_fixed=1, max_fixed=1)


def beta_low(a, b, x, y):
    """I_x(a, b) = x^a y^b / (a B(a, b)) * sum (a+b)_k / (a+1)_k x^k."""
    front = mp.exp(a * mp.log(x) + b * mp.log(y) - mp.log(a) - mp.loggamma(a) - mp.loggamma(b) + mp.loggamma(a + b))
    term = total = mp.mpf(1)
    k = 0
    while True:
        term *= (a + b + k) / (a + 1 + k) * x
        total += term
        k += 1
        ratio = (a + b + k) / (a + 1 + k) * x
        if ratio < 1 and term * ratio / (1 - ratio) < total * mp.mpf(10) ** -(mp.mp.dps - 5):
            return front * total


def beta(a, b, x):
    """Both tails; x is an exact float. Summed on the side where the series is short, with digits to spare for the other."""
    a, b, x = mp.mpf(a), mp.mpf(b), mp.mpf(x)
    for digits in (60, 400):
        mp.mp.dps = digits
        if x < 0.5:
            low = beta_low(a, b, x, 1 - x)
            high = 1 - low
        else:
            high = beta_low(b, a, 1 - x, x)
            low = 1 - high
        mp.mp.dps = 60
        if min(low, high) > mp.mpf(10) ** -8:
            break
    return low, high


def gamma(a, x):
    a, x = mp.mpf(a), mp.mpf(x)
    front = mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))
    if x < a + 40 * mp.sqrt(a) + 20 or x < 60:
        # The series is long above a and good everywhere; the digits are those that the upper tail loses to 1 minus the lower.
        mp.mp.dps = 60 + (int(x / mp.log(10)) if x < 400 else 360)
        front = mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))
        term = total = mp.mpf(1)
        k = 1
        while term > total * mp.mpf(10) ** -(mp.mp.dps + 10):
            term *= x / (a + k)
            total += term
            k += 1
        low = front * total
        answer = low, 1 - low
        mp.mp.dps = 60
        return answer
    fraction = mp.mpf(0)
    for k in range(4000, 0, -1):
        fraction = k * (k - a) / (x + 2 * k + 1 - a - fraction)
    high = front * a / (x + 1 - a - fraction)
    return 1 - high, high


out = {"mpmath": mp.__version__, "digits": 40}

rows = []
for a in [0.5, 0.75, 1.0, 2.5, 10.0, 47.0, 500.5, 20000.0, 1e6]:
    for b in [0.5, 1.0, 3.0, 40.0, 953.0, 1e6]:
        mean = a / (a + b)
        spread = (mean * (1 - mean) / (a + b + 1)) ** 0.5
        for t in [-12.0, -3.0, -0.5, 0.5, 3.0, 12.0]:
            x = mean + t * spread
            if not 0 < x < 1:
                x = mean / 64 if t < 0 else 1 - (1 - mean) / 64
            low, high = beta(a, b, x)
            if min(low, high) > FLOOR:
                rows.append({"a": a, "b": b, "x": x, "lower": text(low), "upper": text(high)})
# Shapes under one half, of a share in a million, and tails as thin as doubles hold.
for a, b, deviates in [
    (0.1, 0.1, [-1, 0.5, 1]),
    (0.1, 10.0, [-1, 1, 8]),
    (10.0, 0.1, [-8, -1, 1]),
    (0.1, 1e6, [-1, 1, 12]),
    (1e6, 0.1, [-12, -1, 1]),
    (2.0, 999999.0, [-1, 3, 40]),
    (300000.0, 700001.0, [-36, -20, -1.64, 1.64, 20, 36]),
    (950001.0, 50000.0, [-36, -1.96, 1.96, 30]),
    (1000.0, 1000.0, [-30, 30]),
]:
    mean = a / (a + b)
    spread = (mean * (1 - mean) / (a + b + 1)) ** 0.5
    for t in deviates:
        x = mean + t * spread
        if not 0 < x < 1:
            x = mean / 4096 if t < 0 else 1 - (1 - mean) / 4096
        low, high = beta(a, b, x)
        if min(low, high) > FLOOR:
            rows.append({"a": a, "b": b, "x": x, "lower": text(low), "upper": text(high)})
out["beta"] = rows

rows = []
for n, rate, counts in [
    (10, 0.05, [0, 1, 3, 10]),
    (50, 0.5, [0, 12, 25, 49]),
    (284, 0.05, [0, 7, 14, 23, 90]),
    (1000, 0.303, [200, 303, 340, 600]),
    (100000, 1e-5, [0, 1, 5, 40]),
    (100000, 0.5, [48000, 50000, 53000]),
    (1000000, 0.05, [42500, 49000, 50000, 51000, 57000]),
    (1000000, 1e-6, [0, 1, 2, 30]),
    (1000000, 0.999, [998000, 999000, 999900]),
    (10000, 0.05, [0, 1, 300, 500, 1300]),
    (1000000, 0.5, [482000, 499999, 518000]),
    (1000000, 0.05, [42300, 50358, 57900]),
    (999983, 0.303, [302000, 302995, 318000]),
]:
    p = mp.mpf(rate)
    for x in counts:
        point = mp.exp(mp.loggamma(n + 1) - mp.loggamma(x + 1) - mp.loggamma(n - x + 1) + x * mp.log(p) + (n - x) * mp.log(1 - p))
        upper, lower = beta(x + 1, n - x, rate) if x < n else (mp.mpf(0), mp.mpf(1))
        if point > FLOOR:
            rows.append({"hits": x, "n": n, "rate": rate, "pmf": text(point), "lower": text(lower), "upper": text(upper)})
out["binomial"] = rows

rows = []
for hits, n in [(0, 10), (1, 10), (5, 10), (9, 10), (1, 93), (3, 153), (12, 400), (499, 1000), (5, 1000), (303, 1000), (999, 1000), (1, 100000), (50, 100000), (99999, 100000), (1, 1000000), (50000, 1000000), (999990, 1000000)]:
    for alpha in [0.05, 0.025, 1e-6]:
        goal = mp.mpf(alpha)
        row = {"hits": hits, "n": n, "alpha": alpha}
        p = mp.mpf(hits) / n
        s = mp.sqrt((p * (1 - p) + mp.mpf(1) / n) / n)
        if hits == 0:
            row["upper"] = text(1 - goal ** (mp.mpf(1) / n))
            row["lower"] = text(mp.mpf(0))
        else:
            # Bisection on exact tails: slow and beyond doubt.
            def bound(function, low, high):
                for _ in range(40):
                    middle = (low + high) / 2
                    low, high = (middle, high) if function(middle) > goal else (low, middle)
                x0, x1 = low, high
                f0, f1 = (mp.log(function(v)) - mp.log(goal) for v in (x0, x1))
                for _ in range(12):
                    if f1 == f0:
                        break
                    x0, x1, f0 = x1, x1 - f1 * (x1 - x0) / (f1 - f0), f1
                    f1 = mp.log(function(x1)) - mp.log(goal)
                    if abs(x1 - x0) < mp.mpf(10) ** -52:
                        break
                return x1

            row["upper"] = text(bound(lambda t: beta(hits + 1, n - hits, t)[1], p, min(p + 12 * s + mp.mpf(30) / n, 1 - mp.mpf(10) ** -12)))
            row["lower"] = text(bound(lambda t: beta(hits, n - hits + 1, t)[0], p, max(p - 12 * s, p * mp.mpf(10) ** -9)))
        rows.append(row)
# The whole range of both numbers at the two alphas in use. A secant needs a start, not a bracket: what it found is checked.
for n in [10, 100, 1000, 10000, 100000, 1000000]:
    for hits in sorted({0, 1, 2, n // 100, n // 20, n // 3, n // 2, n - n // 20, n - 1, n}):
        for alpha in [0.05, 0.025]:
            goal = mp.log(mp.mpf(alpha))
            z = mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(alpha))

            def root(function, start, step):
                """The v between 0 and 1 at which ln function(v) is goal, sought on the scale of its log odds."""
                at = lambda w: mp.log(function(1 / (1 + mp.exp(-w)))) - goal
                x0, x1 = start, start + step
                f0, f1 = at(x0), at(x1)
                for _ in range(60):
                    if f1 == f0 or abs(x1 - x0) < mp.mpf(10) ** -50:
                        break
                    move = -f1 * (x1 - x0) / (f1 - f0)
                    move = max(min(move, 1), -1)
                    x0, f0, x1 = x1, f1, x1 + move
                    f1 = at(x1)
                assert abs(f1) < mp.mpf(10) ** -44, (n, hits, alpha, f1)
                return 1 / (1 + mp.exp(-x1))

            def start(sign):
                p = (hits + mp.mpf(1) / 2 + sign * mp.mpf(1) / 2) / (n + 1)
                p = min(max(p, mp.mpf(1) / (4 * n)), 1 - mp.mpf(1) / (4 * n))
                width = z / mp.sqrt(n * p * (1 - p))
                return mp.log(p / (1 - p)) + sign * min(width, 3)

            if hits == 0:
                upper, lower = 1 - mp.exp(goal / n), mp.mpf(0)
            elif hits == n:
                upper, lower = mp.mpf(1), mp.exp(goal / n)
            else:
                upper = root(lambda v: beta(hits + 1, n - hits, v)[1], start(1), mp.mpf("0.001"))
                lower = root(lambda v: beta(hits, n - hits + 1, v)[0], start(-1), mp.mpf("0.001"))
            rows.append({"hits": hits, "n": n, "alpha": alpha, "upper": text(upper), "lower": text(lower)})
out["clopper_pearson"] = rows

rows = []
for a in [0.5, 1.0, 1.5, 4.0, 12.5, 100.0, 5000.0]:
    for factor in [0.01, 0.3, 0.9, 1.0, 1.1, 1.5, 4.0]:
        x = a * factor
        low, high = gamma(a, x)
        if min(low, high) > FLOOR:
            rows.append({"a": a, "x": x, "lower": text(low), "upper": text(high)})
for a in [50000.0, 1e6]:
    for t in [-36.0, -20.0, -1.64, 0.0, 1.64, 20.0, 36.0]:
        x = a + t * a**0.5
        low, high = gamma(a, x)
        if min(low, high) > FLOOR:
            rows.append({"a": a, "x": x, "lower": text(low), "upper": text(high)})
out["gamma"] = rows

out["normal"] = [{"z": z, "upper": text(mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2)} for z in [0.0, 0.001, 0.5, 1.0, 1.6448536269514722, 1.7, 1.959963984540054, 3.0, 6.0, 12.0, 25.0, 36.0]]
out["normal_quantile"] = [
    {"probability": p, "z": text(mp.findroot(lambda z: mp.log(mp.erfc(z / mp.sqrt(2)) / 2) - mp.log(mp.mpf(p)), z))}
    for p, z in [(0.49, 0.025), (0.3, 0.52), (0.1, 1.28), (0.05, 1.64), (0.025, 1.96), (1e-3, 3.09), (1e-6, 4.75), (1e-20, 9.26), (1e-250, 33.8)]
]

rows = []
for df in [1.0, 2.0, 3.0, 9.0, 29.0, 39.0, 119.0, 9999.0, 1e6]:
    for t in [0.1, 1.0, 2.0, 5.0]:
        d, v = mp.mpf(df), mp.mpf(t)
        p = beta(d / 2, mp.mpf(1) / 2, d / (d + v * v))[0]
        rows.append({"df": df, "t": t, "two_sided": text(p)})
out["student"] = rows

rows = []
for d1, d2 in [(1.0, 1.0), (2.0, 6.0), (5.0, 18.0), (5.0, 4.7), (39.0, 200.0), (3.0, 100000.0)]:
    for f in [0.05, 0.9, 2.454545454545, 4.0, 30.0]:
        a, b, v = mp.mpf(d2) / 2, mp.mpf(d1) / 2, mp.mpf(f)
        x = mp.mpf(d2) / (mp.mpf(d2) + mp.mpf(d1) * v)
        p = beta(a, b, x)[0]
        rows.append({"df1": d1, "df2": d2, "f": f, "upper": text(p)})
out["f"] = rows

def positive_root(function, goal, start):
    """The v > 0 at which the falling `function` is `goal`, by a secant on logarithms; what it found is checked."""
    at = lambda w: mp.log(function(mp.exp(w))) - mp.log(goal)
    x0, x1 = mp.log(start), mp.log(start) + mp.mpf("0.01")
    f0, f1 = at(x0), at(x1)
    for _ in range(100):
        if f1 == f0 or abs(x1 - x0) < mp.mpf(10) ** -50:
            break
        move = max(min(-f1 * (x1 - x0) / (f1 - f0), mp.mpf(1) / 2), -mp.mpf(1) / 2)
        x0, f0, x1 = x1, f1, x1 + move
        f1 = at(x1)
    assert abs(f1) < mp.mpf(10) ** -44, (goal, f1)
    return mp.exp(x1)


rows = []
for df in [1.0, 2.0, 9.0, 29.0, 199.0, 9999.0, 999999.0]:
    for probability in [0.25, 0.05, 0.025, 0.005, 1e-6]:
        d, goal = mp.mpf(df), 2 * mp.mpf(probability)
        two_sided = lambda v: beta(d / 2, mp.mpf(1) / 2, d / (d + v * v))[0]
        z = mp.sqrt(2) * mp.erfinv(1 - goal)
        rows.append({"df": df, "probability": probability, "t": text(positive_root(two_sided, goal, z))})
out["student_quantile"] = rows

rows = []
for d1, d2 in [(1.0, 1.0), (2.0, 6.0), (5.0, 18.0), (39.0, 200.0), (3.0, 100000.0), (1e6, 12.0), (1e5, 1e5)]:
    for probability in [0.5, 0.05, 0.025, 1e-6]:
        a, b = mp.mpf(d2) / 2, mp.mpf(d1) / 2
        upper = lambda v: beta(a, b, mp.mpf(d2) / (mp.mpf(d2) + mp.mpf(d1) * v))[0]
        rows.append({"df1": d1, "df2": d2, "probability": probability, "f": text(positive_root(upper, mp.mpf(probability), mp.mpf("1.2")))})
out["f_quantile"] = rows

out["ln_gamma"] = [{"x": x, "value": text(mp.loggamma(mp.mpf(x)))} for x in [0.001, 0.1, 0.5, 0.999, 1.001, 1.5, 1.999, 2.001, 3.5, 10.0, 15.5, 16.0, 123.456, 1e4, 1e5, 1e6, 1e9, 1e12]]
out["ln_beta"] = [
    {"a": a, "b": b, "value": text(mp.loggamma(mp.mpf(a)) + mp.loggamma(mp.mpf(b)) - mp.loggamma(mp.mpf(a) + mp.mpf(b)))}
    for a in [0.001, 0.5, 1.0, 7.25, 1000.5, 1e6] for b in [0.5, 50.5, 1e6, 1e9, 1e12]
]
# Floats as texts, since not every JSON reader rounds seventeen digits correctly.
rounded = {name: [{k: repr(v) if isinstance(v, float) else v for k, v in row.items()} for row in rows] if isinstance(rows, list) else rows for name, rows in out.items()}
print(json.dumps(rounded, indent=0))

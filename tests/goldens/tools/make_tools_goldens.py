#!/usr/bin/env python3
"""Makes calculator.json and current_time.json beside this file. Needs mpmath and tzdata (PyPI).

The calculator's exact results come from Python's fractions, the others from mpmath with 60 digits; the times from
zoneinfo. The rules of how a result is written are stated here a second time, on purpose.
"""
import datetime
import json
import pathlib
import random
import zoneinfo
from fractions import Fraction

import mpmath

HERE = pathlib.Path(__file__).resolve().parent
mpmath.mp.dps = 60


def real_text(value):
    """20 significant digits, plain from 1e-7 to 1e21."""
    if value == 0:
        return "0"
    text = mpmath.nstr(abs(value), 20, min_fixed=1, max_fixed=0, strip_zeros=False)
    mantissa, _, exponent = text.partition("e")
    exponent = int(exponent or "0")
    digits = mantissa.replace(".", "").rstrip("0") or "0"
    sign = "-" if value < 0 else ""
    if exponent > 21 or exponent < -7:
        return sign + digits[0] + ("." + digits[1:] if len(digits) > 1 else "") + f"e{exponent}"
    if exponent < 0:
        return sign + "0." + "0" * (-exponent - 1) + digits
    if len(digits) <= exponent + 1:
        return sign + digits + "0" * (exponent + 1 - len(digits))
    return sign + digits[: exponent + 1] + "." + digits[exponent + 1 :]


def exact_text(value):
    """All decimals where at most 60 are enough, else 20 digits and a short fraction."""
    bottom, decimals = value.denominator, 0
    while decimals <= 60 and (10**decimals) % bottom:
        decimals += 1
    if decimals > 60:
        text = real_text(mpmath.mpf(value.numerator) / value.denominator)
        return text + (f" (exactly {value})" if len(str(value)) <= 40 else "")
    scaled = abs(value.numerator) * 10**decimals // bottom
    digits = str(scaled).rjust(decimals + 1, "0")
    if decimals:
        digits = digits[:-decimals] + "." + digits[-decimals:]
    return ("-" if value < 0 else "") + digits


def random_expression(rng, depth):
    """(text, Fraction or None) where None means a division by zero."""
    if depth == 0:
        kind = rng.randrange(3)
        if kind == 0:
            n = rng.randrange(0, 10 ** rng.randrange(1, 8))
            return str(n), Fraction(n)
        if kind == 1:
            text = f"{rng.randrange(0, 1000)}.{rng.randrange(0, 10000):04d}"
            return text, Fraction(text)
        text = f"{rng.randrange(1, 10)}e{rng.randrange(-5, 6)}"
        return text, Fraction(text)
    op = rng.choice("+-*/%^nff")
    left, a = random_expression(rng, depth - 1)
    if op == "n":
        return f"-({left})", None if a is None else -a
    if op == "f":
        name = rng.choice(["abs", "floor", "ceil"])
        if a is None:
            return f"{name}({left})", None
        value = {"abs": abs, "floor": lambda x: Fraction(x.__floor__()), "ceil": lambda x: Fraction(x.__ceil__())}[name](a)
        return f"{name}({left})", value
    if op == "^":
        n = rng.randrange(0, 5)
        return f"({left})^{n}", None if a is None else a**n
    right, b = random_expression(rng, depth - 1)
    text = f"({left}) {op} ({right})"
    if a is None or b is None or (op in "/%" and b == 0):
        return text, None
    return text, {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else None, "%": a % b if b else None}[op]


REALS = [
    ("sqrt(2)", mpmath.sqrt(2)), ("sqrt(2)*sqrt(2)", mpmath.mpf(2)), ("2^0.5", mpmath.sqrt(2)), ("exp(1)", mpmath.e),
    ("exp(-100)", mpmath.exp(-100)), ("ln(10)", mpmath.log(10)), ("log(2)", mpmath.log10(2)), ("log(10, 2)", mpmath.log(10, 2)),
    ("log2(3)", mpmath.log(3, 2)), ("sin(1)", mpmath.sin(1)), ("cos(1)", mpmath.cos(1)), ("tan(1)", mpmath.tan(1)),
    ("sin(1e10)", mpmath.sin(10**10)), ("asin(0.5)", mpmath.asin(0.5)), ("acos(-1)", mpmath.pi), ("atan(1)*4", mpmath.pi),
    ("pi", mpmath.pi), ("e^pi", mpmath.e**mpmath.pi), ("pi^2/6", mpmath.pi**2 / 6), ("2^10000", mpmath.mpf(2) ** 10000),
    ("1.0000001^(1e9)", mpmath.mpf("1.0000001") ** 10**9), ("(1+5^0.5)/2", mpmath.phi), ("sqrt(1e-30*2)", mpmath.sqrt(mpmath.mpf("2e-30"))),
    ("2^(1/3)", mpmath.cbrt(2)), ("-2^0.5", -mpmath.sqrt(2)), ("10^(-30.5)", mpmath.mpf(10) ** mpmath.mpf("-30.5")),
    ("ln(2)^100", mpmath.log(2) ** 100), ("sin(pi/6)", mpmath.mpf("0.5")), ("e", mpmath.e),
]


def calculator():
    rng = random.Random(4)
    cases = []
    while len(cases) < 300:
        text, value = random_expression(rng, rng.randrange(1, 4))
        if len(text) > 300:
            continue
        if value is not None and max(abs(value.numerator), value.denominator).bit_length() > 3000:
            continue
        cases.append({"expression": text, "result": None if value is None else exact_text(value)})
    for text, value in REALS:
        cases.append({"expression": text, "result": real_text(value)})
    return cases


def current_time():
    rng = random.Random(5)
    zones = ["UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/St_Johns", "Asia/Kolkata", "Asia/Kathmandu",
             "Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "Africa/Cairo", "America/Sao_Paulo"]
    cases = []
    for _ in range(150):
        # From 1990 to 2022: every package of zone data of today agrees about the past.
        seconds = rng.randrange(631152000, 1640995200)
        zone = rng.choice(zones)
        local = datetime.datetime.fromtimestamp(seconds, zoneinfo.ZoneInfo(zone))
        cases.append({"seconds": seconds, "zone": zone,
                      "result": f"{local.isoformat()} ({local.strftime('%A')}, {zone})"})
    return cases


for name, rows in (("calculator", calculator()), ("current_time", current_time())):
    (HERE / f"{name}.json").write_text(json.dumps(rows, indent=0) + "\n")

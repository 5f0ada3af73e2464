#!/usr/bin/env python3
"""The weather of a few cities, invented: replace the table by a thermometer, a file or a service of yours.

What it prints goes to the model; a message on standard error with an exit status goes there as an error.
"""
import argparse
import sys

WEATHER = {"oslo": "4 °C, rain", "paris": "18 °C, sunny", "berlin": "11 °C, cloudy", "tokyo": "21 °C, clear"}

parser = argparse.ArgumentParser(description="Prints the current weather of a city.")
parser.add_argument("--city", required=True)
city = parser.parse_args().city.strip()
if city.lower() not in WEATHER:
    sys.exit(f"no station in {city!r}; there are {', '.join(sorted(WEATHER))}")
print(f"{city}: {WEATHER[city.lower()]}")

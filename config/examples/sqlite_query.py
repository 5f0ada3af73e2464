#!/usr/bin/env python3
"""Runs one SQL query, given as {"sql": "…"} on standard input, over a database that it cannot change.

    sqlite_query.py DATABASE <<< '{"sql": "select * from books"}'
"""
import json
import pathlib
import sqlite3
import sys

MAX_ROWS = 100


def allow(action, *_):
    """Reading only: no ATTACH, no PRAGMA, nothing that writes."""
    return sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY


READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}

path = pathlib.Path(sys.argv[1])
if not path.is_file():
    sys.exit(f"{path.name} is missing; run make_library.py beside it first")
try:
    sql = json.load(sys.stdin)["sql"]
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    connection.set_authorizer(allow)
    cursor = connection.execute(sql)
    rows = cursor.fetchmany(MAX_ROWS + 1)
except (ValueError, KeyError, TypeError, sqlite3.Error, sqlite3.Warning) as error:
    sys.exit(f"{error}")
print("\t".join(column[0] for column in cursor.description or ()))
for row in rows[:MAX_ROWS]:
    print("\t".join("" if value is None else str(value) for value in row))
if len(rows) > MAX_ROWS:
    print(f"(more than {MAX_ROWS} rows; add a LIMIT or a condition)")

#!/usr/bin/env python3
"""Makes library.db beside this file, for sqlite.json."""
import pathlib
import sqlite3

BOOKS = [
    ("Middlemarch", "George Eliot", 1871, 3),
    ("Moby-Dick", "Herman Melville", 1851, 1),
    ("Kindred", "Octavia E. Butler", 1979, 2),
    ("The Left Hand of Darkness", "Ursula K. Le Guin", 1969, 4),
    ("Beloved", "Toni Morrison", 1987, 2),
]

path = pathlib.Path(__file__).resolve().parent / "library.db"
path.unlink(missing_ok=True)
with sqlite3.connect(path) as connection:
    connection.execute("create table books(title text, author text, year integer, copies integer)")
    connection.executemany("insert into books values (?, ?, ?, ?)", BOOKS)
connection.close()
path.chmod(0o644)
print(path)

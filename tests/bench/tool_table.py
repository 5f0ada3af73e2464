"""The table of the measured set: one row for each mode and model, computed from raw answers."""
import collections
import dataclasses

import tool_scores

COLUMNS = ("format", "name", "arguments", "two", "restraint", "prose", "value")


@dataclasses.dataclass
class Row:
    mode: str
    model: str
    right: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    asked: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    totals: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    woke: list = dataclasses.field(default_factory=list)  # one number for each answer that reports it
    routes: collections.Counter = dataclasses.field(default_factory=collections.Counter)

    def add(self, item, entry):
        for name, right in scores_of(item, entry).items():
            self.asked[name] += 1
            self.right[name] += right
        self.totals["items"] += 1
        for answer in entry["rounds"]:
            self.totals["errors"] += "error" in answer
            self.totals["seconds"] += answer["seconds"]
            for count in ("prompt_tokens", "completion_tokens"):
                self.totals[count] += (answer.get("usage") or {}).get(count) or 0
            report = answer.get("parley") or {}
            if "constraint_woke" in report:
                self.woke.append(report["constraint_woke"])
            if report.get("router"):
                self.routes["none" if report["router"] == "none" else "a tool"] += 1

    def constraint_slept(self):
        """A constrained run in which nothing was constrained: not measured what it says."""
        return self.mode == "constrained" and self.asked["format"] > 0 and sum(self.woke) == 0

    def cells(self):
        items = max(self.totals["items"], 1)
        scores = [f"{self.right[c]}/{self.asked[c]}" if self.asked[c] else "" for c in COLUMNS]
        woke = f"{sum(self.woke)} in {len(self.woke)}" if self.woke else ""
        routes = ", ".join(f"{name} {count}" for name, count in sorted(self.routes.items()))
        means = [f"{self.totals[count] / items:.0f}" for count in ("prompt_tokens", "completion_tokens")]
        return [self.mode, self.model, *scores, *means, f"{self.totals['seconds'] / items:.1f}",
                str(self.totals["errors"]), woke, routes]


def scores_of(item, entry):
    """An item of which a round failed has nothing right: what came before is half an answer."""
    failed = any("error" in answer for answer in entry["rounds"])
    return tool_scores.score(item, [] if failed else [answer["message"] for answer in entry["rounds"]])


def rows(items, entries):
    """One row for each mode and model, in the order of their first answers; answers to other items are left out."""
    by_id, found = {item.id: item for item in items}, {}
    for entry in entries:
        if entry["id"] in by_id:
            key = (entry["mode"], entry["model"])
            found.setdefault(key, Row(*key)).add(by_id[entry["id"]], entry)
    return list(found.values())


def table(rows):
    """Markdown, padded so that it reads as plain text too. Tokens and seconds are means over the items."""
    head = ["mode", "model", *COLUMNS, "tokens in", "out", "s/item", "errors", "constraint woke", "router"]
    lines = [head, *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    text = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    text.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(text)

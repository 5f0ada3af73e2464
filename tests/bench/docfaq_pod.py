"""Sections of a POD page: headings, and the paragraphs between them as plain text (perlpod(1))."""
import re

from docfaq_section import Section, with_paths

ENTITIES = {"lt": "<", "gt": ">", "verbar": "|", "sol": "/", "quot": '"', "amp": "&"}
WIDE_CODE = re.compile(r"([A-Z])(<<+)\s(.*?)\s(>>+)", re.S)
CODE = re.compile(r"([A-Z])<([^<>]*)>")
SKIPPED_BLOCKS = {"for", "pod", "cut", "encoding", "over", "back", "end"}


def code_text(kind, inside):
    if kind == "E":
        return ENTITIES.get(inside, "")
    if kind in "XZ":
        return ""
    if kind == "L":
        return inside.split("|")[0].replace("\x01", "<").replace("\x02", ">")
    return inside


def plain(text):
    """Formatting codes taken off, innermost first; < and > of the text itself hide behind \\x01 and \\x02 meanwhile."""
    text = WIDE_CODE.sub(lambda m: m[3].replace("<", "\x01").replace(">", "\x02"), text)
    before = None
    while before != text:
        before = text
        text = CODE.sub(lambda m: code_text(m[1], m[2]).replace("<", "\x01").replace(">", "\x02"), text)
    return text.replace("\x01", "<").replace("\x02", ">")


def decode(data):
    declared = re.search(rb"^=encoding\s+(\S+)", data, re.M)
    try:
        return data.decode(declared[1].decode() if declared else "utf-8")
    except (UnicodeDecodeError, LookupError):
        return data.decode("latin-1")


def pod_sections(data):
    sections, in_pod, begun = [Section(0, "", [])], False, None
    for block in re.split(r"\n\s*\n", decode(data).replace("\r\n", "\n")):
        command = re.match(r"=([a-z]+)(\d?)\s*(.*)", block.strip("\n"), re.S)
        if command:
            name, level, rest = command.groups()
            in_pod = name != "cut"
            if name == "begin":
                begun = rest
            elif name == "end":
                begun = None
            elif name == "head":
                sections.append(Section(int(level), plain(" ".join(rest.split())), []))
            elif name == "item":
                sections[-1].paragraphs.append(plain(rest))
        elif in_pod and begun is None and block.strip():
            verbatim = block.startswith((" ", "\t"))
            sections[-1].paragraphs.append(block if verbatim else plain(block.strip()))
    return with_paths(sections)


def pod_title(data):
    """What its NAME section says: "perlfaq4 - Data Manipulation"."""
    name = re.search(r"^=head1 NAME\s+(.*?)\n\s*\n", decode(data), re.M | re.S)
    return plain(" ".join(name[1].split())) if name else ""

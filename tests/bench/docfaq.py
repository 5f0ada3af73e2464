#!/usr/bin/env python3
"""DocFAQ: questions that people wrote, and the documentation that answers them, from installed Debian packages.

    tests/bench/docfaq.py OUT_DIR

Questions are the headings of the FAQ pages of perl-doc, python3.11-doc, debian-faq and sqlite3-doc; a question's heading
is taken away from its answer, and pages that list questions (contents, indexes) are left out. The corpus is every page of
the four packages. OUT_DIR/documents.jsonl gets one page a line with its passages of about 200 words as byte ranges and
the section that each belongs to; OUT_DIR/questions.jsonl the questions, each with the section that answers it: any
passage of it is a hit. docfaq_bench measures a search over both.
"""
import json
import pathlib
import re
import subprocess
import sys

from docfaq_html import html_sections, html_title
from docfaq_pod import pod_sections, pod_title

PACKAGES = ["perl-doc", "python3.11-doc", "debian-faq", "sqlite3-doc"]
DOC = pathlib.Path("/usr/share/doc")
WORDS_A_PASSAGE = 200
MIN_ANSWER_WORDS = 15
MIN_QUESTION_WORDS = 3
QUESTION_WORDS = set("how what why where when which who is are can could do does did i my should will would".split())

# Contents and indexes: they list the questions, or nothing but names.
PERL_LISTS = {"perlfaq", "perltoc", "perl"}
PYTHON_LISTS = re.compile(r"^(genindex.*|contents|index|search|py-modindex|download|.*/index)\.html$")
SQLITE_LISTS = re.compile(r"^(doc_.*|keyword_index|doclist|docs|sitemap|toc|index|c3ref/intro|c3ref/.*list)\.html$")


class Page:
    def __init__(self, path, title, sections, is_faq):
        self.path, self.title, self.sections, self.is_faq = path, title, sections, is_faq


def html_page(path, text, is_faq):
    return Page(path, html_title(text), html_sections(text), is_faq)


def pod_folder():
    return next(iter(sorted(pathlib.Path("/usr/share/perl").glob("5.*.*/pod"))))


def perl_pages():
    for file in sorted(pod_folder().glob("*.pod")):
        if file.stem not in PERL_LISTS:
            is_faq = re.fullmatch(r"perlfaq[1-9]", file.stem) is not None
            data = file.read_bytes()
            yield Page(f"perl/{file.name}", pod_title(data), pod_sections(data), is_faq)


def python_pages():
    root = DOC / "python3.11/html"
    for file in sorted(root.rglob("*.html")):
        name = str(file.relative_to(root))
        if not name.startswith("_") and not PYTHON_LISTS.match(name):
            yield html_page(f"python/{name}", file.read_text(errors="replace"), name.startswith("faq/"))


def debian_pages():
    for file in sorted((DOC / "debian/FAQ").glob("*.en.html")):
        if file.name != "index.en.html":
            yield html_page(f"debian/{file.name}", file.read_text(errors="replace"), True)


def sqlite_pages():
    root = DOC / "sqlite3"
    for file in sorted(root.rglob("*.html")):
        name = str(file.relative_to(root))
        if SQLITE_LISTS.match(name):
            continue
        text = file.read_text(errors="replace")
        if name == "faq.html":  # its questions are no headings: make them such, without the list before them
            text = re.sub(r"<ol>.*?</ol>", "", text, count=1, flags=re.S)
            text = re.sub(r"<p><b>(\(\d+\).*?)</b></p>", r"<h2>\1</h2>", text, flags=re.S)
        yield html_page(f"sqlite/{name}", text, name == "faq.html")


def plain_question(heading):
    """The heading without the numbers that its page puts before it."""
    return re.sub(r"^(\(\d+\)|(\d+\.)+)\s*", "", heading).strip()


def is_question(heading):
    words = heading.split()
    if len(words) < MIN_QUESTION_WORDS:
        return False
    return "?" in heading or re.sub(r"\W", "", words[0]).lower() in QUESTION_WORDS


def cut(paragraphs):
    """Groups of whole paragraphs of about WORDS_A_PASSAGE words."""
    group, count = [], 0
    for paragraph in paragraphs:
        words = len(paragraph.split())
        if group and count + words > WORDS_A_PASSAGE * 1.25:
            yield group
            group, count = [], 0
        group.append(paragraph)
        count += words
    if group:
        yield group


class Corpus:
    def __init__(self):
        self.documents, self.questions = [], []
        self.num_sections = self.num_passages = 0

    def add_page(self, page):
        text, passages = b"", []
        question_level = None  # of the question whose answer the sections below belong to
        section_id, path_of_question = 0, []
        for section in page.sections:
            if question_level is None or section.level <= question_level:
                section_id, self.num_sections = self.num_sections, self.num_sections + 1
                question_level = None
                question = plain_question(section.heading)
                if page.is_faq and section.level > 1 and is_question(question) and section.num_words >= MIN_ANSWER_WORDS:
                    question_level, path_of_question = section.level, section.path
                    self.questions.append({"question": question, "section": section_id, "path": page.path})
            headings = [h for h in section.path if question_level is None or h != path_of_question[-1]]
            for group in cut(section.paragraphs):
                begin = len(text)
                text += "\n\n".join(group).encode()
                passages.append({"begin": begin, "end": len(text), "headings": headings, "section": section_id})
                text += b"\n\n"
        self.num_passages += len(passages)
        if passages:
            self.documents.append({"path": page.path, "title": page.title, "text": text.decode(), "passages": passages})

    def add_package(self, name, pages):
        before = len(self.documents), self.num_sections, self.num_passages, len(self.questions)
        for page in pages:
            self.add_page(page)
        after = len(self.documents), self.num_sections, self.num_passages, len(self.questions)
        counts = [b - a for a, b in zip(before, after)]
        print("{:<16} {:<22} pages {:>5} sections {:>6} passages {:>6} questions {:>4}".format(
            name, version_of(name), *counts))


def version_of(package):
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    if shown.returncode != 0:
        sys.exit(f"docfaq: the package {package} is not installed; apt-get install {' '.join(PACKAGES)}")
    return shown.stdout


def write_lines(file, items):
    file.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items))


def build():
    corpus = Corpus()
    for name, pages in zip(PACKAGES, [perl_pages(), python_pages(), debian_pages(), sqlite_pages()]):
        corpus.add_package(name, pages)
    return corpus


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    corpus = build()
    write_lines(out / "documents.jsonl", corpus.documents)
    write_lines(out / "questions.jsonl", corpus.questions)
    print(f"{len(corpus.questions)} questions, {corpus.num_sections} sections, {corpus.num_passages} passages in {out}")


if __name__ == "__main__":
    main()

"""Sections of an HTML page: its headings, and the paragraphs between them as plain text, without navigation."""
import html
import html.parser
import re

from docfaq_section import Section, with_paths

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
BREAKS = set("p div section article li ul ol dl dt dd table tr blockquote br hr body main".split())
VOID = set("area base br col embed hr img input link meta source track wbr".split())
SKIPPED_TAGS = {"script", "style", "nav", "head", "select", "form"}
SKIPPED_CLASSES = {
    "sphinxsidebar", "related", "footer", "toc", "contents", "navheader", "navfooter", "headerlink", "nosearch",
    "titlepage-toc", "mobile-nav", "menu", "fancy_toc", "topic-title",
}
SKIPPED_IDS = {"toc_header", "toc_sub", "mtimelink"}


class SectionParser(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.sections = [Section(0, "", [])]
        self.text = []
        self.heading = None     # level of the one that is open
        self.in_pre = 0
        self.skipped = None     # tag whose end ends the skipping
        self.skipped_depth = 0  # elements of that name inside it; others need no end tag in HTML

    def skips(self, tag, attributes):
        values = dict(attributes)
        classes = set((values.get("class") or "").split())
        return tag in SKIPPED_TAGS or bool(classes & SKIPPED_CLASSES) or values.get("id") in SKIPPED_IDS

    def handle_starttag(self, tag, attributes):
        if self.skipped is not None:
            self.skipped_depth += tag == self.skipped
        elif tag not in VOID and self.skips(tag, attributes):
            self.skipped, self.skipped_depth = tag, 1
        elif tag in HEADINGS:
            self.end_paragraph()
            self.heading = HEADINGS[tag]
        elif tag == "pre":
            self.end_paragraph()
            self.in_pre += 1
        elif tag in BREAKS and self.in_pre == 0:
            self.end_paragraph()
        elif tag == "td":
            self.text.append(" ")

    def handle_endtag(self, tag):
        if self.skipped is not None:
            self.skipped_depth -= tag == self.skipped
            if self.skipped_depth == 0:
                self.skipped = None
        elif tag in HEADINGS and self.heading is not None:
            self.sections.append(Section(self.heading, " ".join("".join(self.text).split()), []))
            self.text, self.heading = [], None
        elif tag == "pre":
            self.end_paragraph()
            self.in_pre = max(0, self.in_pre - 1)
        elif tag in BREAKS and self.in_pre == 0:
            self.end_paragraph()

    def handle_data(self, data):
        if self.skipped is None:
            self.text.append(data)

    def end_paragraph(self):
        if self.heading is not None:
            self.text.append(" ")
            return
        text = "".join(self.text)
        text = text.strip("\n") if self.in_pre else re.sub(r"\s+", " ", text).strip()
        if text.strip():
            self.sections[-1].paragraphs.append(text)
        self.text = []


def html_title(text):
    title = re.search(r"<title>(.*?)</title>", text, re.S | re.I)
    return " ".join(html.unescape(title[1]).split()) if title else ""


def html_sections(text):
    parser = SectionParser()
    parser.feed(text)
    parser.close()
    parser.end_paragraph()
    return with_paths(parser.sections)

"""A heading and what stands under it up to the next one."""


class Section:
    def __init__(self, level, heading, paragraphs):
        self.level, self.heading, self.paragraphs = level, heading, paragraphs
        self.path = []  # of headings, outermost first, its own the last

    @property
    def num_words(self):
        return sum(len(paragraph.split()) for paragraph in self.paragraphs)


def with_paths(sections):
    """The same sections, each with the headings it lies under."""
    above = []
    for section in sections:
        above = [other for other in above if other.level < section.level]
        if section.heading:
            above.append(section)
        section.path = [other.heading for other in above]
    return sections

"""What DocFAQ takes for sections, questions and answers."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import docfaq
from docfaq_html import html_sections, html_title
from docfaq_pod import pod_sections, pod_title

POD = b"""=head1 NAME

perlfaq4 - Data B<Manipulation>

=head1 Data: Numbers

=head2 Why is C<int()> broken?

Your C<< $a->int >> is most probably E<lt>not> broken; see L<perlop/"x"|perlop>.
It needs to be said in some more words than these here are.

    print int(0.6/0.2-2);

=begin html

<b>not for us</b>

=end html

=head1 Other

Nothing.

=cut
"""

HTML = """<html><head><title>Programming
 FAQ</title></head><body><nav class="contents"><p>How do I list?</p></nav>
<div class="related"><div>menu</div><p>more menu</p></div>
<h1>Programming FAQ<a class="headerlink">P</a></h1>
<p>Preface.</p><h2>1.2. How do I sort a list?</h2><p>Call &lt;sort&gt;
on it.<p>Twice.<h3>By key</h3><pre>a
  b</pre><h2>Else</h2><p>End.</p></body></html>"""


def page(html, is_faq=True):
    corpus = docfaq.Corpus()
    corpus.add_page(docfaq.html_page("page", html, is_faq))
    return corpus


class Sections(unittest.TestCase):
    def test_pod(self):
        self.assertEqual(pod_title(POD), "perlfaq4 - Data Manipulation")
        name, numbers, broken, other = pod_sections(POD)[1:]
        self.assertEqual(broken.path, ["Data: Numbers", "Why is int() broken?"])
        self.assertEqual(len(broken.paragraphs), 2)
        self.assertIn("Your $a->int is most probably <not> broken; see perlop", broken.paragraphs[0])
        self.assertEqual(broken.paragraphs[1], "    print int(0.6/0.2-2);")
        self.assertEqual((other.path, other.paragraphs), (["Other"], ["Nothing."]))

    def test_html(self):
        self.assertEqual(html_title(HTML), "Programming FAQ")
        sections = html_sections(HTML)[1:]
        self.assertEqual([s.heading for s in sections], ["Programming FAQ", "1.2. How do I sort a list?", "By key", "Else"])
        self.assertEqual(sections[1].paragraphs, ["Call <sort> on it.", "Twice."])
        self.assertEqual(sections[2].paragraphs, ["a\n  b"])
        self.assertEqual(sections[2].path, ["Programming FAQ", "1.2. How do I sort a list?", "By key"])


class Questions(unittest.TestCase):
    def test_a_heading_is_a_question(self):
        for heading in ("Why is it slow?", "How to sort a list", "I still don't get locking"):
            self.assertTrue(docfaq.is_question(heading), heading)
        for heading in ("Why?", "Data: Numbers", "Core language of it"):
            self.assertFalse(docfaq.is_question(heading), heading)

    def test_the_question_is_in_no_heading_of_its_answer(self):
        corpus = page(HTML.replace("Twice.", "words " * 20))
        self.assertEqual([q["question"] for q in corpus.questions], ["How do I sort a list?"])
        answer = [p for p in corpus.documents[0]["passages"] if p["section"] == corpus.questions[0]["section"]]
        self.assertEqual([p["headings"] for p in answer], [["Programming FAQ"], ["Programming FAQ", "By key"]])
        text = corpus.documents[0]["text"].encode()
        self.assertEqual(text[answer[1]["begin"]:answer[1]["end"]].decode(), "a\n  b")
        self.assertNotIn(b"How do I", text)

    def test_short_answers_and_other_pages_ask_nothing(self):
        self.assertEqual(page(HTML).questions, [])
        self.assertEqual(page(HTML.replace("Twice.", "words " * 20), is_faq=False).questions, [])

    def test_passages_are_whole_paragraphs_of_about_200_words(self):
        groups = list(docfaq.cut(["word " * 90] * 5 + ["word " * 900]))
        self.assertEqual([len(group) for group in groups], [2, 2, 1, 1])

    def test_pages_that_list_questions_are_left_out(self):
        for name in ("genindex-A.html", "contents.html", "faq/index.html"):
            self.assertIsNotNone(docfaq.PYTHON_LISTS.match(name), name)
        self.assertIsNone(docfaq.PYTHON_LISTS.match("faq/design.html"))
        for name in ("doclist.html", "keyword_index.html", "c3ref/funclist.html"):
            self.assertIsNotNone(docfaq.SQLITE_LISTS.match(name), name)
        self.assertIsNone(docfaq.SQLITE_LISTS.match("faq.html"))


if __name__ == "__main__":
    unittest.main()

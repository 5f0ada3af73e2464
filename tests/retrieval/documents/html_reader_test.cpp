#include <gtest/gtest.h>

#include <string>

#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

std::string page(const std::string& body) {
  return "<!DOCTYPE html><html><head><title>A  title</title></head><body>" + body;
}

Lines html(const std::string& body) { return described(read_document(page(body), "a.html")); }

TEST(HtmlReaderTest, TextWithItsStructure) {
  EXPECT_EQ(html("<h1>One</h1><p>Some <b>bold</b>\n and  &lt;more&gt;<br>text</p><h3>Th<i>ree</i></h3>loose"),
            (Lines{"h1 One", "p Some bold and <more>/text", "h3 Three", "p loose"}));
  EXPECT_EQ(read_document(page("<p>x"), "a.html").title, "A title");
}

TEST(HtmlReaderTest, WhatIsNotForReadingIsLeftOut) {
  EXPECT_EQ(html("<script>var x = '<p>no</p>'</script><style>p{}</style><nav><a>menu</a></nav>"
                 "<div role=navigation>side</div><h2>Name<a class=\"headerlink x\" href=#>¶</a></h2>"
                 "<svg><text>drawn</text></svg><p hidden>no</p><p>yes</p><!-- no --><img alt='A picture'>"),
            (Lines{"h2 Name", "p yes", "p A picture"}));
}

TEST(HtmlReaderTest, ListsNest) {
  EXPECT_EQ(html("<ul><li>a<ol><li>b<li>c</ol></li><li><p>d</p></ul>"),
            (Lines{"li1 a", "li2 b", "li2 c", "li1 d"}));
}

TEST(HtmlReaderTest, PreKeepsItsLines) {
  EXPECT_EQ(html("<pre>  a\n\n    b <b>c</b></pre><blockquote>said</blockquote>"),
            (Lines{"code   a//    b c", "q said"}));
}

TEST(HtmlReaderTest, TablesAreRowsAndTablesForLayoutAreNot) {
  EXPECT_EQ(html("<table><caption>Cap</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>two<br>lines</"
                 "td></tr></table>"),
            (Lines{"p Cap", "th a | b", "tr 1 | two lines"}));
  EXPECT_EQ(html("<table><tr><td>1</td><td>2</td></tr><tr><th>x</th><td>3</td></tr></table>"),
            (Lines{"tr 1 | 2", "tr x | 3"}));
  EXPECT_EQ(
      html("<table><tr><td><h2>Head</h2><p>Text</p><table><tr><td>in</td></tr></table></td></tr></table>"),
      (Lines{"h2 Head", "p Text", "tr in"}));
}

TEST(HtmlReaderTest, BlocksSayWhereTheyWere) {
  const std::string text = page("<h1>One</h1>\n<p>Some <b>words</b> here</p>");
  const Document document = read_document(text, "a.html");
  ASSERT_EQ(document.blocks.size(), 2U);
  EXPECT_EQ(text.substr(document.blocks[0].original.begin, 3), "One");
  const ByteRange place = document.blocks[1].original;
  EXPECT_EQ(text.substr(place.begin, place.end - place.begin), "Some <b>words</b> here");
}

TEST(HtmlReaderTest, TheDeclaredCharsetCounts) {
  EXPECT_EQ(read_document("<html><meta charset='iso-8859-2'><p>\xB1\xE6", "a.html").text, "ąć");
}

TEST(HtmlReaderTest, WhatWouldCostTooMuchIsRefused) {
  std::string deep = page("");
  for (int i = 0; i < 100'000; ++i) deep += "<div>";
  EXPECT_EQ(read_failure(deep, "a.html").kind, ReadFailure::Kind::over_limit);
  std::string copies = page("");
  for (int i = 0; i < 1'000; ++i) copies += "<font size=" + std::to_string(i) + ">";
  for (int i = 0; i < 10'000; ++i) copies += "<p>x";
  EXPECT_EQ(read_failure(copies, "a.html").kind, ReadFailure::Kind::over_limit);
  std::string forged = page("<svg><p>");  // the paragraph ends the drawing: these nest
  for (int i = 0; i < 100'000; ++i) forged += "<path/>";
  EXPECT_EQ(read_failure(forged, "a.html").kind, ReadFailure::Kind::over_limit);
}

TEST(HtmlReaderTest, ManyItemsThatAreNeverClosedAreNothingUnusual) {
  std::string list = page("<ul>");
  for (int i = 0; i < 20'000; ++i) list += "<li>item <a name=x>y<p>z";
  std::string drawing = page("<svg>");
  for (int i = 0; i < 20'000; ++i) drawing += "<path d='M0'/>";
  EXPECT_GT(read_document(list, "a.html").blocks.size(), 20'000U);
  EXPECT_EQ(read_document(drawing + "</svg><p>after", "a.html").text, "after");
}

}  // namespace

}  // namespace parley::retrieval::documents

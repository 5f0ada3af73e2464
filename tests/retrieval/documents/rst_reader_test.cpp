#include <gtest/gtest.h>

#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

Lines rst(const std::string& text) {
  const Document document = read_document(text, "a.rst");
  EXPECT_EQ(document.text, text);
  return described(document);
}

TEST(RstReaderTest, HeadingsRankInTheOrderOfTheirStyles) {
  EXPECT_EQ(rst("=====\nTitle\n=====\n\nPart\n----\n\nChapter\n~~~~~~~\n\nNext part\n---------\ntext\n"),
            (Lines{"h1 Title", "h2 Part", "h3 Chapter", "h2 Next part", "p text"}));
  EXPECT_EQ(read_document("=====\nTitle\n=====\n", "a.rst").title, "Title");
}

TEST(RstReaderTest, LiteralBlocksAreCode) {
  EXPECT_EQ(rst("Like this::\n\n    x = 1\n\n    y = 2\n\nafter\n\n.. code-block:: c\n   :linenos:\n\n   int "
                "a;\n\nend\n"),
            (Lines{"p Like this::", "code     x = 1//    y = 2", "p after",
                   "code .. code-block:: c/   :linenos://   int a;", "p end"}));
}

TEST(RstReaderTest, ListsNest) {
  EXPECT_EQ(rst("- a\n- b\n  more\n\n  * c\n\n#. d\n"),
            (Lines{"li1 - a", "li1 - b/  more", "li2 * c", "li1 #. d"}));
}

TEST(RstReaderTest, GridTables) {
  EXPECT_EQ(rst("+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n| 3 | 4 |\n+---+---+\n\nafter\n"),
            (Lines{"th +---+---+/| a | b |/+===+===+", "tr | 1 | 2 |/+---+---+", "tr | 3 | 4 |/+---+---+",
                   "p after"}));
}

TEST(RstReaderTest, SimpleTables) {
  EXPECT_EQ(rst("== ==\na  b\n== ==\n1  2\n3  4\n   5\n== ==\n\nafter\n"),
            (Lines{"th == ==/a  b/== ==", "tr 1  2", "tr 3  4/   5/== ==", "p after"}));
  EXPECT_EQ(rst("== ==\n1  2\n3  4\n== ==\n\nafter\n"), (Lines{"tr == ==/1  2", "tr 3  4/== ==", "p after"}));
}

}  // namespace

}  // namespace parley::retrieval::documents

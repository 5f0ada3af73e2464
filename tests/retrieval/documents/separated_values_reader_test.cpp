#include <gtest/gtest.h>

#include "tests/retrieval/documents/document_checks.h"

namespace parley::retrieval::documents {

namespace {

Lines csv(const std::string& text, const std::string& name = "a.csv") {
  const Document document = read_document(text, name);
  EXPECT_EQ(document.text, text);
  return described(document);
}

TEST(SeparatedValuesReaderTest, TheFirstRowNamesColumnsWhenItIsAllWords) {
  EXPECT_EQ(csv("name,price\npear,1.5\napple,2\n"), (Lines{"th name,price", "tr pear,1.5", "tr apple,2"}));
  EXPECT_EQ(csv("pear,1.5\napple,2\n"), (Lines{"tr pear,1.5", "tr apple,2"}));
  EXPECT_EQ(csv("only,one\n"), (Lines{"tr only,one"}));
}

TEST(SeparatedValuesReaderTest, AQuotedCellMayRunOverLines) {
  EXPECT_EQ(csv("a,b\n\"x\ny, \"\"z\"\"\",2\n3,4\n"), (Lines{"th a,b", "tr \"x/y, \"\"z\"\"\",2", "tr 3,4"}));
}

TEST(SeparatedValuesReaderTest, AQuoteThatIsNeverClosedMeansNothing) {
  EXPECT_EQ(csv("a,b\n\"open,1\n2,3\n"), (Lines{"th a,b", "tr \"open,1", "tr 2,3"}));
  EXPECT_EQ(csv("a,b\n5\" disk,1\n2,3\n"), (Lines{"th a,b", "tr 5\" disk,1", "tr 2,3"}));
}

TEST(SeparatedValuesReaderTest, OtherSeparators) {
  EXPECT_EQ(csv("a;b\n\"x;\ny\";1,5\n"), (Lines{"th a;b", "tr \"x;/y\";1,5"}));
  EXPECT_EQ(csv("a\tb\n1\t2\n", "a.tsv"), (Lines{"th a\tb", "tr 1\t2"}));
}

}  // namespace

}  // namespace parley::retrieval::documents

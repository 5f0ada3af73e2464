#include "retrieval/documents/xml_tree.h"

#include <gtest/gtest.h>

#include "retrieval/documents/format_error.h"

namespace parley::retrieval::documents {
namespace {

XmlTree parsed(const std::string& xml) { return {xml, ReadLimits(), "a.xml"}; }

ReadFailure::Kind xml_failure(const std::string& xml, const ReadLimits& limits = {}) {
  try {
    const XmlTree tree(xml, limits, "a.xml");
  } catch (const FormatError& error) {
    return error.kind();
  }
  return ReadFailure::Kind::unsupported;  // it was read
}

std::string nested(int depth) {
  std::string xml;
  for (int index = 0; index < depth; ++index) {
    xml += "<a>";
  }
  for (int index = 0; index < depth; ++index) {
    xml += "</a>";
  }
  return xml;
}

TEST(XmlTree, NamesElementsWithoutPrefixes) {
  const XmlTree tree = parsed("<w:a><x:b w:val='1' id='2' r:id='3'/>text<!-- no -->&amp;</w:a>");
  const XmlNode root = tree.root(), child = root.child("b");
  EXPECT_EQ(root.name(), "a");
  EXPECT_EQ(child.attribute("val"), "1");
  EXPECT_EQ(child.attribute("id"), "2");
  EXPECT_EQ(child.attribute("r:id"), "3");
  EXPECT_EQ(child.attribute("rel:id"), "3");
  EXPECT_EQ(child.attribute_int("val", 7), 1);
  EXPECT_EQ(child.attribute_int("none", 7), 7);
  EXPECT_EQ(root.all_text(), "text&");
  EXPECT_FALSE(root.child("c"));
  EXPECT_EQ(root.child("c").child("d").all_text(), "");
}

TEST(XmlTree, FindsElementsAtAnyDepthInsideOnly) {
  const XmlTree tree = parsed("<r><a><b/></a><c><d>x</d></c></r>");
  EXPECT_EQ(tree.root().find("d").all_text(), "x");
  EXPECT_FALSE(tree.root().child("a").find("d"));
}

TEST(XmlTree, ReadsUtf16) {
  std::string bytes = "\xFF\xFE";
  for (const char c : std::string("<?xml version='1.0' encoding='UTF-16'?><a>h")) {
    bytes += {c, '\0'};
  }
  bytes += std::string("\xE9\0<\0/\0a\0>\0", 10);
  EXPECT_EQ(parsed(bytes).root().all_text(), "h\u00E9");
}

TEST(XmlTree, ExpandsNoEntitiesOfADocument) {
  const XmlTree tree =
      parsed("<!DOCTYPE a [<!ENTITY b \"boom\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]><a>&b;&c;</a>");
  EXPECT_EQ(tree.root().all_text(), "&b;&c;");
}

TEST(XmlTree, LimitsDepth) {
  ReadLimits limits;
  limits.max_depth = 10;
  EXPECT_EQ(xml_failure(nested(10), limits), ReadFailure::Kind::unsupported);
  EXPECT_EQ(xml_failure(nested(11), limits), ReadFailure::Kind::over_limit);
  EXPECT_EQ(xml_failure(nested(1'000'000)), ReadFailure::Kind::over_limit);
}

TEST(XmlTree, LimitsMemory) {
  std::string xml = "<a>";
  for (int index = 0; index < 13'000'000; ++index) {
    xml += "<b/>";
  }
  EXPECT_EQ(xml_failure(xml + "</a>"), ReadFailure::Kind::over_limit);
}

TEST(XmlTree, ReportsBrokenXmlAsDamaged) {
  for (const char* xml : {"", "text", "<a>", "<a></b>", "<a b=>", "<!DOCTYPE a [", "<a><![CDATA[x"}) {
    EXPECT_EQ(xml_failure(xml), ReadFailure::Kind::damaged) << xml;
  }
}

}  // namespace
}  // namespace parley::retrieval::documents

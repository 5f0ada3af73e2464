#include "orchestration/tools/tool_content.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "inference/json/json_writer.h"

namespace parley::orchestration::tools {
namespace {

using Status = ToolResult::Status;

ToolResult content(std::string_view json, std::size_t max_text = 1000) {
  return content_result(boost::json::parse(json), max_text, {"sesame-42"});
}

TEST(ToolContent, JoinsTextAndDecodesImages) {
  const ToolResult result = content(R"({"content":[{"type":"text","text":"a"},
      {"type":"image","data":"aGVsbG8=","mimeType":"image/png"},{"type":"text","text":"b sesame-42"}]})");
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.text, "a\n[image 1]\nb [redacted]");
  ASSERT_EQ(result.images.size(), 1u);
  EXPECT_EQ(result.images[0].media_type, "image/png");
  EXPECT_EQ(result.images[0].bytes, "hello");
}

TEST(ToolContent, NamesWhatItCannotShow) {
  const ToolResult result = content(R"([{"type":"image","data":"!","mimeType":"image/png"},
      {"type":"image","data":"aGVsbG8=","mimeType":"image/svg+xml"},{"type":"audio","data":"x"},
      {"type":"resource_link","uri":"file:///a","name":"A"},{"type":"resource","resource":{"uri":"x:y","text":"T"}},
      {"type":"resource","resource":{"uri":"x:y","blob":"aa"}},{"type":"resource"},1,{}])");
  EXPECT_TRUE(result.images.empty());
  EXPECT_EQ(result.text,
            "[an image that cannot be read]\n[an image that cannot be shown]\n"
            "[a part of type \"audio\", which cannot be shown]\nA: file:///a\nT\n[resource x:y]\n"
            "[a resource that cannot be read]\n[a part that cannot be read]\n"
            "[a part of type \"\", which cannot be shown]");
}

TEST(ToolContent, BoundsImagesAndText) {
  std::string many = "[";
  for (int i = 0; i < 20; ++i) many += R"({"type":"image","data":"aGVsbG8=","mimeType":"image/png"},)";
  many.back() = ']';
  EXPECT_EQ(content(many).images.size(), 8u);
  const ToolResult cut = content(R"([{"type":"text","text":")" + std::string(5000, 'x') + R"("}])", 100);
  EXPECT_EQ(cut.cut_bytes, 4900u);
}

TEST(ToolContent, StructuredContentStandsInForText) {
  const ToolResult result = content(R"({"content":[],"structuredContent":{"t":20,"k":"sesame-42"}})");
  EXPECT_EQ(result.text, R"({"t":20,"k":"[redacted]"})");
  ASSERT_TRUE(result.structured.has_value());
  EXPECT_EQ(inference::json::to_json_text(*result.structured), result.text);
}

TEST(ToolContent, WithoutContentItIsAnError) {
  for (const char* json : {"{}", "1", "{\"content\":{}}", "\"x\""}) {
    EXPECT_EQ(content(json).status, Status::error) << json;
    EXPECT_NE(content(json).text, "") << json;
  }
  EXPECT_EQ(content(R"({"content":[],"isError":false})").status, Status::ok);
}

}  // namespace
}  // namespace parley::orchestration::tools

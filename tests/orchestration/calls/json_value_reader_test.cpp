#include "orchestration/calls/json_value_reader.h"

#include <gtest/gtest.h>

namespace parley::orchestration::calls {
namespace {

const Markers kClose = {"</tool_call>"};

// The JSON and what is left, in pieces of one byte.
std::string read_all(std::string_view text) {
  const MarkerSymbols symbols{{}};
  JsonValueReader reader(symbols, kClose);
  CallInput input;
  std::string out;
  auto status = JsonValueReader::Status::more;
  for (std::size_t i = 0; i < text.size() && status == JsonValueReader::Status::more; ++i) {
    input.append(text.substr(i, 1));
    status = reader.read(input, out);
  }
  input.end();
  if (status == JsonValueReader::Status::more) status = reader.read(input, out);
  return status == JsonValueReader::Status::bad ? "bad: " + reader.problem() : out;
}

TEST(JsonValueReader, CopiesToTheLetter) {
  const std::string json = R"({ "a" :[1,2.0, 1e5 ],"b":"\u00e9 é </tool_call>" })";
  EXPECT_EQ(read_all(json + "rest"), json);
}

TEST(JsonValueReader, EscapesRawControlCharactersInStrings) {
  EXPECT_EQ(read_all("{\"a\": \"x\ny\tz\x01\"}"), R"({"a": "x\ny\tz\u0001"})");
}

TEST(JsonValueReader, TakesDoubledBracesAsOne) {
  EXPECT_EQ(read_all(R"({{"a": {{"b": 1}}, "c": {}}})"), R"({"a": {"b": 1}, "c": {}})");
  EXPECT_EQ(read_all(R"({{"a": 1}})"), R"({"a": 1})");
  EXPECT_EQ(read_all(R"({"a": {{"b": 1}}})"), R"({"a": {"b": 1}})");
}

TEST(JsonValueReader, EndsAStringThatWasNeverEndedAtTheClosingMarker) {
  EXPECT_EQ(read_all("{\"a\": \"x\n</tool_call>"), "bad: a string is not ended at byte 8");
  EXPECT_EQ(read_all("{\"a\": \"x </tool_call> y\"}"), "{\"a\": \"x </tool_call> y\"}");
  EXPECT_EQ(read_all("{\"a\": \"x\n</tool_call>\n<tool_call>{\"b\": 1}"),
            "bad: a string is not ended at byte 8")
      << "the next quote is another call's";
}

TEST(JsonValueReader, GoesOnBehindAClosingMarkerInAStringThatEnds) {
  EXPECT_EQ(read_all("{\"a\": \"x\n</tool_call>\n y\", \"b\": [1]}</tool_call>"),
            R"({"a": "x\n</tool_call>\n y", "b": [1]})");
  EXPECT_EQ(read_all("{\"a\": \"\n</tool_call>\n</tool_call>\\\"\"}"),
            R"({"a": "\n</tool_call>\n</tool_call>\""})");
}

TEST(JsonValueReader, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(read_all("{\"a\" 1}"), "bad: a colon was expected at byte 5");
  EXPECT_EQ(read_all("{\"a\": 1"), "bad: the output ended inside it");
  EXPECT_EQ(read_all("{\"a\": \"\\\n\"}"), "bad: an escape in a string is not one of JSON at byte 8");
}

TEST(JsonValueReader, TakesNoMoreThanItIsAllowedTo) {
  const MarkerSymbols symbols{{}};
  JsonValueReader reader(symbols, kClose);
  CallInput input;
  input.append("{\"a\": 1}");
  std::string out;
  EXPECT_EQ(reader.read(input, out, 3), JsonValueReader::Status::more);
  EXPECT_EQ(out, "{\"a");
  EXPECT_EQ(reader.read(input, out), JsonValueReader::Status::done);
}

}  // namespace
}  // namespace parley::orchestration::calls

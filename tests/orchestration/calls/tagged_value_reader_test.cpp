// Where a value between tags ends.

#include "orchestration/calls/tagged_value_reader.h"

#include <gtest/gtest.h>

#include "tests/orchestration/calls/parse_helper.h"

namespace parley::orchestration::calls {
namespace {

// What was read, a bar where it ended, and what is left; in pieces of one byte and in one.
std::string read_value(ValueForm form, std::string_view text, const std::string& family = "seed-oss",
                       std::size_t reread = kMaxReread) {
  const CallFormat& format = *find_call_format(family);
  const MarkerSymbols symbols{{}};
  const ToolSchemas tools(sample_tools());
  const CallContext context{format, symbols, tools};
  const TagGrammar grammar(format);
  std::vector<std::string> outcomes;
  for (const std::size_t size : {std::size_t{1}, text.size()}) {
    TaggedValueReader reader(context, grammar, form);
    CallInput input;
    input.note_reread(kMaxReread - reread);
    std::string out;
    auto status = TaggedValueReader::Status::more;
    std::string_view rest = text;
    while (!rest.empty() && status == TaggedValueReader::Status::more) {
      input.append(rest.substr(0, size));
      rest.remove_prefix(std::min(size, rest.size()));
      status = reader.read(input, out);
    }
    if (status == TaggedValueReader::Status::more) {
      input.end();
      status = reader.read(input, out);
    }
    const bool is_done = status == TaggedValueReader::Status::done;
    outcomes.push_back(out + (is_done ? "|" : "") + std::string(input.text()) + std::string(rest));
  }
  EXPECT_EQ(outcomes[0], outcomes[1]);
  return outcomes[0];
}

TEST(TaggedValueReader, EndsAtATagBehindWhichTheFormatGoesOn) {
  const auto text = [](std::string_view value) { return read_value(ValueForm::text, value); };
  EXPECT_EQ(text("a</parameter>\n<parameter=b>"), "a|\n<parameter=b>");
  EXPECT_EQ(text("a </parameter> b</parameter>\n</function>\n</seed:tool_call>"),
            "a </parameter> b|\n</function>\n</seed:tool_call>");
  EXPECT_EQ(text("a</parameter>\n</function>"), "a|\n</function>");
  EXPECT_EQ(text("a</function>\n</seed:tool_call>"), "a|</function>\n</seed:tool_call>")
      << "the value's own was forgotten";
  EXPECT_EQ(text("a</parameter> b"), "a</parameter> b") << "nothing ends it";
}

TEST(TaggedValueReader, GoesOnBehindAClosedCallWhenThatIsClosedOnceMore) {
  const auto text = [](std::string_view value) { return read_value(ValueForm::text, value); };
  EXPECT_EQ(text("a</parameter></function> b</parameter>\n</function></seed:tool_call>"),
            "a</parameter></function> b|\n</function></seed:tool_call>");
  EXPECT_EQ(text("a</parameter></function>b</parameter></function>c</parameter><parameter=x>"),
            "a</parameter></function>b</parameter></function>c|<parameter=x>");
}

TEST(TaggedValueReader, IsOverAtAClosedCallBehindWhichTextComes) {
  const auto text = [](std::string_view value) { return read_value(ValueForm::text, value); };
  EXPECT_EQ(text("a</parameter>\n</function>\nDone."), "a|\n</function>\nDone.");
  EXPECT_EQ(text("a</parameter></function> Next: <function=now></function>"),
            "a|</function> Next: <function=now></function>");
  EXPECT_EQ(
      text("a</parameter></function> Next: <function=calculator>\n<parameter=x>b</parameter></function>"),
      "a|</function> Next: <function=calculator>\n<parameter=x>b</parameter></function>");
  EXPECT_EQ(text("a</parameter></function> Like "
                 "<function=foo><parameter=x>b</parameter></function></seed:tool_call>"),
            "a</parameter></function> Like <function=foo><parameter=x>b|</function></seed:tool_call>")
      << "no tool of that name was offered: it is text";
}

TEST(TaggedValueReader, FollowsJsonThroughItsStrings) {
  const std::string json =
      R"(["</parameter></function></seed:tool_call>", {"</parameter><parameter=": "\"</function>"}])";
  const std::string behind = "|\n<parameter=b>";
  for (const ValueForm form : {ValueForm::json, ValueForm::some_json}) {
    EXPECT_EQ(read_value(form, json + "</parameter>\n<parameter=b>"), json + behind);
    EXPECT_EQ(read_value(form, " " + json + " </parameter>\n<parameter=b>"), " " + json + " " + behind);
  }
  EXPECT_EQ(read_value(ValueForm::text, json + "</parameter>\n<parameter=b>").substr(0, 3), "[\"|");
  EXPECT_EQ(read_value(ValueForm::json, R"("a</parameter><parameter=b>"</parameter></function>)"),
            R"("a</parameter><parameter=b>"|</function>)");
}

TEST(TaggedValueReader, TakesTheFirstEndWhereTheJsonBreaks) {
  for (const ValueForm form : {ValueForm::json, ValueForm::some_json}) {
    EXPECT_EQ(read_value(form, "[\"a</parameter>\n<parameter=b>\"]"), "[\"a|\n<parameter=b>\"]")
        << "no newline stands in a string";
    EXPECT_EQ(read_value(form, "[\"a</parameter><parameter=b>c\" d"), "[\"a|<parameter=b>c\" d");
    EXPECT_EQ(read_value(form, "[\"a</parameter></function></seed:tool_call>"),
              "[\"a|</function></seed:tool_call>");
    EXPECT_EQ(read_value(form, "[\"a</parameter><parameter=b>\"] c</parameter>"),
              "[\"a|<parameter=b>\"] c</parameter>")
        << "complete, but no end follows";
  }
}

TEST(TaggedValueReader, IsOverWithItsJson) {
  EXPECT_EQ(read_value(ValueForm::json, "[1]</parameter> b"), "[1]| b");
  EXPECT_EQ(read_value(ValueForm::some_json, "[1]</parameter> b"), "[1]</parameter> b");
  EXPECT_EQ(read_value(ValueForm::some_json, "[1]</parameter></function> b"), "[1]|</function> b");
  EXPECT_EQ(read_value(ValueForm::some_json, "[1] a</parameter></function> b</parameter></function>"),
            "[1] a</parameter></function> b|</function>");
}

TEST(TaggedValueReader, LeavesTheNewlinesAroundAValueToItsTags) {
  const auto coder = [](ValueForm form, std::string_view value) {
    return read_value(form, value, "qwen3-coder");
  };
  EXPECT_EQ(
      coder(ValueForm::text, "a\n</parameter>\n</function>\nb\n\n</parameter>\n</function>\n</tool_call>"),
      "a\n</parameter>\n</function>\nb\n|\n</function>\n</tool_call>");
  EXPECT_EQ(coder(ValueForm::json, "[\"a</parameter></function>\"]\n</parameter>\n</function>"),
            "[\"a</parameter></function>\"]|\n</function>");
  EXPECT_EQ(coder(ValueForm::json, "[\"a\n</parameter>\n</function>"), "[\"a|\n</function>");
}

TEST(TaggedValueReader, LooksAheadNoFurtherThanItMayReadAgain) {
  const std::string text = "a</parameter></function> b</parameter></function></seed:tool_call>";
  EXPECT_EQ(read_value(ValueForm::text, text, "seed-oss", 26),
            "a</parameter></function> b|</function></seed:tool_call>");
  EXPECT_EQ(read_value(ValueForm::text, text, "seed-oss", 20),
            "a|</function> b</parameter></function></seed:tool_call>");
}

}  // namespace
}  // namespace parley::orchestration::calls

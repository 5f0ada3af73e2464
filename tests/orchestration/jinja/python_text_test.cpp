#include "orchestration/jinja/python_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

TEST(PythonText, FloatsLookAsInPython) {
  const std::pair<double, const char*> cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {100.0, "100.0"},
      {0.1, "0.1"},
      {1.5, "1.5"},
      {123456.789, "123456.789"},
      {1e15, "1000000000000000.0"},
      {1e16, "1e+16"},
      {1.5e16, "1.5e+16"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {1.5e-7, "1.5e-07"},
      {1e100, "1e+100"},
      {1e-300, "1e-300"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {2.0 / 3.0, "0.6666666666666666"},
      {9007199254740993.0, "9007199254740992.0"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(format_float(number), text);
  EXPECT_EQ(format_float(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(format_float(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(format_float(std::nan("")), "nan");
}

TEST(PythonText, FloatsReadBackAsTheSameNumber) {
  std::mt19937_64 random(42);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof(number));
    if (!std::isfinite(number)) continue;
    ASSERT_EQ(std::strtod(format_float(number).c_str(), nullptr), number);
  }
}

TEST(PythonText, StringsAreQuotedAsInPython) {
  const auto shown = [](const std::string& text) {
    return render_text("{{ [x] }}", {{"x", Value::text(text, 1)}});
  };
  EXPECT_EQ(shown("plain"), "['plain']");
  EXPECT_EQ(shown("it's"), "[\"it's\"]");
  EXPECT_EQ(shown("say \"x\""), "['say \"x\"']");
  EXPECT_EQ(shown("it's \"x\""), "['it\\'s \"x\"']");
  EXPECT_EQ(shown("a\\b\n\r\t"), "['a\\\\b\\n\\r\\t']");
  EXPECT_EQ(shown(std::string("\0\x1f\x7f", 3)), "['\\x00\\x1f\\x7f']");
  EXPECT_EQ(shown("é \u200b \U000e0001 😀"), "['é \\u200b \\U000e0001 😀']");
}

TEST(PythonText, UndefinedSaysWhatIsMissing) {
  EXPECT_EQ(describe({"", "x"}), "'x' is undefined");
  EXPECT_EQ(describe({"dict", "x"}), "'dict object' has no attribute 'x'");
  EXPECT_EQ(describe({"NoneType", "x"}), "'None' has no attribute 'x'");
  EXPECT_EQ(describe({"", ""}), "the value is undefined");
}

TEST(PythonText, ObjectsHaveAName) {
  EXPECT_EQ(render_text("{{ namespace() }}{{ range }}{{ [''.strip] }}"),
            "<Namespace object><function object>[<method object>]");
}

}  // namespace
}  // namespace parley::orchestration::jinja

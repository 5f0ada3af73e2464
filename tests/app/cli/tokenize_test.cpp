#include <gtest/gtest.h>

#include "tests/app/cli/program_run.h"
#include "tests/app/cli/tiny_model_file.h"

namespace parley::app::cli {
namespace {

class TokenizeTest : public testing::Test {
 protected:
  Outcome tokenize(const std::string& input, const Arguments& more = {}) {
    Arguments arguments{"tokenize", "--model", file_.name()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments, input);
  }

  TinyModelFile file_;
};

TEST_F(TokenizeTest, PrintsIdsOfText) {
  EXPECT_EQ(tokenize("!\"#A").out, "0 1 2 32\n");
  EXPECT_EQ(tokenize("!\"#A", {"--json"}).out, "{\"ids\":[0,1,2,32]}\n");
  EXPECT_EQ(tokenize("").out, "\n");
  EXPECT_EQ(tokenize("", {"--json"}).out, "{\"ids\":[]}\n");
}

TEST_F(TokenizeTest, TurnsIdsBackIntoText) {
  for (const char* ids :
       {"0 1 2 32", "0,1,2,32", "{\"ids\":[0,1,2,32]}\n", "[0, 1, 2, 32]", "\n0\t1 2 32 "}) {
    EXPECT_EQ(tokenize(ids, {"--decode"}).out, "!\"#A") << ids;
  }
}

TEST_F(TokenizeTest, TextAsJsonIsAlwaysValid) {
  EXPECT_EQ(tokenize("0 1 2 32", {"--decode", "--json"}).out, "{\"text\":\"!\\\"#A\"}\n");
  EXPECT_EQ(tokenize("", {"--decode", "--json"}).out, "{\"text\":\"\"}\n");
}

TEST_F(TokenizeTest, NamesTheIdThatIsNone) {
  for (const char* id : {"64", "-1", "99999999999999999999", "abc", "1x", "1.5", "1e1", "]"}) {
    const Outcome result = tokenize("0 " + std::string(id), {"--decode"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("token ids go from 0 to 63; the input has \"" + std::string(id) + "\""),
              std::string::npos)
        << result.err;
  }
}

}  // namespace
}  // namespace parley::app::cli

// Mutated templates over odd contexts: whatever happens is a text or a TemplateError, and the runs cover the
// text.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "orchestration/jinja/parse_json.h"
#include "tests/orchestration/jinja/fuzz_words.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

const std::vector<std::string> kContexts = {
    R"({"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "hé"}], "tools": null})",
    R"({"messages": [{"role": "user", "content": null}, {"role": null}], "tools": [{"name": "f", "a": [1.5, true]}]})",
    R"({"messages": [], "tools": {}})",
    R"({"messages": "text", "tools": 5})",
    R"({"messages": [1, [2, [3]], "x", {"content": {"role": []}}], "tools": [[]]})",
    R"({})",
};

std::vector<std::string> real_templates() {
  std::vector<std::string> sources;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(PARLEY_SOURCE_DIR) +
                                                               "/tests/goldens/jinja/templates")) {
    std::ifstream file(entry.path(), std::ios::binary);
    sources.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return sources;
}

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::string fresh() {
    std::string source;
    for (std::size_t i = 1 + below(25); i > 0; --i) source += kFuzzPieces[below(kFuzzPieces.size())];
    return source;
  }

  std::string mutate(std::string source) {
    for (std::size_t i = 1 + below(4); i > 0; --i) {
      const std::size_t at = below(source.size() + 1);
      const std::size_t size = std::min(below(12), source.size() - at);
      switch (below(4)) {
        case 0:
          source.insert(at, kFuzzPieces[below(kFuzzPieces.size())]);
          break;
        case 1:
          source.erase(at, size);
          break;
        case 2:
          source.replace(at, size, kFuzzPieces[below(kFuzzPieces.size())]);
          break;
        default:
          source.insert(at, source.substr(below(source.size() + 1), below(60)));
      }
    }
    return source;
  }

 private:
  std::mt19937 random_;
};

class FuzzRun {
 public:
  FuzzRun() {
    limits_.max_steps = 20'000;
    limits_.max_output_bytes = 1 << 20;
    limits_.max_memory_bytes = 8 << 20;
    for (const std::string& context : kContexts) contexts_.push_back(*parse_json(context, 9));
  }

  void render(const std::string& source, std::size_t context) {
    try {
      const Rendered rendered =
          parse_template(source)->render(contexts_[context % contexts_.size()], limits_);
      std::size_t end = 0;
      for (const OriginRun& run : rendered.runs) {
        ASSERT_EQ(run.begin, end) << source;
        ASSERT_LT(run.begin, run.end) << source;
        end = run.end;
      }
      ASSERT_EQ(end, rendered.text.size()) << source;
      ++rendered_;
    } catch (const TemplateError& error) {
      ASSERT_NE(std::string(error.what()), "") << source;
      ++failed_;
    }
  }

  std::size_t num_rendered() const { return rendered_; }
  std::size_t num_failed() const { return failed_; }

 private:
  RenderLimits limits_;
  std::vector<Value> contexts_;
  std::size_t rendered_ = 0;
  std::size_t failed_ = 0;
};

TEST(Fuzz, MutatedRealTemplatesRenderOrFail) {
  const std::vector<std::string> sources = real_templates();
  ASSERT_FALSE(sources.empty());
  FuzzRun run;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    Mutator mutator(seed);
    run.render(mutator.mutate(sources[mutator.below(sources.size())]), mutator.below(kContexts.size()));
  }
  EXPECT_GT(run.num_rendered(), 200u);
  EXPECT_GT(run.num_failed(), 1000u);
}

TEST(Fuzz, RandomTemplatesRenderOrFail) {
  FuzzRun run;
  for (std::uint32_t seed = 0; seed < 8000; ++seed) {
    Mutator mutator(seed);
    run.render(mutator.fresh(), mutator.below(kContexts.size()));
  }
  EXPECT_GT(run.num_rendered(), 100u);
  EXPECT_GT(run.num_failed(), 1000u);
}

// Small whole expressions, so that more than the parser is reached.
TEST(Fuzz, RandomExpressionsRenderOrFail) {
  FuzzRun run;
  for (std::uint32_t seed = 0; seed < 8000; ++seed) {
    Mutator mutator(seed);
    std::string expression = kFuzzOperands[mutator.below(kFuzzOperands.size())];
    for (std::size_t i = mutator.below(5); i > 0; --i)
      expression = "(" + expression + kFuzzSuffixes[mutator.below(kFuzzSuffixes.size())] + ")";
    run.render("{{ " + expression + " }}", mutator.below(kContexts.size()));
  }
  EXPECT_GT(run.num_rendered(), 2000u);
  EXPECT_GT(run.num_failed(), 1000u);
}

}  // namespace
}  // namespace parley::orchestration::jinja

// Mutated templates over odd contexts: whatever happens is a text or a TemplateError, and the runs cover the
// text.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "orchestration/jinja/value_json.h"
#include "tests/orchestration/jinja/render_helper.h"

namespace parley::orchestration::jinja {
namespace {

const std::vector<std::string> kPieces = {
    "{{ ",
    " }}",
    "{% ",
    " %}",
    "{%- ",
    "-}}",
    "{#",
    "#}",
    "{% if ",
    "{% else %}",
    "{% endif %}",
    "{% for m in messages %}",
    "{% endfor %}",
    "{% set x = ",
    "{% endset %}",
    "{% macro f(a, b=1) %}",
    "{% endmacro %}",
    "{{ f(",
    "{% call f() %}",
    "{% endcall %}",
    "{% break %}",
    "{% raw %}",
    "{% endraw %}",
    "{% filter upper %}",
    "{% endfilter %}",
    "{% set ns.x = ",
    "namespace(x=1)",
    "messages",
    "tools",
    ".role",
    ".content",
    "['content']",
    "[::-1]",
    "[1:]",
    "[-1]",
    "[0]",
    "|tojson",
    "|trim",
    "|length",
    "|list",
    "|join(', ')",
    "|first",
    "|last",
    "|map('upper')",
    "|selectattr('role')",
    "|sort",
    "|string",
    "|int",
    "|default('')",
    "|replace('a', 'b')",
    "|indent(2)",
    ".split('a')",
    ".items()",
    " is defined",
    " is string",
    " is not none",
    " in ",
    " and ",
    " or ",
    " not ",
    " if ",
    " else ",
    " == ",
    " + ",
    " ~ ",
    " * ",
    " // ",
    " % ",
    " ** ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "'",
    "\"",
    "\\",
    "1",
    "0",
    "-1",
    "99999999999",
    "1.5",
    "none",
    "true",
    "loop.index",
    "loop.last",
    "range(5)",
    "'text'",
    "'é😀'",
    "\n",
    "  ",
    "*",
    "**",
    "=",
    ".",
    "|",
    "\xff",
    "raise_exception('x')",
};

const std::vector<std::string> kContexts = {
    R"({"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "hé"}], "tools": null})",
    R"({"messages": [{"role": "user", "content": null}, {"role": null}], "tools": [{"name": "f", "a": [1.5, true]}]})",
    R"({"messages": [], "tools": {}})",
    R"({"messages": "text", "tools": 5})",
    R"({"messages": [1, [2, [3]], "x", {"content": {"role": []}}], "tools": [[]]})",
    R"({})",
};

const std::vector<std::string> kOperands = {
    "messages", "tools",          "messages[0]",      "'tExt é'", "5",    "-2",     "1.5",
    "none",     "[1, 'a', none]", "{'k': 'v', 1: 2}", "missing",  "true", "(1, 2)", "''"};

const std::vector<std::string> kSuffixes = {"|tojson",
                                            "|trim('t')",
                                            "|length",
                                            "|list",
                                            "|join('-')",
                                            "|first",
                                            "|last",
                                            "|sort",
                                            "|unique|list",
                                            "|string",
                                            "|int",
                                            "|float",
                                            "|default('d', true)",
                                            "|replace('t', 'é')",
                                            "|indent(1, true)",
                                            "|title",
                                            "|capitalize",
                                            "|map('string')|list",
                                            "|select('string')|list",
                                            "|reject('none')|list",
                                            "|selectattr('role')|list",
                                            "|map(attribute='role')|list",
                                            "|dictsort",
                                            "|items|list",
                                            "|batch(2)|list",
                                            "|round(1)",
                                            "|abs",
                                            "|sum",
                                            "|min",
                                            "|max",
                                            "|e",
                                            "|wordcount",
                                            "|reverse|list",
                                            "[0]",
                                            "[-1]",
                                            "[::-2]",
                                            "[1:9]",
                                            ".role",
                                            "['content']",
                                            ".split()",
                                            ".split('t', 1)",
                                            ".rsplit(none, 1)",
                                            ".strip()",
                                            ".items()|list",
                                            ".get('k')",
                                            ".upper()",
                                            ".find('t')",
                                            ".splitlines()",
                                            ".partition('t')",
                                            ".title()",
                                            ".center(9)",
                                            ".zfill(5)",
                                            ".isalpha()",
                                            ".startswith('t')",
                                            ".count('t')",
                                            ".pop()",
                                            " is defined",
                                            " is sequence",
                                            " is iterable",
                                            " is mapping",
                                            " is odd",
                                            " is upper",
                                            " is sameas none",
                                            " ~ 'x'",
                                            " + 1",
                                            " * 2",
                                            " % 3",
                                            " // 2",
                                            " ** 2",
                                            " / 2",
                                            " == none",
                                            " < 3",
                                            " in [1]",
                                            " in 'abc'",
                                            " and 1",
                                            " or 2",
                                            " if tools else 3",
                                            " - 0.5"};

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
    for (std::size_t i = 1 + below(25); i > 0; --i) source += kPieces[below(kPieces.size())];
    return source;
  }

  std::string mutate(std::string source) {
    for (std::size_t i = 1 + below(4); i > 0; --i) {
      const std::size_t at = below(source.size() + 1);
      const std::size_t size = std::min(below(12), source.size() - at);
      switch (below(4)) {
        case 0:
          source.insert(at, kPieces[below(kPieces.size())]);
          break;
        case 1:
          source.erase(at, size);
          break;
        case 2:
          source.replace(at, size, kPieces[below(kPieces.size())]);
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
    std::string expression = kOperands[mutator.below(kOperands.size())];
    for (std::size_t i = mutator.below(5); i > 0; --i)
      expression = "(" + expression + kSuffixes[mutator.below(kSuffixes.size())] + ")";
    run.render("{{ " + expression + " }}", mutator.below(kContexts.size()));
  }
  EXPECT_GT(run.num_rendered(), 2000u);
  EXPECT_GT(run.num_failed(), 1000u);
}

}  // namespace
}  // namespace parley::orchestration::jinja

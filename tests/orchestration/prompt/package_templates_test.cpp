// Answers with calls in the prompts of the chat templates that scripts/test fetches from packages: a prompt
// with the ids that were generated for it is the beginning of the next one, so that nothing of it is computed
// again. Skipped where the templates are not there.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "orchestration/jinja/template.h"
#include "orchestration/prompt/prompt_builder.h"
#include "orchestration/prompt/template_probe.h"
#include "tests/orchestration/prompt/chat_helper.h"

namespace parley::orchestration::prompt {
namespace {

constexpr const char* kFolder = "build/tools/templates";
// Command R+ refuses parameters without a description.
const ToolDescription kDescribedTool = {
    "get_weather", "Weather of a city.",
    R"({"type": "object", "properties": {"city": {"type": "string", "description": "Its name"}}})"};
constexpr const char* kGenerated = "I call <get_weather> of Paris";

// Those that do not go on behind the first call of a turn, and why. docs/developing.md tells what that costs.
const std::vector<std::string> kRendered = {
    "CohereForAI-c4ai-command-r-plus-tool_use.jinja",  // writes its demands behind the last message only
    "fireworks-ai-llama-3-firefunction-v2.jinja",      // wants tools in a variable of its own
    "llama-cpp-deepseek-r1.jinja",                     // makes JSON of a generator, which Jinja refuses
};
// Only those that do not behind the second one: they change what stands before it.
const std::vector<std::string> kRenderedAgain = {
    "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use.jinja",  // a newline behind a result that is not the last
    "NousResearch-Hermes-3-Llama-3.1-8B-tool_use.jinja",    // the same
    "deepseek-ai-DeepSeek-R1-Distill-Llama-8B.jinja",       // the results end only where nothing follows them
    "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B.jinja",       // the same
    "tokenizer-deepseek_v3.jinja",                          // the same
};

// Knows the tokens that end turns in these templates.
class EndsTokenizer final : public fakes::FakeTokenizer {
 public:
  EndsTokenizer() : special_(FakeTokenizer::special_tokens()) {
    for (std::size_t i = 0; i < std::size(kNames); ++i)
      special_.stops.push_back(vocab_size() + static_cast<TokenId>(i));
  }
  std::string_view token_bytes(TokenId id) const override {
    if (id < vocab_size()) return FakeTokenizer::token_bytes(id);
    return kNames[static_cast<std::size_t>(id - vocab_size())];  // text is never tokenized to these
  }
  const inference::tokenizer::SpecialTokens& special_tokens() const override { return special_; }

 private:
  static constexpr std::string_view kNames[] = {
      "<|eot_id|>", "<|eot|>",        "<|END_OF_TURN_TOKEN|>", "<|calls|>",
      "[e~[",       "<|end_of_msg|>", "<｜end▁of▁sentence｜>"};
  inference::tokenizer::SpecialTokens special_;
};

const EndsTokenizer kEndsTokenizer;

std::vector<std::filesystem::path> fetched_templates() {
  std::vector<std::filesystem::path> paths;
  if (!std::filesystem::is_directory(kFolder)) return paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".jinja") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Resumed {
 public:
  explicit Resumed(const std::string& source) : builder_(make_prompt_builder(source, kEndsTokenizer)) {}

  // Absent where the template refuses.
  std::optional<std::vector<std::int32_t>> ids(std::vector<ChatMessage> messages) const {
    PromptRequest request;
    request.messages = std::move(messages);
    request.max_prompt_tokens = 1'000'000;
    request.tools = {kDescribedTool};
    try {
      return std::get<Prompt>(builder_->build(request)).ids;
    } catch (const jinja::TemplateError&) {
      return std::nullopt;
    }
  }

  // Whether the prompt behind the first or second call of a turn begins with all that was there before.
  bool goes_on(int call) const {
    ChatMessage called = assistant_calls({kParisCall});
    called.token_ids = fakes::byte_ids(kGenerated);
    std::vector<ChatMessage> chat = {user_says("Weather?")};
    if (call > 1) chat.insert(chat.end(), {called, tool_says("hot")});
    auto cached = ids(chat);
    chat.insert(chat.end(), {called, tool_says("cold")});
    const auto resumed = ids(chat);
    if (!cached || !resumed) return false;
    cached->insert(cached->end(), called.token_ids.begin(), called.token_ids.end());
    return resumed->size() > cached->size() && std::equal(cached->begin(), cached->end(), resumed->begin());
  }

 private:
  std::unique_ptr<PromptBuilder> builder_;
};

bool is_listed(const std::vector<std::string>& names, const std::filesystem::path& path) {
  return std::find(names.begin(), names.end(), path.filename().string()) != names.end();
}

TEST(PackageTemplates, GoOnBehindAnAnswerWithCalls) {
  const auto paths = fetched_templates();
  if (paths.empty()) GTEST_SKIP() << "NOT COMPARED: " << kFolder << " is not there; scripts/test fetches it";
  std::size_t num_rendered = 0;
  for (const auto& path : paths) {
    const Resumed chat(text_of(path));
    const bool first = chat.goes_on(1);
    const bool second = first && chat.goes_on(2);
    num_rendered += first && second ? 0 : 1;
    EXPECT_EQ(first, !is_listed(kRendered, path)) << path;
    EXPECT_EQ(second, first && !is_listed(kRenderedAgain, path)) << path;
  }
  std::printf("%zu templates, %zu of them render some answer with calls anew\n", paths.size(), num_rendered);
}

}  // namespace
}  // namespace parley::orchestration::prompt

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
constexpr const char* kGenerated = "I call <get_weather> of Paris";

// Those that do not go on behind an answer with calls, and why. docs/developing.md tells what that costs.
const std::vector<std::string> kRendered = {
    "CohereForAI-c4ai-command-r-plus-tool_use.jinja",  // what it demands of the answer stands at the end only
    "fireworks-ai-llama-3-firefunction-v2.jinja",      // takes no tools in OpenAI's form
    "llama-cpp-deepseek-r1.jinja",                     // refuses every call
    // Not looked into yet.
    "CohereForAI-c4ai-command-r7b-12-2024-tool_use.jinja",
    "Kimi-K2-Thinking.jinja",
    "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use.jinja",
    "NousResearch-Hermes-3-Llama-3.1-8B-tool_use.jinja",
    "google-gemma-4-31B-it.jinja",
    "openai-gpt-oss-120b.jinja",
    "upstage-Solar-Open-100B.jinja",
};

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
  explicit Resumed(const std::string& source) : builder_(make_prompt_builder(source, kFakeTokenizer)) {}

  // Absent where the template refuses.
  std::optional<std::vector<std::int32_t>> ids(std::vector<ChatMessage> messages) const {
    PromptRequest request;
    request.messages = std::move(messages);
    request.max_prompt_tokens = 1'000'000;
    request.tools = {kWeatherTool};
    try {
      return std::get<Prompt>(builder_->build(request)).ids;
    } catch (const jinja::TemplateError&) {
      return std::nullopt;
    }
  }

  bool goes_on() const {
    ChatMessage called = assistant_calls({kParisCall});
    called.token_ids = fakes::byte_ids(kGenerated);
    auto cached = ids({user_says("Weather?")});
    const auto resumed = ids({user_says("Weather?"), called, tool_says("cold")});
    if (!cached || !resumed) return false;
    cached->insert(cached->end(), called.token_ids.begin(), called.token_ids.end());
    return resumed->size() > cached->size() && std::equal(cached->begin(), cached->end(), resumed->begin());
  }

 private:
  std::unique_ptr<PromptBuilder> builder_;
};

TEST(PackageTemplates, GoOnBehindAnAnswerWithCalls) {
  const auto paths = fetched_templates();
  if (paths.empty()) GTEST_SKIP() << "NOT COMPARED: " << kFolder << " is not there; scripts/test fetches it";
  std::vector<std::string> rendered;
  for (const auto& path : paths) {
    if (!Resumed(text_of(path)).goes_on()) rendered.push_back(path.filename().string());
  }
  std::printf("%zu templates, %zu of them render an answer with calls anew\n", paths.size(), rendered.size());
  for (const std::string& name : rendered) {
    EXPECT_NE(std::find(kRendered.begin(), kRendered.end(), name), kRendered.end()) << name;
  }
}

}  // namespace
}  // namespace parley::orchestration::prompt

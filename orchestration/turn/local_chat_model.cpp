#include "orchestration/turn/local_chat_model.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <random>
#include <utility>

#include "inference/text/text_stream.h"
#include "orchestration/jinja/template.h"
#include "orchestration/turn/fitting_prompt.h"
#include "orchestration/turn/local_chat_stream.h"
#include "orchestration/turn/output_constraint.h"
#include "orchestration/turn/rejection.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

// A request as the engine takes it.
struct Ready {
  prompt::Prompt prompt;
  ConstraintPointer constraint;  // null: any tokens
};
using Prepared = std::variant<Ready, ChatRejection>;

// Shared by the model and its streams: the engine lives until the last stream is gone.
struct Core {
  LocalModelParts parts;
  asio::any_io_executor executor;
  asio::thread_pool* workers = nullptr;

  // Made when it is first needed, on a worker thread: it takes a tenth of a second.
  std::shared_ptr<const inference::grammar::VocabularyIndex> vocabulary() const {
    std::call_once(vocabulary_made_, [this] {
      vocabulary_ = std::make_shared<const inference::grammar::VocabularyIndex>(*parts.tokenizer);
    });
    return vocabulary_;
  }

  int max_context() const {
    const int engine_limit = parts.engine->stats().max_context;
    return engine_limit > 0 ? std::min(engine_limit, parts.info.max_context) : parts.info.max_context;
  }

 private:
  mutable std::once_flag vocabulary_made_;
  mutable std::shared_ptr<const inference::grammar::VocabularyIndex> vocabulary_;  // shared with constraints
};

std::uint64_t random_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

inference::engine::Request engine_request(std::vector<std::int32_t> prompt, const GenerationOptions& options,
                                          std::vector<std::int32_t> stop_ids) {
  inference::engine::Request request;
  request.prompt = std::move(prompt);
  request.sampling.temperature = options.sampling.temperature;
  request.sampling.top_k = options.sampling.top_k;
  request.sampling.top_p = options.sampling.top_p;
  request.sampling.min_p = options.sampling.min_p;
  request.sampling.repeat_penalty = options.sampling.repeat_penalty;
  request.sampling.seed = options.sampling.seed ? *options.sampling.seed : random_seed();
  request.max_tokens = options.max_tokens;
  request.stop_ids = std::move(stop_ids);
  request.num_logprobs = options.num_logprobs;
  return request;
}

// Worker thread. A template that refuses a conversation is an expected outcome here.
Prepared prepare_chat(const Core& core, const ChatRequest& request, int max_context) {
  try {
    auto built = build_fitting_prompt(*core.parts.prompts, request, max_context);
    if (const auto* too_long = std::get_if<prompt::PromptTooLong>(&built)) {
      return prompt_too_long(too_long->limit, too_long->actual);
    }
    Ready ready;
    ready.prompt = std::get<prompt::Prompt>(std::move(built));
    if (request.format.kind == OutputFormat::Kind::free) return ready;
    auto constraint = make_output_constraint(request.format, core.vocabulary());
    if (auto* rejection = std::get_if<ChatRejection>(&constraint)) return std::move(*rejection);
    ready.constraint = std::get<ConstraintPointer>(std::move(constraint));
    return ready;
  } catch (const jinja::TemplateError& error) {
    ChatRejection rejection;
    rejection.kind = ChatRejection::Kind::invalid_prompt;
    rejection.message = std::string("The model's chat template refuses this conversation: ") + error.what();
    return rejection;
  }
}

// Worker thread.
Prepared prepare_completion(const Core& core, const CompletionRequest& request) {
  Ready ready;
  prompt::Prompt& prompt = ready.prompt;
  if (const auto* ids = std::get_if<std::vector<std::int32_t>>(&request.prompt)) {
    prompt.ids = *ids;
    return ready;
  }
  const auto& special = core.parts.tokenizer->special_tokens();
  if (special.add_bos && special.bos) prompt.ids.push_back(*special.bos);
  const auto encoded = core.parts.tokenizer->encode(std::get<std::string>(request.prompt));
  prompt.ids.insert(prompt.ids.end(), encoded.begin(), encoded.end());
  return ready;
}

ChatStart start(const std::shared_ptr<const Core>& core, Prepared prepared, const GenerationOptions& options,
                Clock::time_point arrived) {
  if (auto* rejection = std::get_if<ChatRejection>(&prepared)) return std::move(*rejection);
  auto& [prompt, constraint] = std::get<Ready>(prepared);
  const auto& tokenizer = *core->parts.tokenizer;
  auto tokens = std::make_unique<TokenStream>(*core->parts.engine, core->executor);
  const auto before_submit = Clock::now() - arrived;
  const auto answer_begin = prompt.ids.end() - static_cast<std::ptrdiff_t>(prompt.num_answer_ids);
  std::vector<std::int32_t> answer_ids(answer_begin, prompt.ids.end());
  auto request = engine_request(std::move(prompt.ids), options, tokenizer.special_tokens().stops);
  request.constraint = std::move(constraint);
  const auto rejection = tokens->submit(std::move(request));
  if (rejection) return rejection_of(*rejection);
  LocalStreamParts parts;
  parts.model = core;
  parts.tokenizer = &tokenizer;
  parts.tokens = std::move(tokens);
  parts.text = inference::text::make_text_stream(options.stop);
  parts.scored = options.num_logprobs >= 0;
  parts.left_out_turns = prompt.left_out_turns;
  if (!answer_ids.empty()) parts.continued_ids = std::move(answer_ids);
  parts.before_submit = before_submit;
  return std::make_unique<LocalChatStream>(std::move(parts));
}

class LocalChatModel : public ChatModel {
 public:
  explicit LocalChatModel(std::shared_ptr<const Core> core) : core_(std::move(core)) {}

  const ModelInfo& info() const override { return core_->parts.info; }

  TokenCounter token_counter() const override {
    return [core = core_](std::string_view text) { return core->parts.tokenizer->encode(text).size(); };
  }

  asio::awaitable<ChatStart> start_chat(ChatRequest request) override {
    const auto arrived = Clock::now();
    auto core = core_;
    const int max_context = core->max_context();
    auto work = [&] { return prepare_chat(*core, request, max_context); };
    Prepared prepared = co_await run_blocking(*core->workers, work);
    co_return start(core, std::move(prepared), request.options, arrived);
  }

  asio::awaitable<ChatStart> start_completion(CompletionRequest request) override {
    const auto arrived = Clock::now();
    auto core = core_;
    auto work = [&] { return prepare_completion(*core, request); };
    Prepared prepared = co_await run_blocking(*core->workers, work);
    co_return start(core, std::move(prepared), request.options, arrived);
  }

 private:
  std::shared_ptr<const Core> core_;
};

}  // namespace

std::shared_ptr<ChatModel> make_local_chat_model(LocalModelParts parts, asio::any_io_executor executor,
                                                 asio::thread_pool& workers) {
  auto core = std::make_shared<Core>();
  core->parts = std::move(parts);
  core->executor = std::move(executor);
  core->workers = &workers;
  return std::make_shared<LocalChatModel>(std::move(core));
}

}  // namespace parley::orchestration::turn

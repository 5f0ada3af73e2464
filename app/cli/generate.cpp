// parley generate: answers one prompt on the terminal.

#include <iostream>
#include <random>

#include <boost/json.hpp>

#include "app/cli/chat_answer.h"
#include "app/cli/command.h"
#include "app/cli/document_tools.h"
#include "app/cli/generation.h"
#include "app/cli/messages_document.h"
#include "app/cli/model_loading.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/read_input.h"
#include "app/models/start_engine.h"
#include "inference/text/text_stream.h"

namespace parley::app::cli {
namespace {

using inference::engine::GeneratedToken;
using inference::engine::Request;
using inference::engine::StopReason;

void declare(Options& options) {
  options.add_value("model", "NAME|FILE", "model of the catalogue, or a GGUF file");
  options.add_value("prompt", "TEXT", "raw text; special tokens in it are not parsed");
  options.add_value("ids", "1,2,3", "token ids as the prompt");
  options.add_value("messages", "FILE", "a conversation as JSON, also with tools; - for standard input");
  options.add_value("max-tokens", "N", "at most so many tokens (default 256)");
  options.add_value("temperature", "T", "0: always the likeliest token (default 0)");
  options.add_value("top-k", "N", "only the N likeliest; 0: off (default)");
  options.add_value("top-p", "P", "the likeliest that add up to P; 1: off (default)");
  options.add_value("min-p", "P", "only those at least P times as likely as the likeliest; 0: off (default)");
  options.add_value("repeat-penalty", "R", "weight of what was said already; 1: off (default)");
  options.add_value("seed", "N", "same seed, same answer (default: random)");
  options.add_value("stop", "TEXT", "stop before this text; may be repeated");
  options.add_value("logprobs", "K", "with --json: log-probabilities of the K best tokens");
  options.add_value("context", "N", "tokens of prompt and answer (default: min(model, 8192))");
  options.add_value("threads", "N", "compute threads (default: all cores)");
  options.add_value("kv-type", "f16|f32", "type of the KV cache (default f16)");
  options.add_flag("json", "print one JSON object when done");
}

models::LoadOptions load_options(const Options& options) {
  models::LoadOptions load;
  load.threads = static_cast<int>(options.integer("threads", 0, 0, 1024));
  load.context = static_cast<int>(options.integer("context", 0, 0, 1 << 24));
  load.max_sequences = 1;
  const std::string kv_type = options.text("kv-type").value_or("f16");
  if (kv_type != "f16" && kv_type != "f32") throw UsageError("--kv-type expects f16 or f32");
  load.kv_type = kv_type == "f16" ? inference::backend::KvType::f16 : inference::backend::KvType::f32;
  return load;
}

std::string document_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::vector<std::int32_t> read_prompt(const Options& options, const models::OpenedModel& model,
                                      const MessagesDocument& document) {
  if (options.has("prompt") + options.has("ids") + options.has("messages") != 1) {
    throw UsageError("give exactly one of --prompt, --ids and --messages");
  }
  if (const auto text = options.text("prompt")) return model.tokenizer->encode(*text);
  if (options.has("ids")) {
    std::vector<std::int32_t> ids;
    for (const long id : options.integers("ids", {}, 0, model.tokenizer->vocab_size() - 1)) {
      ids.push_back(static_cast<std::int32_t>(id));
    }
    return ids;
  }
  orchestration::prompt::PromptRequest request;
  request.messages = document.messages;
  request.max_prompt_tokens = model.config.max_context - 1;
  const auto built = model.prompts->build(request);
  if (const auto* long_prompt = std::get_if<orchestration::prompt::PromptTooLong>(&built)) {
    throw std::runtime_error("the conversation has " + std::to_string(long_prompt->actual) +
                             " tokens, the model takes " + std::to_string(long_prompt->limit) +
                             "; shorten its messages or leave some out");
  }
  return std::get<orchestration::prompt::Prompt>(built).ids;
}

Request make_request(const Options& options, const models::OpenedModel& model,
                     const MessagesDocument& document) {
  Request request;
  request.prompt = read_prompt(options, model, document);
  request.max_tokens = static_cast<int>(options.integer("max-tokens", 256, 1, 1 << 24));
  request.stop_ids = model.tokenizer->special_tokens().stops;
  request.num_logprobs = static_cast<int>(options.integer("logprobs", -1, 0, 100));
  request.sampling.temperature = static_cast<float>(options.number("temperature", 0, 0, 2));
  request.sampling.top_k = static_cast<int>(options.integer("top-k", 0, 0, 1 << 30));
  request.sampling.top_p = static_cast<float>(options.number("top-p", 1, 0, 1));
  request.sampling.min_p = static_cast<float>(options.number("min-p", 0, 0, 1));
  request.sampling.repeat_penalty = static_cast<float>(options.number("repeat-penalty", 1, 0.1, 10));
  const auto random_seed = static_cast<long>(std::random_device{}());
  request.sampling.seed =
      static_cast<std::uint64_t>(options.integer("seed", random_seed, 0, std::numeric_limits<long>::max()));
  return request;
}

// A conversation with tools takes the way of a chat: router, constraint, calls.
orchestration::turn::ChatRequest chat_request(const Request& sampled, const Options& options,
                                              const MessagesDocument& document) {
  orchestration::turn::ChatRequest request;
  request.messages = document.messages;
  request.tools.tools = document_tools(document.tools_json, document_name(options.required("messages")));
  request.options.max_tokens = sampled.max_tokens;
  request.options.stop = options.texts("stop");
  orchestration::turn::Sampling& sampling = request.options.sampling;
  sampling.temperature = sampled.sampling.temperature;
  sampling.top_k = sampled.sampling.top_k;
  sampling.top_p = sampled.sampling.top_p;
  sampling.min_p = sampled.sampling.min_p;
  sampling.repeat_penalty = sampled.sampling.repeat_penalty;
  sampling.seed = sampled.sampling.seed;
  return request;
}

std::unique_ptr<inference::engine::Engine> load(models::OpenedModel& model, const Options& options,
                                                models::EngineReport& report) {
  ProgressBar bar("loading " + model.name);
  return models::start_engine(
      model, load_options(options), [&](double share) { bar.show(share); }, report);
}

int answer_with_tools(models::OpenedModel model, orchestration::turn::ChatRequest request,
                      const Options& options) {
  models::EngineReport report;
  orchestration::turn::LocalModelParts parts;
  parts.engine = load(model, options, report);
  parts.info = model_info(model, report.context);
  parts.reading = model.reading;
  parts.tokenizer = std::move(model.tokenizer);
  parts.prompts = std::move(model.prompts);
  const bool as_json = options.has("json");
  const auto show = [as_json](const std::string& text) {
    if (!as_json) std::cout << text << std::flush;
  };
  const ChatAnswer answer = answer_chat(std::move(parts), std::move(request), show);
  if (as_json) {
    std::cout << boost::json::serialize(to_json(answer)) << "\n";
    return 0;
  }
  std::cout << (answer.text.empty() ? "" : "\n");
  for (const AnswerCall& call : answer.calls) {
    std::cout << "call " << call.name << " " << call.arguments;
    std::cout << (call.error.empty() ? "" : " (" + call.error + ")") << "\n";
  }
  return 0;
}

const char* reason_text(const GenerationResult& result, bool stop_string) {
  if (stop_string || result.finished.reason == StopReason::stop_token) return "stop";
  return result.finished.reason == StopReason::cancelled ? "stopped" : "length";
}

boost::json::value logprobs_json(const std::vector<GeneratedToken>& tokens,
                                 const inference::tokenizer::Tokenizer& tokenizer) {
  boost::json::array rows;
  for (const GeneratedToken& token : tokens) {
    boost::json::array top;
    for (const auto& [id, logprob] : token.top) {
      top.push_back(
          {{"id", id}, {"text", tokenizer.decode({&id, 1}, /*with_special=*/true)}, {"logprob", logprob}});
    }
    rows.push_back({{"id", token.token_id}, {"logprob", token.logprob}, {"top", std::move(top)}});
  }
  return rows;
}

double milliseconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e6; }

boost::json::object result_json(const GenerationResult& result, const std::string& text, bool stop_string) {
  boost::json::array ids;
  for (const GeneratedToken& token : result.tokens) ids.push_back(token.token_id);
  const auto& finished = result.finished;
  const double decode_ms = milliseconds(finished.total - finished.first_token);
  const int decoded = finished.completion_tokens - 1;
  return {{"text", text},
          {"ids", std::move(ids)},
          {"stop_reason", reason_text(result, stop_string)},
          {"usage",
           {{"prompt_tokens", finished.prompt_tokens},
            {"cached_tokens", finished.cached_tokens},
            {"completion_tokens", finished.completion_tokens}}},
          {"timings",
           {{"first_token_ms", milliseconds(finished.first_token)},
            {"total_ms", milliseconds(finished.total)},
            {"tokens_per_second", decoded > 0 && decode_ms > 0 ? decoded * 1000.0 / decode_ms : 0.0}}}};
}

}  // namespace

int run_generate(const Arguments& arguments) {
  Options options("generate --model M (--prompt T | --ids 1,2,3 | --messages FILE) [options]",
                  "Answers one prompt with the model in this process.");
  declare(options);
  if (!options.parse(arguments)) return 0;

  models::OpenedModel model = models::open_model(
      models::find_model(options.text("model").value_or(""), config::process_environment()));
  MessagesDocument document;
  if (const auto path = options.text("messages")) {
    document = parse_messages(read_input(*path), document_name(*path));
  }
  Request request = make_request(options, model, document);
  if (!document.tools_json.empty()) {
    return answer_with_tools(std::move(model), chat_request(request, options, document), options);
  }
  const auto tokenizer = std::move(model.tokenizer);
  models::EngineReport report;
  const auto engine = load(model, options, report);
  const bool as_json = options.has("json");
  const auto stream = inference::text::make_text_stream(options.texts("stop"));
  std::string text;
  const auto take = [&](const std::string& piece) {
    text += piece;
    if (!as_json) std::cout << piece << std::flush;
  };
  GenerationResult result = generate(*engine, std::move(request), [&](const GeneratedToken& token) {
    take(stream->push(tokenizer->token_bytes(token.token_id)));
    return !stream->matched_stop().has_value();
  });
  take(stream->finish());
  if (!as_json) {
    std::cout << "\n";
    return 0;
  }
  boost::json::object json = result_json(result, text, stream->matched_stop().has_value());
  if (options.has("logprobs")) json["logprobs"] = logprobs_json(result.tokens, *tokenizer);
  std::cout << boost::json::serialize(json) << "\n";
  return 0;
}

}  // namespace parley::app::cli

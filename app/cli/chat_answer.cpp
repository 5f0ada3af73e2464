#include "app/cli/chat_answer.h"

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/json/array.hpp>

namespace parley::app::cli {
namespace {

namespace asio = boost::asio;
namespace calls = orchestration::calls;
using orchestration::turn::ChatDelta;
using orchestration::turn::ChatEvent;
using orchestration::turn::ChatFinished;
using orchestration::turn::ChatModel;
using orchestration::turn::ChatRejection;
using orchestration::turn::ChatRequest;
using orchestration::turn::ChatStart;
using orchestration::turn::ChatStream;

void add_call_event(const calls::CallEvent& event, ChatAnswer& answer) {
  if (const auto* begin = std::get_if<calls::CallBegin>(&event)) {
    answer.calls.emplace_back();
    answer.calls.back().name = begin->name;
  } else if (const auto* part = std::get_if<calls::ArgumentsDelta>(&event)) {
    answer.calls.at(static_cast<std::size_t>(part->index)).arguments += part->json;
  } else if (const auto* end = std::get_if<calls::CallEnd>(&event)) {
    answer.calls.at(static_cast<std::size_t>(end->index)).error = end->error;
  }
}

void add_delta(const ChatDelta& delta, const OnText& on_text, ChatAnswer& answer) {
  if (!delta.text.empty()) on_text(delta.text);
  answer.text += delta.text;
  answer.reasoning += delta.reasoning;
  for (const calls::CallEvent& event : delta.calls) add_call_event(event, answer);
  answer.ids.insert(answer.ids.end(), delta.token_ids.begin(), delta.token_ids.end());
}

asio::awaitable<void> read_answer(ChatModel& model, ChatRequest request, const OnText& on_text,
                                  ChatAnswer& answer) {
  ChatStart start = co_await model.start_chat(std::move(request));
  if (const auto* rejection = std::get_if<ChatRejection>(&start))
    throw std::runtime_error(rejection->message);
  auto stream = std::get<std::unique_ptr<ChatStream>>(std::move(start));
  for (;;) {
    ChatEvent event = co_await stream->next();
    if (const auto* delta = std::get_if<ChatDelta>(&event)) {
      add_delta(*delta, on_text, answer);
      continue;
    }
    answer.finished = std::get<ChatFinished>(std::move(event));
    if (!answer.finished.text.empty()) on_text(answer.finished.text);
    answer.text += answer.finished.text;
    co_return;
  }
}

}  // namespace

ChatAnswer answer_chat(orchestration::turn::LocalModelParts parts, ChatRequest request,
                       const OnText& on_text) {
  asio::io_context io;
  asio::thread_pool workers(1);
  const auto model = orchestration::turn::make_local_chat_model(std::move(parts), io.get_executor(), workers);
  ChatAnswer answer;
  std::exception_ptr failure;
  asio::co_spawn(io, read_answer(*model, std::move(request), on_text, answer),
                 [&failure](std::exception_ptr error) { failure = std::move(error); });
  io.run();
  workers.join();
  if (failure) std::rethrow_exception(failure);
  if (!answer.finished.error.empty()) throw std::runtime_error(answer.finished.error);
  return answer;
}

boost::json::object to_json(const ChatAnswer& answer) {
  boost::json::array listed;
  for (const AnswerCall& call : answer.calls) {
    boost::json::object entry{{"name", call.name}, {"arguments", call.arguments}};
    if (!call.error.empty()) entry["error"] = call.error;
    listed.push_back(std::move(entry));
  }
  const auto& usage = answer.finished.usage;
  const auto& timings = answer.finished.timings;
  return {{"text", answer.text},
          {"reasoning", answer.reasoning},
          {"calls", std::move(listed)},
          {"ids", boost::json::array(answer.ids.begin(), answer.ids.end())},
          {"stop_reason", answer.finished.stop_reason},
          {"usage",
           {{"prompt_tokens", usage.prompt_tokens},
            {"cached_tokens", usage.cached_tokens},
            {"completion_tokens", usage.completion_tokens}}},
          {"timings",
           {{"first_token_ms", timings.first_token_ms},
            {"total_ms", timings.total_ms},
            {"tokens_per_second", timings.tokens_per_second}}}};
}

}  // namespace parley::app::cli

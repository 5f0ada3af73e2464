#include <utility>
#include <variant>

#include "app/api/answer_format.h"
#include "app/api/api_error.h"
#include "app/api/api_routes.h"
#include "app/api/chat_request.h"
#include "app/api/client_tool.h"
#include "app/api/completion_request.h"
#include "app/api/generation.h"
#include "orchestration/turn/tool_loop.h"

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
using orchestration::turn::ChatModel;
using orchestration::turn::ChatStart;
using orchestration::turn::GenerationOptions;
using orchestration::turn::ToolDesk;

// There is one model; a request for another would be answered by the wrong one.
std::optional<ApiError> check_model(const std::string& wanted, const ChatModel& model) {
  const std::string& name = model.info().name;
  if (wanted.empty() || wanted == name) return std::nullopt;
  ApiError error = model_not_found(name);
  error.param = "model";
  return error;
}

AnswerOptions answer_options(const GenerationFields& generation, const ChatModel& model) {
  AnswerOptions options;
  options.model = model.info().name;
  options.scored = generation.options.num_logprobs >= 0;
  options.include_usage = generation.include_usage;
  return options;
}

DeliveryOptions delivery_options(const GenerationFields& generation) {
  DeliveryOptions options;
  options.stream = generation.stream;
  options.include_usage = generation.include_usage;
  return options;
}

// What the two routes differ in.
struct ChatRoute {
  using Request = ChatApiRequest;
  ToolDesk* desk;  // nullptr: there are no tools of the server

  static auto parse(std::string_view body, const GenerationOptions& defaults) {
    return parse_chat_request(body, defaults);
  }
  asio::awaitable<ChatStart> start(ChatModel& model, asio::any_io_executor executor, Request& request) const {
    if (!request.server_tools.wanted()) return model.start_chat(std::move(request.chat));
    return start_tool_loop(model, *desk, std::move(executor), std::move(request.chat), is_client_tool);
  }
  // What the answer's format needs of the request, which has the client's tools only until it is prepared.
  static void complete(const Request& request, AnswerOptions& options) {
    const auto& offer = request.chat.tools;
    options.may_call = !offer.tools.empty() && offer.choice != orchestration::turn::ToolChoice::none;
    options.tells_tools = offer.mode != orchestration::turn::ToolMode::usual;
    options.known_calls = known_calls(request.chat.messages);
  }
  std::optional<ApiError> prepare(Request& request) const {
    if (desk != nullptr) request.chat.tools.max_calls = desk->limits().max_parallel;
    if (!request.server_tools.wanted()) return std::nullopt;
    if (desk == nullptr || !has_server_tools(*desk)) return no_server_tools();
    return add_server_tools(request.chat.tools, request.server_tools,
                            available_tools(*desk, request.server_tools));
  }
  static auto format(AnswerOptions options) { return make_chat_format(std::move(options)); }
};

struct CompletionRoute {
  using Request = CompletionApiRequest;
  static auto parse(std::string_view body, const GenerationOptions& defaults) {
    return parse_completion_request(body, defaults);
  }
  static asio::awaitable<ChatStart> start(ChatModel& model, const asio::any_io_executor&, Request& request) {
    return model.start_completion(std::move(request.completion));
  }
  static void complete(const Request&, AnswerOptions&) {}
  static std::optional<ApiError> prepare(Request&) { return std::nullopt; }
  static auto format(const AnswerOptions& options) { return make_completion_format(options); }
};

template <typename Route>
class GenerationHandler : public http::Handler {
 public:
  GenerationHandler(ChatModel& model, GenerationOptions defaults, Route route)
      : model_(model), defaults_(std::move(defaults)), route_(route) {}

  asio::awaitable<void> handle(http::Exchange& exchange) override {
    auto parsed = Route::parse(exchange.request().body, defaults_);
    if (const auto* error = std::get_if<ApiError>(&parsed)) {
      co_await exchange.respond(error_response(*error));
      co_return;
    }
    auto& request = std::get<typename Route::Request>(parsed);
    AnswerOptions options = answer_options(request.generation, model_);
    Route::complete(request, options);
    auto refused = check_model(request.generation.model, model_);
    if (!refused) refused = route_.prepare(request);
    if (refused) {
      co_await exchange.respond(error_response(*refused));
      co_return;
    }
    const auto format = Route::format(std::move(options));
    ClientWatch watch(exchange);
    ChatStart start = co_await route_.start(model_, exchange.executor(), request);
    co_await deliver(exchange, watch, std::move(start), *format, delivery_options(request.generation));
  }

 private:
  ChatModel& model_;
  GenerationOptions defaults_;
  const Route route_;
};

}  // namespace

std::unique_ptr<http::Handler> make_chat_completions(ChatModel& model, GenerationOptions defaults,
                                                     ToolDesk* desk) {
  return std::make_unique<GenerationHandler<ChatRoute>>(model, std::move(defaults), ChatRoute{desk});
}

std::unique_ptr<http::Handler> make_completions(ChatModel& model, GenerationOptions defaults) {
  return std::make_unique<GenerationHandler<CompletionRoute>>(model, std::move(defaults), CompletionRoute{});
}

}  // namespace parley::app::api

#include <utility>
#include <variant>

#include "app/api/api_error.h"
#include "app/api/document_routes.h"
#include "app/api/json_body.h"
#include "inference/json/fields.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
using inference::json::JsonObject;

class SearchHandler final : public http::Handler {
 public:
  SearchHandler(DocumentCommands commands, asio::thread_pool& workers)
      : commands_(std::move(commands)), workers_(workers) {}

  asio::awaitable<void> handle(http::Exchange& exchange) override {
    auto parsed = parse_body(exchange.request().body);
    if (const auto* error = std::get_if<ApiError>(&parsed)) {
      co_await exchange.respond(error_response(*error));
      co_return;
    }
    const JsonObject command = command_of(std::get<JsonObject>(parsed));
    auto work = [this, &command] { return commands_(command); };
    const JsonObject answer = co_await orchestration::turn::run_blocking(workers_, work);
    co_await exchange.respond(response_of(answer));
  }

 private:
  // "query", as other search routes call it.
  static JsonObject command_of(const JsonObject& body) {
    JsonObject command{{"command", "search"}, {"question", inference::json::text_field(body, "query")}};
    for (const char* name : {"collections", "limit"}) {
      if (const auto* value = body.if_contains(name)) command[name] = *value;
    }
    return command;
  }

  static http::Response response_of(const JsonObject& answer) {
    const std::string problem = inference::json::text_field(answer, "error");
    if (problem.empty()) return json_response(answer);
    ApiError error;
    error.message = problem;
    return error_response(error);
  }

  const DocumentCommands commands_;
  asio::thread_pool& workers_;
};

}  // namespace

std::unique_ptr<http::Handler> make_document_search(DocumentCommands commands, asio::thread_pool& workers) {
  return std::make_unique<SearchHandler>(std::move(commands), workers);
}

}  // namespace parley::app::api

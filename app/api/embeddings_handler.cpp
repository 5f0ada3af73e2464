#include <cstring>
#include <numeric>
#include <utility>
#include <variant>

#include "app/api/document_routes.h"
#include "app/api/embeddings_request.h"
#include "inference/json/json_writer.h"
#include "orchestration/mcp/base64.h"
#include "orchestration/turn/run_blocking.h"

namespace parley::app::api {
namespace {

namespace asio = boost::asio;
using inference::json::JsonArray;
using inference::json::JsonObject;
using inference::json::JsonValue;
using retrieval::search::EmbeddedTexts;

JsonValue vector_of(std::span<const float> row, bool as_base64) {
  if (as_base64) {
    const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size_bytes());
    return JsonValue(orchestration::mcp::to_base64(bytes));
  }
  JsonArray values;
  for (const float value : row) values.push_back(inference::json::json_number(value));
  return values;
}

JsonObject answer_of(const EmbeddingsRequest& request, const EmbeddedTexts& embedded,
                     const std::string& model) {
  const std::size_t dim = embedded.rows.size() / request.inputs.size();
  JsonArray data;
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    data.push_back(JsonObject{
        {"object", "embedding"},
        {"index", i},
        {"embedding", vector_of(std::span(embedded.rows).subspan(i * dim, dim), request.as_base64)}});
  }
  const int tokens = std::accumulate(embedded.num_tokens.begin(), embedded.num_tokens.end(), 0);
  return {{"object", "list"},
          {"data", std::move(data)},
          {"model", model},
          {"usage", JsonObject{{"prompt_tokens", tokens}, {"total_tokens", tokens}}}};
}

class EmbeddingsHandler final : public http::Handler {
 public:
  explicit EmbeddingsHandler(EmbeddingRoute route) : route_(std::move(route)) {}

  asio::awaitable<void> handle(http::Exchange& exchange) override {
    auto parsed = read(exchange.request().body);
    if (const auto* error = std::get_if<ApiError>(&parsed)) {
      co_await exchange.respond(error_response(*error));
      co_return;
    }
    const EmbeddingsRequest& request = std::get<EmbeddingsRequest>(parsed);
    auto work = [this, &request] {
      return route_.embedder->embed(request.inputs, retrieval::search::TextRole::passage);
    };
    const EmbeddedTexts embedded = co_await orchestration::turn::run_blocking(*route_.workers, work);
    co_await exchange.respond(json_response(answer_of(request, embedded, route_.name)));
  }

 private:
  std::variant<EmbeddingsRequest, ApiError> read(std::string_view body) const {
    if (route_.embedder == nullptr) {
      ApiError error;
      error.status = 404;
      error.message = route_.missing;
      error.code = "model_not_found";
      return error;
    }
    auto parsed = parse_embeddings_request(body, route_.embedder->dim());
    const auto* request = std::get_if<EmbeddingsRequest>(&parsed);
    if (request == nullptr || request->model.empty() || request->model == route_.name) return parsed;
    ApiError error = model_not_found(route_.name);
    error.param = "model";
    return error;
  }

  const EmbeddingRoute route_;
};

}  // namespace

std::unique_ptr<http::Handler> make_embeddings(EmbeddingRoute route) {
  return std::make_unique<EmbeddingsHandler>(std::move(route));
}

}  // namespace parley::app::api

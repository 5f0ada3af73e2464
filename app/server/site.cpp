#include "app/server/site.h"

#include <utility>

#include "app/api/api_error.h"
#include "app/api/api_routes.h"
#include "app/server/call_image_handler.h"
#include "app/server/static_handler.h"

namespace parley::app::server {

namespace asio = boost::asio;

namespace {

// OPTIONS of any route; there is nothing to negotiate, other sites are refused before.
class OptionsHandler : public http::Handler {
 public:
  explicit OptionsHandler(std::string allowed) : allowed_(std::move(allowed)) {}

  asio::awaitable<void> handle(http::Exchange& exchange) override {
    http::Response response;
    response.status = 204;
    response.fields.push_back({"Allow", allowed_});
    response.fields.push_back({"Cache-Control", "no-store"});
    co_await exchange.respond(std::move(response));
  }

 private:
  std::string allowed_;
};

constexpr std::size_t kMaxSearchBody = 64u << 10;

http::WebSocketLimits socket_limits_of(const ServerOptions& options, const ServerParts& parts) {
  http::WebSocketLimits limits = options.socket_limits;
  limits.max_message = protocol::max_frame_bytes(parts.limits);
  return limits;
}

}  // namespace

Site::Site(const ServerOptions& options, const ServerParts& parts, const SessionContext& context,
           const http::AccessOptions& access, std::function<std::size_t()> num_connections)
    : context_(context),
      stats_(parts.engine_stats),
      access_(access),
      metered_(parts.meter == nullptr ? nullptr : api::make_metered_model(parts.model, *parts.meter)),
      sockets_(context, socket_limits_of(options, parts)),
      num_connections_(std::move(num_connections)),
      routes_(make_routes(options, parts)) {}

http::Handler* Site::keep(std::unique_ptr<http::Handler> handler) {
  handlers_.push_back(std::move(handler));
  return handlers_.back().get();
}

RouteTable Site::make_routes(const ServerOptions& options, const ServerParts& parts) {
  orchestration::turn::ChatModel& model = metered_ != nullptr ? *metered_ : parts.model;
  auto files = options.ui_dir.empty() ? make_embedded_files() : make_folder_files(options.ui_dir);
  const auto count = [this] {
    api::ServerCounters counters;
    counters.connections = num_connections_();
    counters.web_sockets = sockets_.num_sessions();
    counters.responses = responses_;
    return counters;
  };
  std::vector<Route> routes;
  const auto add = [&](std::string path, std::string method, http::Handler* handler) -> Route& {
    Route& route = routes.emplace_back();
    route.path = std::move(path);
    route.methods.push_back(std::move(method));
    route.handler = handler;
    route.options_handler = keep(std::make_unique<OptionsHandler>(allowed_methods(route)));
    return route;
  };
  const std::size_t max_body = options.http_limits.max_body;
  add("/v1/chat/completions", "POST", keep(api::make_chat_completions(model, parts.defaults, parts.desk)))
      .max_body = max_body;
  add("/v1/completions", "POST", keep(api::make_completions(model, parts.defaults))).max_body = max_body;
  if (parts.embeddings.workers != nullptr) {
    add("/v1/embeddings", "POST", keep(api::make_embeddings(parts.embeddings))).max_body = max_body;
  }
  if (parts.documents) {
    add("/api/search", "POST", keep(api::make_document_search(parts.documents, *parts.embeddings.workers)))
        .max_body = kMaxSearchBody;
  }
  add("/v1/models", "GET", keep(api::make_models(parts.model))).with_children = true;
  add("/health", "GET", keep(api::make_health(parts.model, heartbeat_)));
  add("/metrics", "GET", keep(api::make_metrics(parts.model, parts.engine_stats, count, parts.meter)));
  add("/ws", "GET", &sockets_);
  add("/calls", "GET", keep(make_call_image_handler(parts.hub))).with_children = true;
  add("/", "GET", keep(make_static_handler(std::move(files)))).is_page = true;
  Route ui = std::move(routes.back());
  routes.pop_back();
  return RouteTable(std::move(routes), std::move(ui));
}

void Site::observe_engine() {
  heartbeat_.observe(stats_ ? stats_() : std::nullopt, api::Heartbeat::Clock::now());
}

std::variant<http::Admission, http::Refusal> Site::admit(const http::RequestHead& head) {
  const Route* route = routes_.find(head.path);
  if (auto refusal = access_.check(head, route != nullptr && route->is_page)) return std::move(*refusal);
  if (route == nullptr)
    return http::Refusal{404, "There is no such address here; docs/api.md lists those there are.", {}};
  if (auto refusal = check_request(*route, head)) return std::move(*refusal);
  return http::Admission{head.method == "OPTIONS" ? route->options_handler : route->handler, route->max_body};
}

http::Response Site::render(const http::Refusal& refusal, const http::RequestHead* head) {
  const Route* route = head == nullptr ? nullptr : routes_.find(head->path);
  if (route == nullptr || !route->is_page) return api::error_response(api::error_of(refusal));
  http::Response response;
  response.status = refusal.status;
  response.content_type = "text/plain; charset=utf-8";
  response.fields = refusal.fields;
  response.fields.push_back({"Cache-Control", "no-store"});
  response.body = refusal.message + "\n";
  return response;
}

void Site::on_failure(const http::RequestHead& head, std::string_view what) {
  const std::string request = head.method.empty() ? "A connection" : head.method + " " + head.path;
  context_.log(request + " failed: " + std::string(what));
}

}  // namespace parley::app::server

#pragma once
// All routes in one place, and what a request must pass before one serves it: Host, site, key, route, method,
// type. Lives on the I/O thread; a refusal is a value. Throws when ui_dir cannot be opened.

#include <map>
#include <memory>
#include <vector>

#include "app/api/api_routes.h"
#include "app/api/heartbeat.h"
#include "app/http/access.h"
#include "app/http/dispatcher.h"
#include "app/server/route_table.h"
#include "app/server/server.h"
#include "app/server/socket_handler.h"

namespace parley::app::server {

class Site : public http::Dispatcher {
 public:
  // `num_connections` for /metrics. The context outlives the site.
  Site(const ServerOptions& options, const ServerParts& parts, const SessionContext& context,
       const http::AccessOptions& access, std::function<std::size_t()> num_connections);

  void observe_engine();  // now and then, for /health
  SocketHandler& sockets() { return sockets_; }

  std::variant<http::Admission, http::Refusal> admit(const http::RequestHead& head) override;
  http::Response render(const http::Refusal& refusal, const http::RequestHead* head) override;
  void on_response(int status) override { ++responses_[status]; }
  void on_failure(const http::RequestHead& head, std::string_view what) override;

 private:
  http::Handler* keep(std::unique_ptr<http::Handler> handler);
  RouteTable make_routes(const ServerOptions& options, const ServerParts& parts);

  const SessionContext& context_;
  api::StatsSource stats_;
  http::AccessControl access_;
  api::Heartbeat heartbeat_;
  std::unique_ptr<orchestration::turn::ChatModel> metered_;  // the model with the meter, if there is one
  SocketHandler sockets_;
  std::vector<std::unique_ptr<http::Handler>> handlers_;
  std::map<int, std::uint64_t> responses_;  // by status
  std::function<std::size_t()> num_connections_;
  RouteTable routes_;
};

}  // namespace parley::app::server

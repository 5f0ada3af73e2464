#include "app/server/socket_handler.h"

#include "app/api/api_error.h"
#include "app/http/upgrade_check.h"

namespace parley::app::server {

namespace asio = boost::asio;

namespace {

constexpr std::string_view kStopping = "the server is stopping";

// Holds a session's place in the set.
class Registration {
 public:
  Registration(std::set<Session*>& sessions, Session& session) : sessions_(sessions), session_(&session) {
    sessions_.insert(session_);
  }
  ~Registration() { sessions_.erase(session_); }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  std::set<Session*>& sessions_;
  Session* session_;
};

}  // namespace

asio::awaitable<void> SocketHandler::handle(http::Exchange& exchange) {
  if (const auto refusal = http::check_upgrade(exchange.request().head)) {
    co_await exchange.respond(api::error_response(api::error_of(*refusal)));
    co_return;
  }
  const auto socket = co_await exchange.accept_web_socket(limits_);
  if (socket == nullptr) co_return;
  Session session(context_, *socket);
  const Registration registration(sessions_, session);
  if (closing_) session.close(http::CloseCode::going_away, std::string(kStopping));
  co_await session.run();
}

void SocketHandler::close_all() {
  closing_ = true;
  for (Session* session : sessions_) session->close(http::CloseCode::going_away, std::string(kStopping));
}

}  // namespace parley::app::server

#include "orchestration/mcp/server_board.h"

#include <algorithm>
#include <utility>

namespace parley::orchestration::mcp {
namespace {

using State = ServerStatus::State;

// A server that calls its list stale at once is not asked for it all the time.
constexpr std::chrono::seconds kMinFresh{30};

bool same_tools(const ToolList& a, const ToolList& b) {
  return std::equal(
      a.tools.begin(), a.tools.end(), b.tools.begin(), b.tools.end(),
      [](const ToolDefinition& x, const ToolDefinition& y) { return x.canonical == y.canonical; });
}

}  // namespace

void ServerBoard::set_starting() {
  const std::lock_guard lock(mutex_);
  status_.state = was_ready_ ? State::restarting : State::starting;
  status_.next_start.reset();
  ++status_.starts;
}

void ServerBoard::set_ready(std::shared_ptr<Session> session, ServerFacts facts) {
  const std::lock_guard lock(mutex_);
  session_ = std::move(session);
  status_.state = State::ready;
  status_.reason.clear();
  status_.facts = std::move(facts);
  was_ready_ = true;
  changed_.notify_all();
}

// The session that ends goes after the lock: its end waits for its transport, whose threads may want the
// lock.
void ServerBoard::set_down(const std::string& reason, Time next_start) {
  std::shared_ptr<Session> ended;
  const std::lock_guard lock(mutex_);
  status_.state = status_.state == State::ready ? State::restarting : State::failed;
  was_ready_ = status_.state == State::restarting;
  status_.reason = reason;
  status_.next_start = next_start;
  ended = std::move(session_);
  changed_.notify_all();
}

void ServerBoard::set_ended() {
  std::shared_ptr<Session> ended;
  const std::lock_guard lock(mutex_);
  status_.state = State::ended;
  status_.reason = "Parley has ended it";
  status_.next_start.reset();
  ended = std::move(session_);
  changed_.notify_all();
}

bool ServerBoard::set_tools(ToolList tools, Time now) {
  const std::lock_guard lock(mutex_);
  listed_ = now;
  ++lists_;
  changed_.notify_all();
  const bool differ = !same_tools(*tools_, tools);
  tools_ = std::make_shared<const ToolList>(std::move(tools));
  return differ;
}

ServerStatus ServerBoard::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::shared_ptr<const ToolList> ServerBoard::tools(Time now) {
  const std::lock_guard lock(mutex_);
  const auto fresh_for = tools_->fresh_for;
  const bool is_stale =
      fresh_for && now > listed_ + std::max<std::chrono::milliseconds>(*fresh_for, kMinFresh);
  if (is_stale && session_ != nullptr && !list_wanted_) {
    list_wanted_ = true;
    changed_.notify_all();
  }
  return tools_;
}

// A session that has just ended is a restart that its keeper has not seen yet.
ServerBoard::Ready ServerBoard::wait_until_ready(Time deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto is_settled = [this] {
    if (session_ != nullptr) return !session_->is_closed();
    return status_.state != State::starting && status_.state != State::restarting;
  };
  const bool settled = changed_.wait_until(lock, stop, deadline, is_settled);
  return {.session = settled ? session_ : nullptr, .tools = tools_, .status = status_};
}

void ServerBoard::ask_for_list() {
  const std::lock_guard lock(mutex_);
  list_wanted_ = true;
  changed_.notify_all();
}

void ServerBoard::wake() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

bool ServerBoard::wait_for_work(Time until, const Session& session, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, until, [this, &session] { return list_wanted_ || session.is_closed(); });
  return std::exchange(list_wanted_, false);
}

void ServerBoard::wait_for_end(Time until, const Session& session, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, until, [&session] { return session.is_closed(); });
}

void ServerBoard::forget_wish_for_list() {
  const std::lock_guard lock(mutex_);
  list_wanted_ = false;
}

bool ServerBoard::wait_for_new_list(Time deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const int before = lists_;
  list_wanted_ = true;
  changed_.notify_all();
  return changed_.wait_until(lock, stop, deadline, [this, before] { return lists_ != before; });
}

}  // namespace parley::orchestration::mcp

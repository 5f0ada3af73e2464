#include "orchestration/mcp/server.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

#include "orchestration/mcp/header_arguments.h"
#include "orchestration/mcp/server_board.h"

namespace parley::orchestration::mcp {
namespace {

using Clock = std::chrono::steady_clock;
using State = ServerStatus::State;
using inference::json::JsonObject;
using std::chrono::milliseconds;

constexpr std::chrono::seconds kListLimit{30};
constexpr std::chrono::hours kLongWait{24};
// Ready for so long, it counts as healthy: its next restart comes after the first, short pause.
constexpr std::chrono::seconds kHealthy{60};

void sleep_until(Clock::time_point time, const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait_until(lock, stop, time, [] { return false; });
}

// The words for a call that finds no server.
CallOutcome not_ready(const ServerStatus& status, const std::stop_token& stop) {
  CallOutcome outcome;
  outcome.status = CallOutcome::Status::failed;
  outcome.problem = "it is not running: " + (status.reason.empty() ? "it is still starting" : status.reason);
  if (status.state != State::failed && status.state != State::ended) {
    outcome.status = CallOutcome::Status::timed_out;
  }
  if (stop.stop_requested()) outcome.status = CallOutcome::Status::cancelled;
  return outcome;
}

CallOutcome changed_tool(const ToolDefinition* now) {
  CallOutcome outcome;
  outcome.problem = now == nullptr ? "it does not have this tool any more"
                                   : "this tool has changed since it was offered; look at its new definition";
  return outcome;
}

class KeptServer final : public McpServer {
 public:
  explicit KeptServer(ServerSettings settings)
      : settings_(std::move(settings)), thread_([this](const std::stop_token& stop) { keep(stop); }) {}

  ~KeptServer() override {
    thread_.request_stop();
    thread_.join();
  }

  ServerStatus status() const override { return board_.status(); }
  std::shared_ptr<const ToolList> tools() override { return board_.tools(Clock::now()); }
  std::vector<LogLine> log() const override { return log_.lines(); }

  CallOutcome call(const ToolDefinition& tool, const JsonObject& arguments,
                   const CallOptions& options) override {
    const ServerBoard::Ready ready = board_.wait_until_ready(options.deadline, options.stop);
    if (ready.session == nullptr) return not_ready(ready.status, options.stop);
    const ToolDefinition* now = ready.tools->find(tool.name);
    if (now == nullptr || now->canonical != tool.canonical) return changed_tool(now);
    const Reply reply = ready.session->request(call_request(tool, arguments), wait_of(options));
    const auto* failure = std::get_if<RequestFailure>(&reply);
    if (failure == nullptr) return read_call_result(std::get<JsonObject>(reply));
    if (failure->code != kHeaderMismatch) return to_outcome(*failure);
    // The headers that it wants may have changed, which a new list tells.
    board_.wait_for_new_list(std::min(options.deadline, Clock::now() + kListLimit), options.stop);
    CallOutcome outcome = to_outcome(*failure);
    const std::shared_ptr<const ToolList> newest = board_.tools(Clock::now());
    const ToolDefinition* then = newest->find(tool.name);
    if (then == nullptr || then->canonical != tool.canonical) outcome = changed_tool(then);
    return outcome;
  }

 private:
  static Request call_request(const ToolDefinition& tool, const JsonObject& arguments) {
    Request request;
    request.method = "tools/call";
    request.params["name"] = tool.name;
    request.params["arguments"] = arguments;
    request.tool = tool.name;
    request.headers = header_values(tool.header_arguments, arguments);
    return request;
  }

  static Wait wait_of(const CallOptions& options) {
    Wait wait{.deadline = options.deadline,
              .quiet = options.timeout,
              .stop = options.stop,
              .on_progress = options.on_progress};
    // Progress is asked for in any case: it keeps a long call alive.
    if (!wait.on_progress) wait.on_progress = [](const Progress&) {};
    return wait;
  }

  void tell_change() {
    if (settings_.on_change) settings_.on_change();
  }

  void keep(const std::stop_token& stop) {
    for (const std::string& note : settings_.notes) log_.add(LogLine::Origin::note, note);
    milliseconds pause = settings_.first_pause;
    while (!stop.stop_requested()) {
      board_.set_starting();
      tell_change();
      const auto began = Clock::now();
      const std::string reason = live_or_fail(stop);
      if (stop.stop_requested()) break;
      log_.add(LogLine::Origin::note, "not running: " + reason);
      if (Clock::now() - began >= kHealthy) pause = settings_.first_pause;
      const auto next = Clock::now() + pause;
      board_.set_down(reason, next);
      tell_change();
      sleep_until(next, stop);
      pause = std::min(pause * 2, settings_.last_pause);
    }
    board_.set_ended();
    tell_change();
  }

  // Where memory, threads or descriptors have run out, one server is down for a while, and not the process.
  std::string live_or_fail(const std::stop_token& stop) {
    try {
      return live(stop);
    } catch (const std::exception& error) {
      return std::string("Parley could not serve it: ") + error.what();
    }
  }

  // One life, from start to end; why it ended.
  std::string live(const std::stop_token& stop) {
    const auto session =
        std::make_shared<Session>(settings_.transport(), log_,
                                  SessionEvents{.on_tools_changed = [this] { board_.ask_for_list(); },
                                                .on_closed = [this] { board_.wake(); }});
    board_.forget_wish_for_list();
    session->start();
    std::string reason = serve(session, stop);
    session->close(stop.stop_requested() ? "Parley has ended it" : reason);
    return reason;
  }

  std::string serve(const std::shared_ptr<Session>& session, const std::stop_token& stop) {
    auto greeted = shake_hands(*session, plan(stop));
    if (const auto* problem = std::get_if<std::string>(&greeted)) {
      // Some servers end when they are asked something they do not know: next time without.
      const bool ended_by_probe = opening_ == HandshakePlan::Opening::probe && session->is_closed();
      opening_ = ended_by_probe ? HandshakePlan::Opening::initialize : HandshakePlan::Opening::probe;
      return *problem;
    }
    const auto& facts = std::get<ServerFacts>(greeted);
    opening_ =
        facts.dialect.era == Era::legacy ? HandshakePlan::Opening::initialize : HandshakePlan::Opening::probe;
    if (const auto problem = list(*session, facts, stop)) return *problem;
    has_been_ready_ = true;
    board_.set_ready(session, facts);
    tell_change();
    std::jthread subscription;
    if (facts.dialect.era == Era::modern && facts.tells_changes) {
      subscription =
          std::jthread([this, session](const std::stop_token& end) { listen_or_note(*session, end); });
    }
    return attend(*session, facts, stop);
  }

  HandshakePlan plan(const std::stop_token& stop) const {
    const milliseconds limit = has_been_ready_ ? settings_.handshake : settings_.first_handshake;
    return {.opening = opening_, .limit = limit, .probe_limit = settings_.probe, .stop = stop};
  }

  // A sentence when they cannot be listed.
  std::optional<std::string> list(Session& session, const ServerFacts& facts, const std::stop_token& stop) {
    if (!facts.has_tools) {
      board_.set_tools({}, Clock::now());
      return std::nullopt;
    }
    auto listed =
        list_tools(session, log_, {.deadline = Clock::now() + kListLimit, .stop = stop, .on_progress = {}});
    if (auto* problem = std::get_if<std::string>(&listed)) return std::move(*problem);
    if (board_.set_tools(std::get<ToolList>(std::move(listed)), Clock::now())) tell_change();
    return std::nullopt;
  }

  // While it is ready; why that ended. A list that fails later leaves the one before.
  std::string attend(Session& session, const ServerFacts& facts, const std::stop_token& stop) {
    while (!stop.stop_requested() && !session.is_closed()) {
      const auto may_list = Clock::now() + settings_.relist_pause;
      if (!board_.wait_for_work(Clock::now() + kLongWait, session, stop)) continue;
      board_.wait_for_end(may_list, session, stop);
      board_.forget_wish_for_list();
      if (session.is_closed() || stop.stop_requested()) break;
      if (const auto problem = list(session, facts, stop)) log_.add(LogLine::Origin::note, *problem);
    }
    return session.end_reason();
  }

  void listen_or_note(Session& session, const std::stop_token& stop) {
    try {
      listen(session, stop);
    } catch (const std::exception& error) {
      log_.add(LogLine::Origin::note,
               std::string("changes of its tools are not heard any more: ") + error.what());
    }
  }

  // A modern server tells of changes in the answer to a request that is left open.
  void listen(Session& session, const std::stop_token& stop) {
    milliseconds pause = settings_.first_pause;
    while (!stop.stop_requested() && !session.is_closed()) {
      Request request;
      request.method = "subscriptions/listen";
      request.params["notifications"] = JsonObject{{"toolsListChanged", true}};
      const Reply reply = session.request(std::move(request), {.stop = stop, .on_progress = {}});
      const auto* failure = std::get_if<RequestFailure>(&reply);
      if (failure != nullptr && failure->kind == RequestFailure::Kind::refused) return;
      if (stop.stop_requested() || session.is_closed()) return;
      sleep_until(Clock::now() + pause, stop);
      pause = std::min(pause * 2, settings_.last_pause);
      board_.ask_for_list();  // what was missed
    }
  }

  const ServerSettings settings_;
  ServerLog log_;
  ServerBoard board_;
  // Of the keeping thread alone.
  HandshakePlan::Opening opening_ = HandshakePlan::Opening::probe;
  bool has_been_ready_ = false;
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace

std::unique_ptr<McpServer> make_mcp_server(ServerSettings settings) {
  return std::make_unique<KeptServer>(std::move(settings));
}

}  // namespace parley::orchestration::mcp

#pragma once
// A transport without a server: a test reads what was sent, and lets messages come. Any thread.

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "inference/json/json_writer.h"
#include "orchestration/mcp/transport.h"

namespace parley::orchestration::mcp {

// What a test holds while a Session owns the transport: shared, since either may be gone first.
class Script {
 public:
  // Called for each message that is sent, on the sender's thread; may answer with the functions below.
  std::function<void(Script&, const Outgoing&)> on_send;

  void say(const std::string& text, std::int64_t stream = 0) {
    call([&] { handlers_.on_message(text, stream); });
  }
  void answer(std::int64_t id, const std::string& result) {
    say(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + result + "}");
  }
  void refuse(std::int64_t id, std::int64_t code, const std::string& data = "null") {
    say(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"error":{"code":)" + std::to_string(code) +
        R"(,"message":"refused","data":)" + data + "}}");
  }
  void fail(std::int64_t id, int status) {
    call([&] { handlers_.on_failed(id, status, "HTTP status " + std::to_string(status)); });
  }
  void log(const std::string& line) {
    call([&] { handlers_.on_log(line); });
  }
  void end(const std::string& reason) {
    call([&] { handlers_.on_closed(reason); });
  }

  std::vector<Outgoing> sent() const {
    const std::lock_guard lock(mutex_);
    return sent_;
  }
  // The messages whose text has this in it.
  std::vector<std::string> sent_with(const std::string& part) const {
    std::vector<std::string> found;
    for (const Outgoing& message : sent()) {
      if (message.text.find(part) != std::string::npos) found.push_back(message.text);
    }
    return found;
  }
  std::vector<Dialect> spoken() const {
    const std::lock_guard lock(mutex_);
    return spoken_;
  }
  bool is_closed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
  }

  std::unique_ptr<Transport> transport(const std::shared_ptr<Script>& self);

 private:
  friend class ScriptedTransport;

  // A handler is called by one thread at a time, and by none once close() has returned: whoever closes may
  // destroy the session next.
  template <typename Call>
  void call(Call&& one) {
    const std::lock_guard calling(calling_);
    if (!is_closed()) std::forward<Call>(one)();
  }

  mutable std::recursive_mutex calling_;  // recursive: a handler sends, and on_send answers
  mutable std::mutex mutex_;
  TransportHandlers handlers_;
  std::vector<Outgoing> sent_;
  std::vector<Dialect> spoken_;
  bool closed_ = false;
};

class ScriptedTransport final : public Transport {
 public:
  explicit ScriptedTransport(std::shared_ptr<Script> script) : script_(std::move(script)) {}
  void start(TransportHandlers handlers) override {
    const std::lock_guard calling(script_->calling_);
    const std::lock_guard lock(script_->mutex_);
    script_->handlers_ = std::move(handlers);
    script_->closed_ = false;  // a script may serve one connection after the other
  }
  void send(Outgoing message) override {
    {
      const std::lock_guard lock(script_->mutex_);
      script_->sent_.push_back(message);
    }
    if (script_->on_send) script_->on_send(*script_, message);
  }
  bool release(std::int64_t) override { return false; }
  void speak(const Dialect& dialect) override {
    const std::lock_guard lock(script_->mutex_);
    script_->spoken_.push_back(dialect);
  }
  void close() override {
    const std::lock_guard calling(script_->calling_);
    const std::lock_guard lock(script_->mutex_);
    script_->closed_ = true;
  }

 private:
  const std::shared_ptr<Script> script_;
};

inline std::unique_ptr<Transport> Script::transport(const std::shared_ptr<Script>& self) {
  return std::make_unique<ScriptedTransport>(self);
}

}  // namespace parley::orchestration::mcp

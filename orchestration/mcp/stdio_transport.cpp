#include "orchestration/mcp/stdio_transport.h"

#include <mutex>
#include <string>
#include <utility>

#include "orchestration/mcp/message.h"

namespace parley::orchestration::mcp {
namespace {

class StdioTransport final : public Transport {
 public:
  StdioTransport(sandbox::Program program, ProgramStarter starter)
      : program_(std::move(program)), starter_(std::move(starter)) {}

  // The lock makes an answer to a line that comes at once wait until the program can be written to.
  void start(TransportHandlers handlers) override {
    handlers_ = std::move(handlers);
    sandbox::PipedHandlers pipes;
    pipes.on_line = [this](std::string_view line) { handlers_.on_message(line, 0); };
    pipes.on_error_line = [this](std::string_view line) { handlers_.on_log(line); };
    pipes.on_end = [this](std::string reason) { handlers_.on_closed(std::move(reason)); };
    const std::lock_guard lock(mutex_);
    running_ = starter_(program_, std::move(pipes), {.max_line = kMaxMessageBytes});
  }

  void send(Outgoing message) override {
    bool is_written = false;
    {
      const std::lock_guard lock(mutex_);
      if (running_ == nullptr) return;
      is_written = running_->write_line(message.text);
    }
    if (!is_written) handlers_.on_closed("it has ended, or does not read what is sent to it");
  }

  bool release(std::int64_t) override { return false; }
  void speak(const Dialect&) override {}

  void close() override {
    std::unique_ptr<sandbox::PipedProgram> ending;
    const std::lock_guard closing(closing_);
    {
      const std::lock_guard lock(mutex_);
      ending = std::move(running_);
    }
    ending.reset();  // not under the lock: handlers that run till the end may want to send
  }

 private:
  const sandbox::Program program_;
  const ProgramStarter starter_;
  TransportHandlers handlers_;
  std::mutex closing_;  // a second close() returns when the first is done
  std::mutex mutex_;
  std::unique_ptr<sandbox::PipedProgram> running_;
};

}  // namespace

std::unique_ptr<Transport> make_stdio_transport(sandbox::Program program, ProgramStarter starter) {
  return std::make_unique<StdioTransport>(std::move(program), std::move(starter));
}

}  // namespace parley::orchestration::mcp

#include "orchestration/turn/chat_read_ahead.h"

#include <exception>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "orchestration/turn/chat_history.h"
#include "orchestration/turn/offered_tools.h"

namespace parley::orchestration::turn {
namespace {

namespace asio = boost::asio;

// Nobody awaits it: this is where its exceptions become a line.
asio::awaitable<void> begin_reading(CorePtr core, LivePtr live, std::uint64_t number, ChatRequest request) {
  const HubCore::Activity activity(core);
  std::unique_ptr<ReadAhead> reading;
  try {
    reading = co_await core->model.read_ahead(std::move(request));
  } catch (const std::exception& error) {
    core->log(std::string("reading ahead in a chat failed: ") + error.what());
  }
  if (live->ahead_number == number && !core->closed) live->ahead = std::move(reading);
}

void stop_reading(LiveConversation& live) {
  live.ahead.reset();
  ++live.ahead_number;
}

}  // namespace

void read_ahead(const CorePtr& core, const LivePtr& live) {
  stop_reading(*live);
  if (core->closing || live->num_watching == 0 || live->record.deleted) return;
  ChatRequest request;
  request.tools = offer_tools(*core, live->record);
  if (request.tools.tools.empty()) return;
  request.messages = chat_history(live->record.settings, {});
  request.overflow = prompt::Overflow::leave_out_oldest;  // as questions are asked
  auto reading = begin_reading(core, live, live->ahead_number, std::move(request));
  asio::co_spawn(core->executor, std::move(reading), asio::detached);
}

void read_ahead_in_open_chats(const CorePtr& core) {
  for (const auto& [id, live] : core->conversations()) read_ahead(core, live);
}

Watching::Watching(const CorePtr& core, LivePtr live) : live_(std::move(live)) {
  if (++live_->num_watching == 1) read_ahead(core, live_);
}

Watching::~Watching() {
  if (--live_->num_watching == 0) stop_reading(*live_);
}

}  // namespace parley::orchestration::turn

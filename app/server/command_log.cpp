#include "app/server/command_log.h"

#include <functional>
#include <utility>

namespace parley::app::server {

namespace asio = boost::asio;

asio::awaitable<CommandLog::Lookup> CommandLog::begin(std::string id, std::string text) {
  const std::size_t text_hash = std::hash<std::string>()(text);
  while (true) {
    const auto known = entries_.find(id);
    if (known == entries_.end()) {
      entries_[id].text_hash = text_hash;
      co_return Fresh();
    }
    if (known->second.text_hash != text_hash) co_return Conflict();
    if (known->second.answer) co_return *known->second.answer;
    co_await changed_.wait();
  }
}

void CommandLog::finish(const std::string& id, std::string answer) {
  entries_[id].answer = std::move(answer);
  finished_.push_back(id);
  if (finished_.size() > max_answers_) {
    entries_.erase(finished_.front());
    finished_.pop_front();
  }
  changed_.notify();
}

void CommandLog::abandon(const std::string& id) {
  entries_.erase(id);
  changed_.notify();
}

}  // namespace parley::app::server

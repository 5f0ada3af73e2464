#include "orchestration/turn/stored_call_outputs.h"

#include <exception>
#include <future>
#include <string>
#include <utility>

#include <boost/asio/post.hpp>

namespace parley::orchestration::turn {

StoredCallOutputs::StoredCallOutputs(sessions::SessionStore& store, boost::asio::thread_pool& store_thread)
    : store_(store), store_thread_(store_thread) {}

std::optional<tools::OutputPart> StoredCallOutputs::read(std::string_view chat, std::string_view id,
                                                         std::size_t offset, std::size_t max_bytes) const {
  using Piece = std::optional<sessions::OutputPiece>;
  std::packaged_task<Piece()> task([&store = store_, chat = std::string(chat), id = std::string(id), offset,
                                    max_bytes] { return store.read_output(chat, id, offset, max_bytes); });
  std::future<Piece> answer = task.get_future();
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return std::nullopt;
    boost::asio::post(store_thread_, std::move(task));
  }
  try {  // a broken store, or its thread has ended: the caller's interface knows no failure
    Piece piece = answer.get();
    if (!piece) return std::nullopt;
    return tools::OutputPart{
        .offset = piece->offset, .text = std::move(piece->text), .total_bytes = piece->bytes};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void StoredCallOutputs::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

}  // namespace parley::orchestration::turn

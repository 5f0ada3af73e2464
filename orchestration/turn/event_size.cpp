#include "orchestration/turn/event_size.h"

#include <string>

namespace parley::orchestration::turn {
namespace {

std::size_t bytes_of_call(const sessions::ToolCall& call) {
  std::size_t bytes = call.id.size() + call.name.size() + call.arguments.size() + call.source.size() +
                      call.definition.size() + call.result.size() + call.decision.size();
  bytes += call.preview.kind.size() + call.preview.input.size();
  for (const std::string& word : call.preview.words) bytes += word.size() + sizeof(std::string);
  for (const calls::CallImage& image : call.images) bytes += image.media_type.size() + sizeof(image);
  return bytes;
}

}  // namespace

std::size_t bytes_of(const MessageView& message) {
  std::size_t bytes = message.id.size() + message.parent.size() + message.text.size() + message.error.size();
  for (const sessions::ToolCall& call : message.calls) bytes += bytes_of_call(call);
  return bytes;
}

std::size_t bytes_of(const CallView& call) { return bytes_of_call(call.call) + call.progress.message.size(); }

}  // namespace parley::orchestration::turn

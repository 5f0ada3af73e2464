#pragma once
// Results as a message of the user that repeats the question, for small models, which call again after a
// result in their template's own form. Used on one thread, never fails.

#include <string>
#include <string_view>

#include "orchestration/prompt/message_part.h"

namespace parley::orchestration::prompt {

class RestatedResults {
 public:
  // All text is data of `origin`.
  void add(const MessageCall& call, std::string_view result, jinja::Origin origin);

  // Nothing if no result was added.
  TextPieces take(std::string_view question);

 private:
  TextPieces pieces_;
};

}  // namespace parley::orchestration::prompt

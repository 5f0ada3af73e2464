#pragma once
// Makes the newest turn of a conversation shorter, where it alone is too long for the model: the results of
// its calls are given as head and tail, one after the other, the oldest first. So what the later rounds of a
// turn are given begins the same, as long as it can. Used on one thread, never fails.

#include <cstddef>
#include <string>
#include <vector>

#include "orchestration/prompt/chat_message.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

class ResultShortener {
 public:
  enum class Reader : bool { absent, offered };  // the tool that reads on in results

  // `messages` outlive the object.
  ResultShortener(std::vector<prompt::ChatMessage>& messages, TokenCounter count, Reader reader);

  // Shortens results until about so many tokens are saved. False: no result was left that could be shorter.
  bool save(std::size_t num_tokens);

 private:
  std::size_t shorten(std::string& result, const std::string& call) const;

  std::vector<prompt::ChatMessage>& messages_;
  const TokenCounter count_;
  const Reader reader_;
  std::size_t next_;  // index of the message to look at
};

}  // namespace parley::orchestration::turn

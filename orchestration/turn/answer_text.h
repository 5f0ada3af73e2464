#pragma once
// The text of an answer as it is stored and shown while it comes: its reasoning, between the marks of
// chat_history.h, and then its prose. A value, one thread; never fails.

#include <string>

#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

class AnswerText {
 public:
  // What is there already was cut inside the reasoning, which goes on.
  void go_on_reasoning() { is_reasoning_ = true; }

  // What comes behind the text so far. A call ends reasoning as prose does: models go over without a mark.
  std::string take(const ChatDelta& delta);

  // At the end of an answer that was not cut: the mark that ends its reasoning, if it is still open.
  std::string close();

 private:
  bool is_reasoning_ = false;  // the text ends inside reasoning
};

}  // namespace parley::orchestration::turn

#pragma once
// Holds the model from before it is loaded: the port is open at once, requests are told how far loading is.
// Lives on the I/O thread. Is itself a ChatModel, so nobody above has to know; while there
// is no model, requests get a ChatRejection.

#include <memory>
#include <string>

#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

class ModelSlot : public ChatModel {
 public:
  enum class State : std::uint8_t { loading, ready, failed };
  virtual State state() const = 0;
  virtual double progress() const = 0;             // 0 to 1 while loading
  virtual const std::string& failure() const = 0;  // with failed: a sentence for the user

  virtual void set_progress(double share) = 0;
  virtual void set_ready(std::shared_ptr<ChatModel> model) = 0;
  virtual void set_failed(std::string why) = 0;
};

// `info` is what is known before loading (name, file size).
std::shared_ptr<ModelSlot> make_model_slot(ModelInfo info);

}  // namespace parley::orchestration::turn

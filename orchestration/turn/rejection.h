#pragma once
// Why a model did not take a request, in sentences for the user. Pure functions, any thread, never fail.

#include <cstdint>
#include <string>

#include "inference/engine/engine.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

ChatRejection prompt_too_long(std::int64_t limit, std::int64_t actual);
// `why` says what to do.
ChatRejection model_failed(const std::string& why);
ChatRejection rejection_of(const inference::engine::Rejection& rejection);

}  // namespace parley::orchestration::turn

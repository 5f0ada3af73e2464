#include "orchestration/turn/local_model_core.h"

#include <algorithm>

namespace parley::orchestration::turn {

std::shared_ptr<const inference::grammar::VocabularyIndex> LocalModelCore::vocabulary() const {
  std::call_once(vocabulary_made_, [this] {
    vocabulary_ = std::make_shared<const inference::grammar::VocabularyIndex>(*parts_.tokenizer);
  });
  return vocabulary_;
}

int LocalModelCore::max_context() const {
  const int engine_limit = parts_.engine->stats().max_context;
  return engine_limit > 0 ? std::min(engine_limit, parts_.info.max_context) : parts_.info.max_context;
}

}  // namespace parley::orchestration::turn

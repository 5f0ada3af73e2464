#pragma once
// What a request wants its whole answer to look like, as a constraint for the engine. Compiling a schema
// takes up to half a second, so this belongs on a worker thread. What cannot be enforced is a ChatRejection,
// never a constraint that lets it pass without a word.

#include <memory>
#include <variant>

#include "inference/grammar/token_constraint.h"
#include "orchestration/turn/chat_model.h"

namespace parley::orchestration::turn {

using ConstraintPointer = std::shared_ptr<const inference::grammar::TokenConstraint>;

// Null for OutputFormat::Kind::free.
std::variant<ConstraintPointer, ChatRejection> make_output_constraint(
    const OutputFormat& format, const std::shared_ptr<const inference::grammar::VocabularyIndex>& vocabulary);

}  // namespace parley::orchestration::turn

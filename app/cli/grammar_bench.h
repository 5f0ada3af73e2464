#pragma once
// What constraints cost over the vocabulary of a model: masks, checks of drawn tokens, compiling. Takes some
// seconds of one thread. Throws std::logic_error when a sample does not fit its schema, a bug.

#include <boost/json/object.hpp>

#include "inference/tokenizer/tokenizer.h"

namespace parley::app::cli {

// Times are of the processor for this thread, so that other programs disturb them little; units are in the
// keys. mask_*, verify_*: the first time that a machine comes to each place of the documents; warm_*: when
// it, or another request with the same schema, has been there. `schemas` has the same by schema. compile_*:
// cold the first time in this process, warm the best of several. A document that the vocabulary cannot write
// is in skipped_schemas.
boost::json::object bench_grammar(const inference::tokenizer::Tokenizer& tokenizer);

}  // namespace parley::app::cli

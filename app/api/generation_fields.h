#pragma once
// The fields that /v1/chat/completions and /v1/completions have in common: sampling, stop, streaming, and
// those that cannot be honoured and are refused rather than ignored. A plain function, any thread; problems
// are noted in the reader, nothing throws.

#include <string>

#include "app/protocol/field_reader.h"
#include "orchestration/turn/chat_model.h"

namespace parley::app::api {

struct GenerationFields {
  std::string model;  // empty: not said
  orchestration::turn::GenerationOptions options;
  bool stream = false;
  bool include_usage = false;  // in a stream
};

// `defaults`: for what the request does not say. Problems are noted in `fields`.
GenerationFields read_generation_fields(protocol::FieldReader& fields,
                                        const orchestration::turn::GenerationOptions& defaults);

inline constexpr int kMaxLogprobs = 20;

}  // namespace parley::app::api

#pragma once
// The body of POST /v1/embeddings. A plain function, any thread; a bad body is an ApiError value.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/api/api_error.h"

namespace parley::app::api {

struct EmbeddingsRequest {
  std::string model;  // empty: whichever there is
  std::vector<std::string> inputs;
  bool as_base64 = false;  // little-endian f32 in base64, as OpenAI's own client asks for
};

// `dim` is what the model gives: another "dimensions" is refused.
std::variant<EmbeddingsRequest, ApiError> parse_embeddings_request(std::string_view body, int dim);

}  // namespace parley::app::api

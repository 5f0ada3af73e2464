#pragma once
// What tests/goldens/encoder/make_encoder_goldens.py wrote. Throws if it is not there.

#include <openssl/evp.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "inference/encoder/encoder.h"
#include "inference/json/fields.h"
#include "kernels/dtypes/half.h"

namespace parley::inference::encoder {

inline const std::string kGoldens = PARLEY_SOURCE_DIR "/tests/goldens/encoder/";

inline json::JsonValue read_golden(const std::string& name) {
  std::ifstream in(kGoldens + name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  auto parsed = json::parse_json(text, {std::size_t{16} << 20, 16});
  if (std::holds_alternative<json::JsonError>(parsed)) throw std::runtime_error("no golden " + name);
  return std::get<json::JsonValue>(std::move(parsed));
}

inline std::string from_base64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3, '\0');
  EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                  reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  while (!text.empty() && text.back() == '=') {
    bytes.pop_back();
    text.remove_suffix(1);
  }
  return bytes;
}

inline std::vector<float> floats_of(const json::JsonObject& golden, std::string_view key) {
  const std::string bytes = from_base64(json::text_view(golden, key));
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

inline std::vector<float> halves_of(const json::JsonObject& golden, std::string_view key) {
  const std::string bytes = from_base64(json::text_view(golden, key));
  std::vector<float> values(bytes.size() / sizeof(std::uint16_t));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
    values[i] = kernels::dtypes::half_to_float(bits);
  }
  return values;
}

inline std::vector<TokenIds> ids_of(const json::JsonObject& golden, std::string_view key) {
  std::vector<TokenIds> sequences;
  for (const auto& sequence : *json::array_field(golden, key)) {
    TokenIds& ids = sequences.emplace_back();
    for (const auto& id : sequence.as_array()) ids.push_back(static_cast<std::int32_t>(id.as_int64()));
  }
  return sequences;
}

inline double cosine(std::span<const float> a, std::span<const float> b) {
  double dot = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += static_cast<double>(a[i]) * b[i];
    aa += static_cast<double>(a[i]) * a[i];
    bb += static_cast<double>(b[i]) * b[i];
  }
  return dot / std::sqrt(aa * bb);
}

}  // namespace parley::inference::encoder

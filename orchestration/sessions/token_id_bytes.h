#pragma once
// Token ids as bytes: seven bits a byte, low bits first, the high bit says that more follow (two or three
// bytes an id for today's vocabularies). The bytes of two lists one after the other are the bytes of the
// joined list. Pure functions, any thread, never throw.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::orchestration::sessions {

std::string encode_token_ids(std::span<const std::int32_t> ids);

// Appends to `ids`. False: the bytes are not what encode_token_ids makes.
bool decode_token_ids(std::string_view bytes, std::vector<std::int32_t>& ids);

}  // namespace parley::orchestration::sessions

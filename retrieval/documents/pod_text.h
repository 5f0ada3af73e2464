#pragma once
// A paragraph of POD without its formatting codes (perlpodspec): C<code> becomes code, L<text|page> text,
// E<gt> the character. Pure function, any thread. Codes nested deeper than `max_depth` stay as they are.

#include <string>
#include <string_view>

namespace parley::retrieval::documents {

std::string pod_words(std::string_view paragraph, int max_depth);

}  // namespace parley::retrieval::documents

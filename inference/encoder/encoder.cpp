#include "inference/encoder/encoder.h"

#include <cassert>

namespace parley::inference::encoder {

void encode(Encoder& encoder, std::span<const TokenIds> sequences, std::span<float> out) {
  if (sequences.empty()) return;
  assert(out.size() % sequences.size() == 0);
  const std::size_t dim = out.size() / sequences.size();
  while (!sequences.empty()) {
    const std::size_t count = encoder.begin(sequences);
    while (encoder.advance()) {
    }
    encoder.finish(out.first(count * dim));
    sequences = sequences.subspan(count);
    out = out.subspan(count * dim);
  }
}

}  // namespace parley::inference::encoder

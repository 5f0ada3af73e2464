#pragma once
// The seam for text encoders: token ids to one vector a sequence (BERT; Devlin et al. 2019, pooled as
// sentence-transformers does it; Reimers & Gurevych 2019).
//
// One thread at a time, one pass at a time. A sequence's vector does not depend on what else is in the call,
// nor on the number of threads. Nothing fails but for memory; ids and lengths that do not fit are assertions.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "inference/encoder/encoder_config.h"
#include "inference/encoder/encoder_source.h"
#include "kernels/cpu/compute_pool.h"

namespace parley::inference::encoder {

using TokenIds = std::vector<std::int32_t>;

class Encoder {
 public:
  virtual ~Encoder() = default;

  // A pass in parts, for a thread that has other work between them: `begin` takes as many of the sequences,
  // from the first, as a pass holds (at least one) and returns how many; `advance` does a layer and returns
  // whether more are left; then `finish` gives the vectors. Sequences have 1 .. max_tokens ids, special ones
  // included.
  //   out  [what begin returned, hidden_dim] f32
  virtual std::size_t begin(std::span<const TokenIds> sequences) = 0;
  virtual bool advance() = 0;
  virtual void finish(std::span<float> out) = 0;
};

// All of them, in as many passes as it takes.
//   out  [sequences, hidden_dim] f32
void encode(Encoder& encoder, std::span<const TokenIds> sequences, std::span<float> out);

// int8 products with a scale for each 32 values of weights and activations. Copies the weights. The pool
// outlives it.
std::unique_ptr<Encoder> make_cpu_encoder(const EncoderConfig& config, const EncoderSource& source,
                                          kernels::cpu::ComputePool& pool);

// Float weights and naive loops: the oracle. Borrows the weights.
std::unique_ptr<Encoder> make_reference_encoder(const EncoderConfig& config, const EncoderSource& source);

}  // namespace parley::inference::encoder

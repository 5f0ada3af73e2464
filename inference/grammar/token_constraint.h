#pragma once
// Which tokens may come next: the seam between the sampler and a grammar. One object belongs to one request
// and is used by one thread at a time (the engine thread, once the request is submitted). Never throws for a
// token.
//
// The engine draws first and verifies after: `allows` costs the token's bytes, `fill_mask` a walk over the
// vocabulary, so the mask is made only when a drawn token was refused.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "inference/grammar/grammar.h"
#include "inference/grammar/vocabulary_index.h"

namespace parley::inference::grammar {

class TokenConstraint {
 public:
  virtual ~TokenConstraint() = default;

  // Whether `token` may come next. Ids that end generation are allowed exactly when the text may end here.
  virtual bool allows(std::int32_t token) const = 0;
  // Moves on by a token that is allowed. After one that ends generation nothing is allowed any more.
  virtual void accept(std::int32_t token) = 0;
  // Sets bit `token` (of word token / 64) for all allowed tokens, clears all others. None is set only if the
  // vocabulary lacks the bytes that must come: an error of the model file.
  virtual void fill_mask(std::span<std::uint64_t> mask) = 0;
  // The bytes that must come next, whatever is drawn; empty when there is a choice, or when the text may end
  // here. Costly beside `allows`: for a caller that makes use of it.
  virtual std::string forced_bytes() const = 0;
  // Nothing but an end may follow.
  virtual bool is_complete() const = 0;
  // A copy in the same state: what may be undone is tried on a copy. It shares what has been learnt about the
  // grammar with this one, so both stay with one thread.
  virtual std::unique_ptr<TokenConstraint> clone() const = 0;
};

// Both are shared by all requests that use them.
std::unique_ptr<TokenConstraint> make_constraint(std::shared_ptr<const Grammar> grammar,
                                                 std::shared_ptr<const VocabularyIndex> vocabulary);

}  // namespace parley::inference::grammar

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
#include <vector>

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
  // The bytes that must come next, whatever is drawn; empty when there is a choice, when the text may end
  // here, or when a control token may come.
  virtual std::string forced_bytes() const = 0;
  // The tokens that must come next, whatever is drawn, as the model's own tokenizer would write them behind
  // `context`: all tokens of the text so far, prompt included, of which the last few are looked at. Tokens at
  // the end that a longer one could still take the place of are held back for the model to draw, so that the
  // run is often shorter than what is forced, and empty where it would be no more than those, where there is
  // a choice, or where the text may end. The state stays what it is: the caller accepts them one by one, and
  // each is allowed behind those before it. Costs about as much as `allows` where nothing is forced, the
  // tokenizing of the run else.
  virtual std::vector<std::int32_t> forced_run(std::span<const std::int32_t> /*context*/) const { return {}; }
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

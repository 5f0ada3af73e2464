#pragma once
// How a format's code ends early: thrown below DocumentReader::read, which turns it into a ReadFailure. Never
// leaves a reader.

#include <stdexcept>
#include <string>
#include <utility>

#include "retrieval/documents/document_reader.h"

namespace parley::retrieval::documents {

class FormatError : public std::runtime_error {
 public:
  // `reason` is a sentence for the user (ReadFailure::reason).
  FormatError(ReadFailure::Kind kind, const std::string& reason) : std::runtime_error(reason), kind_(kind) {}
  ReadFailure::Kind kind() const { return kind_; }

 private:
  ReadFailure::Kind kind_;
};

// What `read` returns, or why it threw.
template <typename Read>
ReadOutcome read_or_fail(Read&& read) {
  try {
    return std::forward<Read>(read)();
  } catch (const FormatError& error) {
    return ReadFailure{error.kind(), error.what()};
  }
}

}  // namespace parley::retrieval::documents

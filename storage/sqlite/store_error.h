#pragma once
// What a file of the data folder refuses to do, in a sentence for the user. Any thread.

#include <stdexcept>

namespace parley::storage::sqlite {

class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace parley::storage::sqlite

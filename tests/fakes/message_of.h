#pragma once
// What an action says is wrong. Any thread.

#include <stdexcept>
#include <string>

namespace parley::tests::fakes {

// The message of the std::runtime_error that `action` throws; "no error" when it throws nothing.
template <typename Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace parley::tests::fakes

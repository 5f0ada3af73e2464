#pragma once
// The words of an exception that ended a coroutine, for the log. A plain function, any thread; never fails.

#include <exception>
#include <string>

namespace parley::app::http {

inline std::string words_of(const std::exception_ptr& failure) {
  try {  // the only way to look into an exception_ptr
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception without words";
  }
}

}  // namespace parley::app::http

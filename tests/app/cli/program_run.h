#pragma once
// Runs the program in this process, as main() does, with its input and outputs held. One thread at a time.

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>
#include <string>

#include "app/cli/command.h"

namespace parley::app::cli {

struct Outcome {
  int status = 0;
  std::string out, err;
};

inline Outcome run(const Arguments& arguments, const std::string& input = "") {
  std::istringstream stream(input);
  std::streambuf* const before = std::cin.rdbuf(stream.rdbuf());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Outcome result;
  result.status = run_program(arguments);
  std::cout.flush();
  result.out = ::testing::internal::GetCapturedStdout();
  result.err = ::testing::internal::GetCapturedStderr();
  std::cin.rdbuf(before);
  return result;
}

}  // namespace parley::app::cli

#include "kernels/cpu/isa.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>

#include "tests/fakes/message_of.h"
#include "tests/kernels/cpu/all_isas.h"

namespace parley::kernels::cpu {
namespace {

constexpr const char* kVariable = "PARLEY_ISA";

// Sets the variable for one test and puts back what was there.
class IsaTest : public testing::Test {
 protected:
  IsaTest() {
    if (const char* value = getenv(kVariable)) before_ = value;
  }
  ~IsaTest() override {
    if (before_) {
      setenv(kVariable, before_->c_str(), 1);
    } else {
      unsetenv(kVariable);
    }
  }
  static Isa selected_for(const char* value) {
    setenv(kVariable, value, 1);
    return selected_isa();
  }
  static std::string refusal_of(const char* value) {
    return tests::fakes::message_of([&] { selected_for(value); });
  }

 private:
  std::optional<std::string> before_;
};

// Flags as the kernel lists them.
bool processor_has(const std::string& flag) {
  std::ifstream file("/proc/cpuinfo");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto start = text.find("\nflags");
  const std::string flags = text.substr(start, text.find('\n', start + 1) - start) + " ";
  return flags.find(" " + flag + " ") != std::string::npos;
}

TEST_F(IsaTest, NamesEachSet) {
  EXPECT_EQ(isa_name(Isa::portable), "portable");
  EXPECT_EQ(isa_name(Isa::avx2), "avx2");
  EXPECT_EQ(isa_name(Isa::avx512), "avx512");
}

TEST_F(IsaTest, TheBestIsWhatTheProcessorHas) {
  if (!std::ifstream("/proc/cpuinfo")) GTEST_SKIP() << "no /proc/cpuinfo";
  const bool avx2 = processor_has("avx2") && processor_has("fma");
  bool avx512 = avx2;
  for (const char* flag : {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni"}) {
    avx512 = avx512 && processor_has(flag);
  }
  EXPECT_EQ(best_isa(), avx512 ? Isa::avx512 : avx2 ? Isa::avx2 : Isa::portable);
  EXPECT_TRUE(best_isa() < Isa::avx2 || processor_has("f16c")) << "taken for granted with AVX2";
}

TEST_F(IsaTest, WithoutAWishTheBestIsSelected) {
  EXPECT_EQ(selected_for(""), best_isa());
  unsetenv(kVariable);
  EXPECT_EQ(selected_isa(), best_isa());
}

TEST_F(IsaTest, AWishIsHeardUpToWhatTheProcessorHas) {
  for (const Isa isa : {Isa::portable, Isa::avx2, Isa::avx512}) {
    const std::string name(isa_name(isa));
    if (isa <= best_isa()) {
      EXPECT_EQ(selected_for(name.c_str()), isa);
    } else {
      EXPECT_EQ(refusal_of(name.c_str()), "PARLEY_ISA=" + name +
                                              " is not supported by this processor; best is " +
                                              std::string(isa_name(best_isa())));
    }
  }
}

TEST_F(IsaTest, RefusesNamesThatItDoesNotKnow) {
  for (const char* name : {"sse", "AVX2", "avx2 ", "unknown"}) {
    EXPECT_EQ(refusal_of(name),
              "PARLEY_ISA=" + std::string(name) + " is unknown; use portable, avx2 or avx512");
  }
}

}  // namespace
}  // namespace parley::kernels::cpu

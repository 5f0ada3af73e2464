#include "app/cli/memory_bandwidth.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace parley::app::cli {
namespace {

constexpr std::size_t kBytesPerThread = std::size_t{192} << 20;
constexpr int kPasses = 4;

// Anonymous memory in huge pages where the system gives them.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : bytes_(bytes) {
    data_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
    ::madvise(data_, bytes, MADV_HUGEPAGE);
    std::memset(data_, 1, bytes);
  }
  ~Buffer() { ::munmap(data_, bytes_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  const std::uint64_t* words() const { return static_cast<const std::uint64_t*>(data_); }
  std::size_t num_words() const { return bytes_ / sizeof(std::uint64_t); }

 private:
  std::size_t bytes_;
  void* data_;
};

// Four streams a thread: one alone does not keep enough cache lines in flight.
std::uint64_t read_all(const std::uint64_t* words, std::size_t count) {
  const std::size_t quarter = count / 4;
  std::uint64_t sums[4][8] = {};
  for (std::size_t i = 0; i + 8 <= quarter; i += 8) {
    for (std::size_t stream = 0; stream < 4; ++stream) {
      for (std::size_t lane = 0; lane < 8; ++lane) sums[stream][lane] += words[stream * quarter + i + lane];
    }
  }
  std::uint64_t total = 0;
  for (const auto& stream : sums) {
    for (const std::uint64_t lane : stream) total += lane;
  }
  return total;
}

}  // namespace

double measure_read_bandwidth(int threads) {
  const std::size_t count = static_cast<std::size_t>(threads);
  const Buffer buffer(kBytesPerThread * count);
  const std::size_t share = buffer.num_words() / count;
  double best = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    std::vector<std::thread> readers;
    std::vector<std::uint64_t> sums(count);
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t t = 0; t < count; ++t) {
      readers.emplace_back([&, t] { sums[t] = read_all(buffer.words() + t * share, share); });
    }
    for (std::thread& reader : readers) reader.join();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    // The sums are used, so that the reads cannot be left out.
    const double bytes = static_cast<double>(share * count * sizeof(std::uint64_t) + (sums[0] == 0 ? 1 : 0));
    best = std::max(best, bytes / seconds);
  }
  return best;
}

}  // namespace parley::app::cli

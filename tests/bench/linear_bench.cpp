// The products of packed layers beside their floors: memory bandwidth at few rows, the integer peak at many.
// One thread; each figure is divided by the floor measured right before and after it, since machines are
// shared.
//   nice -n -5 linear_bench --benchmark_filter='Q4_K.*avx512'
// Counters: GB/s of packed weights, Gop/s (2 x outputs x inputs x rows), and the shares in percent.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "kernels/cpu/linear.h"
#include "tests/bench/median.h"
#include "tests/kernels/cpu/stored_matrix.h"

namespace parley::kernels::cpu {
namespace {

using dtypes::DType;

// Processor time of this thread: what others take from it does not count.
double seconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Bytes a second of eight read streams over memory that no cache holds.
double read_bandwidth() {
  constexpr std::size_t kBytes = std::size_t{128} << 20;
  constexpr std::size_t kStream = kBytes / 8;
  static const HugeBuffer buffer = [] {
    HugeBuffer made(kBytes);
    std::memset(made.data(), 1, kBytes);
    return made;
  }();
  const double start = seconds();
  for (std::size_t i = 0; i < kStream; i += 64) {
    for (std::size_t stream = 0; stream < 8; ++stream)
      asm volatile("movdqa %0, %%xmm0" : : "m"(buffer.data()[stream * kStream + i]) : "xmm0");
  }
  return static_cast<double>(kBytes) / (seconds() - start);
}

// Operations a second of the instruction that the kernels multiply with, with nothing else to do.
double integer_peak(Isa isa) {
  if (isa == Isa::portable) return 1e12;  // has no instruction of its own: the share is of a round number
  constexpr long kLoops = 300000;
  const double start = seconds();
  if (isa == Isa::avx512) {
    asm volatile(
        "mov %0, %%rcx\n 1:\n"
        ".irp r,0,1,2,3,4,5,6,7,8,9,10,11\n vpdpbusd %%zmm31, %%zmm30, %%zmm\\r\n .endr\n"
        "dec %%rcx\n jnz 1b"
        :
        : "r"(kLoops)
        : "rcx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
          "xmm11");
    return kLoops * 12.0 * 128.0 / (seconds() - start);
  }
  asm volatile(
      "mov %0, %%rcx\n 1:\n"
      ".irp r,0,1,2,3\n vpmaddubsw %%ymm15, %%ymm14, %%ymm\\r\n vpmaddwd %%ymm13, %%ymm\\r, %%ymm\\r\n "
      ".endr\n"
      "vpaddd %%ymm0, %%ymm4, %%ymm4\n vpaddd %%ymm1, %%ymm5, %%ymm5\n"
      "vpaddd %%ymm2, %%ymm6, %%ymm6\n vpaddd %%ymm3, %%ymm7, %%ymm7\n"
      "dec %%rcx\n jnz 1b"
      :
      : "r"(kLoops)
      : "rcx", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
  return kLoops * 4.0 * 64.0 / (seconds() - start);
}

struct Case {
  DType dtype;
  Isa isa;
  int rows;
  int outputs = 1536;
  int columns = 1536;
};

// Copies of one layer, together larger than the caches.
struct Layers {
  WeightArena arena;
  std::vector<PackedLinear> copies;

  explicit Layers(const Case& c) {
    const StoredMatrix weights(c.dtype, c.outputs, c.columns, 1);
    constexpr std::size_t kTotal = std::size_t{192} << 20;
    do {
      copies.emplace_back(std::vector{weights.view}, std::vector<dtypes::MatrixView>{}, arena);
      copies.back().pack({0, copies.back().num_panels()});
    } while (arena.bytes_used() < kTotal);
  }
};

void run(benchmark::State& state, const Case& c) {
  const Layers layers(c);
  const std::vector<float> x = random_floats(static_cast<std::size_t>(c.rows * c.columns), 2);
  std::vector<float> out(static_cast<std::size_t>(c.rows * c.outputs));
  QuantizedRows quantized(c.rows, c.columns);
  quantized.reshape(c.rows, c.columns);
  quantized.quantize(c.isa, x.data(), static_cast<std::size_t>(c.columns), 0, c.rows);
  const LinearInput input{c.rows, &quantized, x.data(), static_cast<std::size_t>(c.columns)};
  const LinearOutput output{out.data(), static_cast<std::size_t>(c.outputs), Store::overwrite};
  const LinearScratch scratch;
  // About 10 ms between two looks at the floor: long enough to count, short enough for the same weather.
  const std::size_t batch =
      c.rows <= 8 ? layers.copies.size()
                  : std::max(std::size_t{1}, std::size_t{512} / (static_cast<std::size_t>(c.rows) * 8));
  std::vector<double> bytes_shares;
  std::vector<double> peak_shares;
  double best = 1e9;
  std::size_t next = 0;
  for (auto _ : state) {
    const double bandwidth_before = read_bandwidth();
    const double peak_before = integer_peak(c.isa);
    const double start = seconds();
    for (std::size_t i = 0; i < batch; ++i, next = (next + 1) % layers.copies.size()) {
      const PackedLinear& layer = layers.copies[next];
      multiply(c.isa, layer, {0, layer.num_panels()}, input, output, scratch);
    }
    const double time = (seconds() - start) / static_cast<double>(batch);
    best = std::min(best, time);
    state.SetIterationTime(time * static_cast<double>(batch));
    bytes_shares.push_back(static_cast<double>(layers.copies[0].bytes()) / time /
                           std::max(bandwidth_before, read_bandwidth()));
    peak_shares.push_back(2.0 * c.rows * c.outputs * c.columns / time /
                          std::max(peak_before, integer_peak(c.isa)));
  }
  state.counters["GB/s"] = static_cast<double>(layers.copies[0].bytes()) / best * 1e-9;
  state.counters["Gop/s"] = 2.0 * c.rows * c.outputs * c.columns / best * 1e-9;
  state.counters["%bandwidth"] = 100.0 * bench::median(bytes_shares);
  state.counters["%peak"] = 100.0 * bench::median(peak_shares);
}

void register_all() {
  for (const Isa isa : all_isas()) {
    for (const DType dtype : all_dtypes()) {
      for (const int rows : {1, 4, 8, 64, 512}) {
        const std::string name = std::string(dtypes::traits(dtype).name) + "/" + std::string(isa_name(isa)) +
                                 "/rows:" + std::to_string(rows);
        const int iterations = isa == Isa::portable ? 1 : 15;
        benchmark::RegisterBenchmark(name.c_str(), run, Case{dtype, isa, rows})
            ->Iterations(iterations)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace
}  // namespace parley::kernels::cpu

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  parley::kernels::cpu::register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

#pragma once
// The machine's memory read bandwidth, measured: the floor under every decode figure. Main thread; starts
// threads. Throws std::bad_alloc.

namespace parley::app::cli {

// Bytes a second that `threads` threads read from memory too large for any cache (best of a few passes).
double measure_read_bandwidth(int threads);

}  // namespace parley::app::cli

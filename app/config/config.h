#pragma once
// The server's configuration: defaults, then the JSON file, then PARLEY_… variables, then command line
// options. Plain data, immutable after start.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "inference/backend/backend.h"

namespace parley::app::config {

struct Config {
  std::string model;                 // catalogue name or a GGUF file
  std::filesystem::path data_dir;    // conversations and downloaded models
  std::filesystem::path tools_file;  // empty: tools.json in the user's configuration folder, if it is there
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;  // 0: any free one
  std::string access_key;     // required to listen beyond loopback; then asked for as Bearer on every route
  std::vector<std::string> allowed_hosts;  // names beside localhost, 127.0.0.1 and [::1] that Host may hold
  std::filesystem::path ui_dir;  // serve the UI from here in place of the built-in copy; empty: built-in

  int threads = 0;            // 0: all cores
  int context = 0;            // 0: min(model, 8192)
  std::size_t kv_memory = 0;  // bytes; 0: a quarter of free memory
  inference::backend::KvType kv_type = inference::backend::KvType::f16;
  std::chrono::milliseconds step_time{100};
  int max_sequences = 16;
  int max_waiting = 256;

  // What requests get that do not say otherwise.
  double temperature = 0.7;
  int top_k = 40;
  double top_p = 0.95;
  double min_p = 0.05;
  double repeat_penalty = 1.0;
  int max_tokens = 0;  // 0: up to the context's end

  std::chrono::milliseconds drain_time{10'000};  // for running answers at shutdown
};

}  // namespace parley::app::config

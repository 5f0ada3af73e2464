#include "app/config/settings.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include "app/config/host_list.h"

namespace parley::app::config {
namespace {

// What is wrong with a value, as Setting::read says it.
using Problem = std::optional<std::string>;

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

template <typename T>
std::string number_text(T number) {
  std::string text = std::to_string(number);
  const std::size_t point = text.find('.');
  if (point != std::string::npos) text.erase(std::max(text.find_last_not_of('0'), point + 1) + 1);
  return text;
}

template <typename T>
Problem read_number(T& target, std::string_view text, T low, T high) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !(value >= low && value <= high)) {  // the negation also refuses NaN
    return "expected a number from " + number_text(low) + " to " + number_text(high) + ", not " +
           in_quotes(text);
  }
  target = value;
  return std::nullopt;
}

template <typename T>
auto number(T Config::*field, T low, T high) {
  return
      [=](Config& config, std::string_view text) { return read_number<T>(config.*field, text, low, high); };
}

auto milliseconds(std::chrono::milliseconds Config::*field, int low, int high) {
  return [=](Config& config, std::string_view text) {
    int count = 0;
    Problem problem = read_number(count, text, low, high);
    if (!problem) config.*field = std::chrono::milliseconds(count);
    return problem;
  };
}

// Any text will do.
template <typename T>
auto words(T Config::*field) {
  return [=](Config& config, std::string_view text) -> Problem {
    config.*field = T(text);
    return std::nullopt;
  };
}

Problem read_port(Config& config, std::string_view text) {
  return read_number<std::uint16_t>(config.port, text, 0, 65535);
}

Problem read_kv_memory(Config& config, std::string_view text) {
  const auto size = parse_size(text);
  if (!size) return "expected a size such as 512M or 2G, not " + in_quotes(text);
  config.kv_memory = *size;
  return std::nullopt;
}

Problem read_kv_type(Config& config, std::string_view text) {
  using inference::backend::KvType;
  if (text != "f16" && text != "f32") return "expected f16 or f32, not " + in_quotes(text);
  config.kv_type = text == "f16" ? KvType::f16 : KvType::f32;
  return std::nullopt;
}

Problem read_allowed_hosts(Config& config, std::string_view text) {
  return read_host_list(text, config.allowed_hosts);
}

// The key itself is in no message: messages end in logs.
Problem read_access_key(Config& config, std::string_view text) {
  constexpr std::size_t kShortestKey = 16;
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 127; });
  if (!text.empty() && (text.size() < kShortestKey || !printable)) {
    return "expected at least 16 printable characters without spaces";
  }
  config.access_key = text;
  return std::nullopt;
}

constexpr int kMaxInt = std::numeric_limits<int>::max();

const std::vector<Setting>& table() {
  static const std::vector<Setting> kRows = {
      {"model", "NAME|FILE", "model of the catalogue, or a GGUF file", words(&Config::model)},
      {"data", "DIR", "folder for conversations", words(&Config::data_dir)},
      {"tools", "FILE",
       "the tools that models may call; else tools.json in ~/.config/parley, if there is one",
       words(&Config::tools_file)},
      {"host", "ADDRESS", "address to listen on; beyond loopback it needs access_key", words(&Config::host)},
      {"port", "N", "port to listen on; 0 picks a free one", read_port},
      {"access_key", "KEY", "asked for as Bearer on every route", read_access_key},
      {"allowed_hosts", "NAMES", "names in the Host header to accept beside the loopback ones",
       read_allowed_hosts},
      {"ui_dir", "DIR", "serve the web interface from here, not the built-in one", words(&Config::ui_dir)},
      {"threads", "N", "compute threads; 0: all cores", number<int>(&Config::threads, 0, 1024)},
      {"context", "N", "tokens of prompt and answer; 0: the model's, at most 8192",
       number<int>(&Config::context, 0, 1 << 24)},
      {"kv_memory", "SIZE", "memory for the KV cache, as 512M or 2G; 0: a quarter of what is free",
       read_kv_memory},
      {"kv_type", "f16|f32", "type of the KV cache", read_kv_type},
      {"step_ms", "N", "how long reading a prompt may delay running answers, a step",
       milliseconds(&Config::step_time, 1, 60'000)},
      {"max_sequences", "N", "answers generated at once", number<int>(&Config::max_sequences, 1, 256)},
      {"max_waiting", "N", "requests in the queue; beyond it they are refused",
       number<int>(&Config::max_waiting, 1, 100'000)},
      {"temperature", "T", "default sampling temperature; 0: always the likeliest token",
       number<double>(&Config::temperature, 0.0, 2.0)},
      {"top_k", "N", "default top-k; 0: off", number<int>(&Config::top_k, 0, kMaxInt)},
      {"top_p", "P", "default top-p; 1: off", number<double>(&Config::top_p, 0.0, 1.0)},
      {"min_p", "P", "default min-p; 0: off", number<double>(&Config::min_p, 0.0, 1.0)},
      {"repeat_penalty", "R", "default repetition penalty; 1: off",
       number<double>(&Config::repeat_penalty, 0.1, 10.0)},
      {"max_tokens", "N", "default length of an answer; 0: up to the context's end",
       number<int>(&Config::max_tokens, 0, 1 << 24)},
      {"drain_ms", "N", "how long running answers may go on at shutdown",
       milliseconds(&Config::drain_time, 0, 3'600'000)},
  };
  return kRows;
}

}  // namespace

std::optional<std::size_t> parse_size(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  int shift = -1;
  if (unit.empty()) shift = 0;
  if (unit == "K" || unit == "k") shift = 10;
  if (unit == "M" || unit == "m") shift = 20;
  if (unit == "G" || unit == "g") shift = 30;
  constexpr std::size_t kLargest = std::size_t{1} << 46;
  if (error != std::errc{} || shift < 0 || value > (kLargest >> shift)) return std::nullopt;
  return value << shift;
}

std::span<const Setting> settings() { return table(); }

const Setting* find_setting(std::string_view key) {
  const auto found =
      std::find_if(table().begin(), table().end(), [&](const Setting& s) { return s.key == key; });
  return found == table().end() ? nullptr : &*found;
}

std::string option_name(const Setting& setting) {
  std::string name(setting.key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::string variable_name(const Setting& setting) {
  std::string name = "PARLEY_";
  for (const char c : setting.key) name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace parley::app::config

#include "app/config/settings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace parley::app::config {
namespace {

template <typename T>
T parse_number(std::string_view text, T low, T high) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !(value >= low && value <= high)) {  // the negation also refuses NaN
    auto shown = [](T x) {
      std::string s = std::to_string(x);
      if (s.find('.') != std::string::npos) s.erase(std::max(s.find_last_not_of('0'), s.find('.') + 1) + 1);
      return s;
    };
    throw ConfigError("expected a number from " + shown(low) + " to " + shown(high) + ", not \"" +
                      std::string(text) + "\"");
  }
  return value;
}

auto integer(int Config::*field, int low, int high) {
  return [=](Config& config, std::string_view text) { config.*field = parse_number<int>(text, low, high); };
}

auto real(double Config::*field, double low, double high) {
  return
      [=](Config& config, std::string_view text) { config.*field = parse_number<double>(text, low, high); };
}

auto milliseconds(std::chrono::milliseconds Config::*field, int low, int high) {
  return [=](Config& config, std::string_view text) {
    config.*field = std::chrono::milliseconds(parse_number<int>(text, low, high));
  };
}

auto folder(std::filesystem::path Config::*field) {
  return [=](Config& config, std::string_view text) { config.*field = std::filesystem::path(text); };
}

auto text_value(std::string Config::*field) {
  return [=](Config& config, std::string_view text) { config.*field = text; };
}

void read_port(Config& config, std::string_view text) {
  config.port = static_cast<std::uint16_t>(parse_number<int>(text, 0, 65535));
}

void read_kv_memory(Config& config, std::string_view text) { config.kv_memory = parse_size(text); }

void read_kv_type(Config& config, std::string_view text) {
  using inference::backend::KvType;
  if (text != "f16" && text != "f32")
    throw ConfigError("expected f16 or f32, not \"" + std::string(text) + "\"");
  config.kv_type = text == "f16" ? KvType::f16 : KvType::f32;
}

void read_allowed_hosts(Config& config, std::string_view text) {
  config.allowed_hosts.clear();
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma > 0) config.allowed_hosts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

void read_access_key(Config& config, std::string_view text) {
  constexpr std::size_t kShortestKey = 16;
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 127; });
  if (!text.empty() && (text.size() < kShortestKey || !printable)) {
    throw ConfigError("expected at least 16 printable characters without spaces");
  }
  config.access_key = text;
}

constexpr int kMaxInt = std::numeric_limits<int>::max();

const std::vector<Setting>& table() {
  static const std::vector<Setting> kRows = {
      {"model", "NAME|FILE", "model of the catalogue, or a GGUF file", text_value(&Config::model)},
      {"data", "DIR", "folder for conversations", folder(&Config::data_dir)},
      {"host", "ADDRESS", "address to listen on; beyond loopback it needs access_key",
       text_value(&Config::host)},
      {"port", "N", "port to listen on; 0 picks a free one", read_port},
      {"access_key", "KEY", "asked for as Bearer on every route", read_access_key},
      {"allowed_hosts", "NAMES", "names in the Host header to accept beside the loopback ones",
       read_allowed_hosts},
      {"ui_dir", "DIR", "serve the web interface from here, not the built-in one", folder(&Config::ui_dir)},
      {"threads", "N", "compute threads; 0: all cores", integer(&Config::threads, 0, 1024)},
      {"context", "N", "tokens of prompt and answer; 0: the model's, at most 8192",
       integer(&Config::context, 0, 1 << 24)},
      {"kv_memory", "SIZE", "memory for the KV cache, as 512M or 2G; 0: a quarter of what is free",
       read_kv_memory},
      {"kv_type", "f16|f32", "type of the KV cache", read_kv_type},
      {"step_ms", "N", "how long reading a prompt may delay running answers, a step",
       milliseconds(&Config::step_time, 1, 60'000)},
      {"max_sequences", "N", "answers generated at once", integer(&Config::max_sequences, 1, 256)},
      {"max_waiting", "N", "requests in the queue; beyond it they are refused",
       integer(&Config::max_waiting, 1, 100'000)},
      {"temperature", "T", "default sampling temperature; 0: always the likeliest token",
       real(&Config::temperature, 0.0, 2.0)},
      {"top_k", "N", "default top-k; 0: off", integer(&Config::top_k, 0, kMaxInt)},
      {"top_p", "P", "default top-p; 1: off", real(&Config::top_p, 0.0, 1.0)},
      {"min_p", "P", "default min-p; 0: off", real(&Config::min_p, 0.0, 1.0)},
      {"repeat_penalty", "R", "default repetition penalty; 1: off", real(&Config::repeat_penalty, 0.1, 10.0)},
      {"max_tokens", "N", "default length of an answer; 0: up to the context's end",
       integer(&Config::max_tokens, 0, 1 << 24)},
      {"drain_ms", "N", "how long running answers may go on at shutdown",
       milliseconds(&Config::drain_time, 0, 3'600'000)},
  };
  return kRows;
}

}  // namespace

std::size_t parse_size(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  int shift = -1;
  if (unit.empty()) shift = 0;
  if (unit == "K" || unit == "k") shift = 10;
  if (unit == "M" || unit == "m") shift = 20;
  if (unit == "G" || unit == "g") shift = 30;
  constexpr std::size_t kLargest = std::size_t{1} << 46;
  if (error != std::errc{} || shift < 0 || value > (kLargest >> shift)) {
    throw ConfigError("expected a size such as 512M or 2G, not \"" + std::string(text) + "\"");
  }
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

#pragma once
// The table of all settings: one line each, whatever the source (file, environment, command line).
// Immutable, any thread; a bad value is words, not an exception.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/config/config.h"

namespace parley::app::config {

// What the user wrote cannot be used; the text names the place and says what is expected.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Setting {
  std::string_view key;         // in the file: kv_memory; on the command line --kv-memory; PARLEY_KV_MEMORY
  std::string_view value_name;  // for the help text: SIZE
  std::string_view help;
  // Reads the value's text into the configuration. Nullopt: done; else the configuration is as it was, and
  // the words say what is expected, without the key.
  std::function<std::optional<std::string>(Config&, std::string_view)> read;
};

std::span<const Setting> settings();

const Setting* find_setting(std::string_view key);

std::string option_name(const Setting& setting);    // "kv-memory"
std::string variable_name(const Setting& setting);  // "PARLEY_KV_MEMORY"

// "512M", "2G", "1073741824": bytes. Nullopt: no such size.
std::optional<std::size_t> parse_size(std::string_view text);

}  // namespace parley::app::config

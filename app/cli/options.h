#pragma once
// Command line options of one command: declared, parsed, explained (Boost.Program_options inside). One object
// per run, main thread. Throws UsageError that names the option; an unknown one names the nearest known.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.h"

namespace parley::app::cli {

class Options {
 public:
  // `usage` is the line after "usage: parley ".
  Options(std::string usage, std::string about);
  ~Options();
  Options(Options&&) noexcept;

  void add_value(const std::string& name, const std::string& value_name,
                 const std::string& help);  // may be repeated
  void add_flag(const std::string& name, const std::string& help);
  // Further arguments without a name stand for these, in the order in which they are allowed.
  void allow_positional(const std::string& name);

  // False when --help was asked for and printed.
  bool parse(const Arguments& arguments);

  bool has(std::string_view name) const;
  std::optional<std::string> text(std::string_view name) const;  // the last one given
  std::vector<std::string> texts(std::string_view name) const;
  std::string required(std::string_view name) const;
  long integer(std::string_view name, long otherwise, long low, long high) const;
  double number(std::string_view name, double otherwise, double low, double high) const;
  std::vector<long> integers(std::string_view name, std::vector<long> otherwise, long low, long high) const;

 private:
  struct Parsed;
  [[noreturn]] void refuse_unknown(const std::string& option) const;

  std::string usage_, about_;
  std::vector<std::string> names_, positional_;
  std::unique_ptr<Parsed> parsed_;
};

}  // namespace parley::app::cli

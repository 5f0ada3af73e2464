#include "app/cli/options.h"

#include <algorithm>
#include <charconv>
#include <iostream>

#include <boost/program_options.hpp>

#include "inference/json/nearest_name.h"

namespace parley::app::cli {
namespace {

namespace po = boost::program_options;

using Texts = std::vector<std::string>;

template <typename T>
T parse_in_range(std::string_view name, std::string_view text, T low, T high) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= low && value <= high)) {
    throw UsageError("--" + std::string(name) + " expects a number from " + std::to_string(low) + " to " +
                     std::to_string(high) + ", not \"" + std::string(text) + "\"");
  }
  return value;
}

}  // namespace

struct Options::Parsed {
  po::options_description description{110};
  po::positional_options_description positional;
  po::variables_map values;
};

Options::Options(std::string usage, std::string about)
    : usage_(std::move(usage)), about_(std::move(about)), parsed_(std::make_unique<Parsed>()) {}
Options::~Options() = default;
Options::Options(Options&&) noexcept = default;

void Options::add_value(const std::string& name, const std::string& value_name, const std::string& help) {
  names_.push_back(name);
  parsed_->description.add_options()(name.c_str(), po::value<Texts>()->composing()->value_name(value_name),
                                     help.c_str());
}

void Options::add_flag(const std::string& name, const std::string& help) {
  names_.push_back(name);
  parsed_->description.add_options()(name.c_str(), help.c_str());
}

void Options::allow_positional(const std::string& name) {
  positional_.push_back(name);
  parsed_->positional.add(name.c_str(), 1);
}

bool Options::parse(const Arguments& arguments) {
  if (std::find(arguments.begin(), arguments.end(), "--help") != arguments.end()) {
    std::cout << "usage: parley " << usage_ << "\n\n" << about_ << "\n\n" << parsed_->description;
    return false;
  }
  const int style = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent |
                    po::command_line_style::long_allow_next;
  try {  // the library tells mistakes by exceptions only; they become ours here
    po::store(po::command_line_parser(arguments)
                  .options(parsed_->description)
                  .positional(parsed_->positional)
                  .style(style)
                  .run(),
              parsed_->values);
  } catch (const po::unknown_option& error) {
    refuse_unknown(error.get_option_name());
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError("too many arguments; see parley " + usage_.substr(0, usage_.find(' ')) + " --help");
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }
  return true;
}

void Options::refuse_unknown(const std::string& option) const {
  const std::string_view name =
      std::string_view(option).substr(std::min(option.find_first_not_of('-'), option.size()));
  const std::vector<std::string_view> known(names_.begin(), names_.end());
  const std::string_view near = inference::json::nearest_name(name, known);
  throw UsageError("there is no option --" + std::string(name) +
                   (near.empty() ? "; see --help" : "; did you mean --" + std::string(near) + "?"));
}

bool Options::has(std::string_view name) const { return parsed_->values.count(std::string(name)) > 0; }

std::vector<std::string> Options::texts(std::string_view name) const {
  return has(name) ? parsed_->values[std::string(name)].as<Texts>() : Texts{};
}

std::optional<std::string> Options::text(std::string_view name) const {
  const Texts all = texts(name);
  return all.empty() ? std::nullopt : std::optional(all.back());
}

std::string Options::required(std::string_view name) const {
  if (const auto value = text(name)) return *value;
  const bool is_positional = std::find(positional_.begin(), positional_.end(), name) != positional_.end();
  throw UsageError((is_positional ? "" : "--") + std::string(name) + " is missing; see --help");
}

long Options::integer(std::string_view name, long otherwise, long low, long high) const {
  const auto value = text(name);
  return value ? parse_in_range<long>(name, *value, low, high) : otherwise;
}

double Options::number(std::string_view name, double otherwise, double low, double high) const {
  const auto value = text(name);
  return value ? parse_in_range<double>(name, *value, low, high) : otherwise;
}

std::vector<long> Options::integers(std::string_view name, std::vector<long> otherwise, long low,
                                    long high) const {
  const auto value = text(name);
  if (!value) return otherwise;
  std::vector<long> list;
  std::string_view rest = *value;
  while (true) {
    const std::size_t comma = rest.find(',');
    list.push_back(parse_in_range<long>(name, rest.substr(0, comma), low, high));
    if (comma == std::string_view::npos) return list;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace parley::app::cli

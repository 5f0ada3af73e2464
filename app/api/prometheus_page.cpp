#include "app/api/prometheus_page.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace parley::app::api {
namespace {

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

void PrometheusPage::family(std::string_view name, std::string_view type, std::string_view help) {
  text_.append("# HELP ").append(name).append(" ").append(help).append("\n");
  text_.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void PrometheusPage::sample(std::string_view name, const Labels& labels, double value) {
  text_ += name;
  char before = '{';
  for (const Labels* some : {&std::as_const(common_), &labels}) {
    for (const auto& [label, content] : *some) {
      text_ += before;
      before = ',';
      text_.append(label).append("=\"").append(escaped(content)).append("\"");
    }
  }
  if (before == ',') text_ += '}';
  text_.append(" ").append(number_text(value)).append("\n");
}

void PrometheusPage::gauge(std::string_view name, std::string_view help, double value) {
  family(name, "gauge", help);
  sample(name, {}, value);
}

void PrometheusPage::counter(std::string_view name, std::string_view help, double value) {
  family(name, "counter", help);
  sample(name, {}, value);
}

void PrometheusPage::histogram(std::string_view name, std::string_view help, const Histogram& histogram) {
  family(name, "histogram", help);
  const std::string bucket = std::string(name) + "_bucket";
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < histogram.counts().size(); ++i) {
    total += histogram.counts()[i];
    const bool last = i == histogram.bounds().size();
    sample(bucket, {{"le", last ? "+Inf" : number_text(histogram.bounds()[i])}}, static_cast<double>(total));
  }
  sample(std::string(name) + "_sum", {}, histogram.sum());
  sample(std::string(name) + "_count", {}, static_cast<double>(total));
}

}  // namespace parley::app::api

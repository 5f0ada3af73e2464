#include "orchestration/calls/call_formats.h"

#include <algorithm>

#include "orchestration/calls/call_format_rows.h"

namespace parley::orchestration::calls {
namespace {

std::vector<CallFormat> all_rows() {
  std::vector<CallFormat> rows = tagged_format_rows();
  for (std::vector<CallFormat> more : {named_format_rows(), literal_format_rows(), json_format_rows()}) {
    for (CallFormat& row : more) rows.push_back(std::move(row));
  }
  return rows;
}

const std::vector<CallFormat>& table() {
  static const std::vector<CallFormat> kRows = all_rows();
  return kRows;
}

bool has_all_marks(std::string_view source, const CallFormat& format) {
  const auto is_there = [source](const std::string& mark) {
    return source.find(mark) != std::string_view::npos;
  };
  return !format.template_marks.empty() &&
         std::all_of(format.template_marks.begin(), format.template_marks.end(), is_there);
}

}  // namespace

std::span<const CallFormat> call_formats() { return table(); }

const CallFormat* find_call_format(std::string_view name) {
  const auto found = std::find_if(table().begin(), table().end(),
                                  [name](const CallFormat& format) { return format.name == name; });
  return found == table().end() ? nullptr : &*found;
}

const CallFormat* format_of_template(std::string_view template_source) {
  const auto found = std::find_if(
      table().begin(), table().end(),
      [template_source](const CallFormat& format) { return has_all_marks(template_source, format); });
  return found == table().end() ? nullptr : &*found;
}

const CallFormat& generic_call_format() { return *find_call_format("hermes"); }

}  // namespace parley::orchestration::calls

#include "inference/model/metadata_reader.h"

#include <sstream>
#include <stdexcept>

#include "inference/formats/gguf.h"

namespace parley::inference::model {
namespace {

template <typename Value, typename Bound>
std::string outside(Value value, Range<Bound> range) {
  std::ostringstream text;
  text << "is " << value << ", must be from " << range.least << " to " << range.most;
  return text.str();
}

}  // namespace

void MetadataReader::fail(std::string_view key, const std::string& problem) const {
  throw std::runtime_error(file_.path().string() + ": metadata key '" + name(key) + "': " + problem);
}

int MetadataReader::integer(std::string_view key, Range<int> range) const {
  const auto value = formats::find_integer(file_, name(key));
  if (!value) fail(key, "is missing");
  if (*value < range.least || *value > range.most) fail(key, outside(*value, range));
  return static_cast<int>(*value);
}

int MetadataReader::integer_or(std::string_view key, int fallback, Range<int> range) const {
  return file_.find_metadata(name(key)) == nullptr ? fallback : integer(key, range);
}

double MetadataReader::number(std::string_view key, Range<double> range) const {
  const auto value = formats::find_number(file_, name(key));
  if (!value) fail(key, "is missing");
  if (*value < range.least || *value > range.most) fail(key, outside(*value, range));
  return *value;
}

double MetadataReader::number_or(std::string_view key, double fallback, Range<double> range) const {
  return file_.find_metadata(name(key)) == nullptr ? fallback : number(key, range);
}

}  // namespace parley::inference::model

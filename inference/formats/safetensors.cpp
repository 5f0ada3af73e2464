#include "inference/formats/safetensors.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "inference/formats/mapped_file.h"
#include "inference/formats/shown_name.h"
#include "inference/json/fields.h"

namespace parley::inference::formats {
namespace {

using json::JsonArray;
using json::JsonObject;
using json::JsonValue;
using kernels::dtypes::DType;

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxHeaderBytes = std::size_t{100} << 20;  // as the format says
constexpr std::size_t kMaxShapeLength = 8;
constexpr std::int64_t kMaxValues = std::int64_t{1} << 40;

class MappedSafetensors final : public SafetensorsFile {
 public:
  explicit MappedSafetensors(const std::filesystem::path& path) : path_(path), file_(path) { read(); }

  const std::vector<SafeTensor>& tensors() const override { return tensors_; }
  const SafeTensor* find(std::string_view name) const override {
    const auto at =
        std::lower_bound(tensors_.begin(), tensors_.end(), name,
                         [](const SafeTensor& tensor, std::string_view key) { return tensor.name < key; });
    return at != tensors_.end() && at->name == name ? &*at : nullptr;
  }
  bool is_unchanged() const override { return file_.is_unchanged(); }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(path_.string() + ": " + what + "; is the download complete?");
  }
  void read();
  JsonObject read_header(std::span<const std::byte>& values) const;
  std::optional<SafeTensor> read_tensor(std::string_view name, const JsonObject& entry,
                                        std::span<const std::byte> values) const;
  std::vector<std::int64_t> read_shape(const std::string& shown, const JsonObject& entry) const;

  const std::filesystem::path path_;
  const MappedFile file_;
  std::vector<SafeTensor> tensors_;  // by name
};

std::optional<DType> safetensor_dtype(std::string_view name) {
  if (name == "F32") return DType::f32;
  if (name == "F16") return DType::f16;
  if (name == "BF16") return DType::bf16;
  return std::nullopt;
}

JsonObject MappedSafetensors::read_header(std::span<const std::byte>& values) const {
  const std::span<const std::byte> bytes = file_.bytes();
  if (bytes.size() < kLengthBytes) fail("the file is too short to be a safetensors file");
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kMaxHeaderBytes || length > bytes.size() - kLengthBytes) {
    fail("its header says that it has " + std::to_string(length) + " bytes, more than there are");
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, length);
  auto parsed = json::parse_json(text, {kMaxHeaderBytes, 8});
  if (const auto* error = std::get_if<json::JsonError>(&parsed))
    fail("its header is no JSON: " + error->message);
  auto* header = std::get<JsonValue>(parsed).if_object();
  if (header == nullptr) fail("its header is no JSON object");
  values = bytes.subspan(kLengthBytes + length);
  return std::move(*header);
}

void MappedSafetensors::read() {
  std::span<const std::byte> values;
  const JsonObject header = read_header(values);
  for (const auto& [name, value] : header) {
    if (name == "__metadata__") continue;
    const JsonObject* entry = value.if_object();
    if (entry == nullptr) fail("tensor " + shown_name(name) + " has no description");
    if (auto tensor = read_tensor(name, *entry, values)) tensors_.push_back(std::move(*tensor));
  }
  std::sort(tensors_.begin(), tensors_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
}

std::vector<std::int64_t> MappedSafetensors::read_shape(const std::string& shown,
                                                        const JsonObject& entry) const {
  const JsonArray* dimensions = json::array_field(entry, "shape");
  if (dimensions == nullptr || dimensions->size() > kMaxShapeLength)
    fail("tensor " + shown + " has no valid shape");
  std::vector<std::int64_t> shape;
  std::int64_t count = 1;
  for (const auto& dimension : *dimensions) {
    const std::int64_t size = dimension.is_int64() ? dimension.get_int64() : 0;
    if (size < 1 || size > kMaxValues / count) fail("tensor " + shown + " has no valid shape");
    count *= size;
    shape.push_back(size);
  }
  if (shape.empty()) shape.push_back(1);
  return shape;
}

std::optional<SafeTensor> MappedSafetensors::read_tensor(std::string_view name, const JsonObject& entry,
                                                         std::span<const std::byte> values) const {
  const std::string shown = shown_name(name);
  const auto dtype = safetensor_dtype(json::text_view(entry, "dtype"));
  if (!dtype) return std::nullopt;
  SafeTensor tensor;
  tensor.name = name;
  tensor.shape = read_shape(shown, entry);
  const JsonArray* offsets = json::array_field(entry, "data_offsets");
  if (offsets == nullptr || offsets->size() != 2 || !(*offsets)[0].is_int64() || !(*offsets)[1].is_int64()) {
    fail("tensor " + shown + " has no offsets");
  }
  const std::int64_t begin = (*offsets)[0].get_int64(), end = (*offsets)[1].get_int64();
  if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > values.size()) {
    fail("tensor " + shown + " lies outside the file");
  }
  std::int64_t rows = 1;
  for (std::size_t i = 0; i + 1 < tensor.shape.size(); ++i) rows *= tensor.shape[i];
  tensor.matrix = {*dtype, rows, tensor.shape.back(), values.data() + begin};
  if (kernels::dtypes::stored_bytes(tensor.matrix) != static_cast<std::size_t>(end - begin)) {
    fail("tensor " + shown + " has another size than its shape says");
  }
  return tensor;
}

}  // namespace

std::unique_ptr<SafetensorsFile> open_safetensors(const std::filesystem::path& path) {
  return std::make_unique<MappedSafetensors>(path);
}

}  // namespace parley::inference::formats

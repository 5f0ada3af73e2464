#pragma once
// Safetensors files by memory mapping: a JSON header with names, types, shapes and offsets, then the values
// (github.com/huggingface/safetensors, "Format"). Hostile input: every offset, shape and length is checked,
// anything wrong is a std::runtime_error that names the file and what is wrong. Immutable after open, any
// thread. Views borrow the mapping, see mapped_file.h.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/dtypes/dtype.h"

namespace parley::inference::formats {

struct SafeTensor {
  std::string name;
  std::vector<std::int64_t> shape;     // outermost first
  kernels::dtypes::MatrixView matrix;  // the last dimension is the columns; the others are the rows
};

class SafetensorsFile {
 public:
  virtual ~SafetensorsFile() = default;
  // Only tensors of type F32, F16 and BF16; others are passed over.
  virtual const std::vector<SafeTensor>& tensors() const = 0;
  virtual const SafeTensor* find(std::string_view name) const = 0;  // nullptr: absent
  virtual bool is_unchanged() const = 0;
};

std::unique_ptr<SafetensorsFile> open_safetensors(const std::filesystem::path& path);

}  // namespace parley::inference::formats

#include "inference/model/weight_plan.h"

#include <stdexcept>
#include <utility>

#include "inference/formats/gguf.h"
#include "inference/formats/shown_name.h"

namespace parley::inference::model {
namespace {

using kernels::dtypes::MatrixView;

[[noreturn]] void fail(const formats::GgufFile& file, const std::string& tensor, const std::string& problem) {
  throw std::runtime_error(file.path().string() + ": tensor " + formats::shown_name(tensor) + ": " + problem);
}

std::string shape_text(std::int64_t rows, std::int64_t columns) {
  return "[" + std::to_string(rows) + ", " + std::to_string(columns) + "]";
}

}  // namespace

bool WeightPlan::has(std::string_view name) const {
  return file_.find_tensor(std::string(name) + ".weight") != nullptr;
}

MatrixView WeightPlan::find(const std::string& tensor, std::int64_t rows, std::int64_t columns) {
  const formats::TensorInfo* info = file_.find_tensor(tensor);
  if (info == nullptr) fail(file_, tensor, "is missing");
  if (info->matrix.rows != rows || info->matrix.columns != columns) {
    fail(file_, tensor,
         "has shape " + shape_text(info->matrix.rows, info->matrix.columns) + " [rows, columns], expected " +
             shape_text(rows, columns));
  }
  used_.insert(tensor);
  return info->matrix;
}

void WeightPlan::add(backend::WeightHandle& target, backend::WeightSource source, double bytes) {
  entries_.push_back({&target, std::move(source), bytes});
}

void WeightPlan::add_norm(backend::WeightHandle& target, std::string_view name, std::int64_t dim) {
  const MatrixView values = find(std::string(name) + ".weight", 1, dim);
  add(target, backend::VectorSource{values}, static_cast<double>(stored_bytes(values)));
}

bool WeightPlan::wants_bias(const LinearPart& part) const {
  return part.biases == Biases::required ||
         (part.biases == Biases::optional && file_.find_tensor(part.name + ".bias") != nullptr);
}

void WeightPlan::add_linear(backend::WeightHandle& target, std::span<const LinearPart> parts,
                            std::int64_t inputs) {
  backend::LinearSource source;
  bool biased = false;
  for (const LinearPart& part : parts) biased = biased || wants_bias(part);
  double bytes = 0;
  for (const LinearPart& part : parts) {
    source.parts.push_back(find(part.name + ".weight", part.outputs, inputs));
    bytes += static_cast<double>(stored_bytes(source.parts.back()));
    if (biased) source.biases.push_back(find(part.name + ".bias", 1, part.outputs));
  }
  add(target, std::move(source), bytes);
}

void WeightPlan::refuse_unused() const {
  for (const formats::TensorInfo& tensor : file_.tensors()) {
    if (!used_.contains(tensor.name)) {
      fail(file_, tensor.name,
           "is not part of the architecture that the file names; the model is of another kind");
    }
  }
}

void WeightPlan::load(backend::Backend& backend, const LoadProgress& progress) {
  double total = 0;
  for (const Entry& entry : entries_) total += entry.bytes;
  double done = 0;
  for (Entry& entry : entries_) {
    if (progress) progress(done / total);
    *entry.target = backend.load(entry.source);
    done += entry.bytes;
  }
  if (progress) progress(1.0);
}

}  // namespace parley::inference::model

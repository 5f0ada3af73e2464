#pragma once
// Finds the tensors of a model by name and shape, first all of them, then loads them: a file that does not
// fit is refused before time is spent on it. One thread. Throws std::runtime_error that names file and
// tensor.

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inference/backend/backend.h"
#include "inference/model/architecture.h"
#include "inference/model/transformer.h"

namespace parley::inference::formats {
class GgufFile;
struct TensorInfo;
}  // namespace parley::inference::formats

namespace parley::inference::model {

// One of the matrices of a linear layer. `name` is without ".weight" and ".bias".
struct LinearPart {
  std::string name;
  std::int64_t outputs = 0;
  Biases biases = Biases::optional;
};

class WeightPlan {
 public:
  // Borrows the file; the handles given to the add functions are filled by load.
  explicit WeightPlan(const formats::GgufFile& file) : file_(file) {}

  bool has(std::string_view name) const;
  void add_norm(backend::WeightHandle& target, std::string_view name, std::int64_t dim);
  // A layer's parts have biases all or none.
  void add_linear(backend::WeightHandle& target, std::span<const LinearPart> parts, std::int64_t inputs);

  // Marks a tensor that is not a weight as known.
  void accept(std::string_view tensor) { used_.emplace(tensor); }
  // Refuses tensors that nothing has asked for: a model that has them would not compute what its makers
  // meant.
  void refuse_unused() const;

  void load(backend::Backend& backend, const LoadProgress& progress);

 private:
  struct Entry {
    backend::WeightHandle* target;
    backend::WeightSource source;
    double bytes;
  };

  kernels::dtypes::MatrixView find(const std::string& tensor, std::int64_t rows, std::int64_t columns);
  bool wants_bias(const LinearPart& part) const;
  void add(backend::WeightHandle& target, backend::WeightSource source, double bytes);

  const formats::GgufFile& file_;
  std::set<std::string, std::less<>> used_;
  std::vector<Entry> entries_;
};

}  // namespace parley::inference::model

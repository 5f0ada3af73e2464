#include "inference/model/architecture.h"

#include <array>

namespace parley::inference::model {
namespace {

using Getter = const Architecture& (*)();
constexpr std::array<Getter, 2> kArchitectures = {llama_architecture, qwen2_architecture};

}  // namespace

const Architecture* find_architecture(std::string_view name) {
  for (const Getter get : kArchitectures) {
    if (get().name == name) return &get();
  }
  return nullptr;
}

std::string supported_architectures() {
  std::string names;
  for (const Getter get : kArchitectures) {
    if (!names.empty()) names += ", ";
    names += get().name;
  }
  return names;
}

}  // namespace parley::inference::model

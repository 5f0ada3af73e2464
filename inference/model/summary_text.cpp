#include "inference/model/summary_text.h"

#include <array>
#include <iomanip>
#include <sstream>
#include <string_view>

namespace parley::inference::model {
namespace {

std::string size_text(std::size_t bytes) {
  constexpr std::array<std::string_view, 4> kUnits = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << value << ' ' << kUnits[unit];
  return text.str();
}

std::string count_text(std::int64_t count) {
  std::ostringstream text;
  if (count >= 1'000'000'000) {
    text << std::fixed << std::setprecision(2) << static_cast<double>(count) / 1e9 << " billion";
  } else {
    text << std::fixed << std::setprecision(1) << static_cast<double>(count) / 1e6 << " million";
  }
  return text.str();
}

// A text of many lines: line breaks and tabs stay, other control characters are shown as \xNN.
std::string printable(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') {
      shown += c;
    } else {
      shown += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return shown;
}

std::string dimensions_text(const std::vector<std::int64_t>& dimensions) {
  std::string text;
  for (const std::int64_t size : dimensions) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

void write_model(std::ostream& out, const ModelSummary& summary) {
  out << "file            " << summary.path.string() << " (GGUF v" << summary.gguf_version << ", "
      << size_text(summary.file_bytes) << ")\n";
  if (summary.config) {
    const ModelConfig& config = *summary.config;
    const backend::ModelShape& shape = config.shape;
    out << "model           " << config.name << "\n"
        << "architecture    " << config.architecture << ", " << shape.num_layers << " layers, "
        << shape.hidden_dim << " wide, feed-forward " << shape.ffn_dim << ", " << shape.num_heads
        << " heads on " << shape.num_kv_heads << " of " << shape.head_dim << "\n"
        << "quantisation    " << config.quantisation << "\n"
        << "vocabulary      " << shape.vocab_size << "\n"
        << "context         " << config.max_context << " tokens\n";
  }
  out << "parameters      " << count_text(summary.num_parameters) << "\n"
      << "weights         " << size_text(summary.weight_bytes) << "\n";
  for (const KvMemory& memory : summary.kv_memory) {
    out << "KV cache        " << size_text(memory.bytes_f16) << " as f16, " << size_text(memory.bytes_f32)
        << " as f32, for " << memory.tokens << " tokens\n";
  }
}

void write_tensors(std::ostream& out, const ModelSummary& summary) {
  out << "\ntensor types\n";
  for (const TypeSummary& type : summary.types) {
    out << "  " << std::left << std::setw(6) << type.type << std::right << std::setw(6) << type.num_tensors
        << "  " << size_text(type.bytes) << "\n";
  }
  out << "\ntensors\n";
  for (const TensorSummary& tensor : summary.tensors) {
    out << "  " << std::left << std::setw(32) << tensor.name << ' ' << std::setw(5) << tensor.type
        << std::right << ' ' << dimensions_text(tensor.dimensions) << "\n";
  }
}

}  // namespace

std::string to_text(const ModelSummary& summary) {
  std::ostringstream out;
  write_model(out, summary);
  for (const std::string& warning : summary.warnings) out << "warning         " << printable(warning) << "\n";
  out << "\nmetadata\n";
  for (const auto& [key, value] : summary.metadata) out << "  " << key << " = " << value << "\n";
  if (summary.chat_template) out << "\nchat template\n" << printable(*summary.chat_template) << "\n";
  write_tensors(out, summary);
  return out.str();
}

}  // namespace parley::inference::model

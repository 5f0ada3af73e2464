#include "retrieval/index/vector_table.h"

#include <cstdint>
#include <cstring>

#include "kernels/dtypes/half.h"
#include "retrieval/index/file_record.h"

namespace parley::retrieval::index {
namespace {

// The machines that Parley runs on store halves as the file does, the lower byte first.
std::string encode_halves(std::span<const float> vector) {
  std::string bytes(vector.size() * sizeof(std::uint16_t), '\0');
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const std::uint16_t half = kernels::dtypes::float_to_half(vector[i]);
    std::memcpy(bytes.data() + i * sizeof half, &half, sizeof half);
  }
  return bytes;
}

std::vector<float> decode_halves(std::string_view bytes) {
  std::vector<float> vector(bytes.size() / sizeof(std::uint16_t));
  for (std::size_t i = 0; i < vector.size(); ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes.data() + i * sizeof half, sizeof half);
    vector[i] = kernels::dtypes::half_to_float(half);
  }
  return vector;
}

}  // namespace

VectorTable::VectorTable(Database& database)
    : find_model_(database, "SELECT id FROM models WHERE fingerprint = ?1"),
      add_model_(database, "INSERT INTO models(fingerprint) VALUES (?1) RETURNING id"),
      find_(database, "SELECT halves FROM vectors WHERE model = ?1 AND text_hash = ?2"),
      add_(database,
           "INSERT INTO vectors(model, text_hash, halves) VALUES (?1, ?2, ?3)"
           " ON CONFLICT(model, text_hash) DO UPDATE SET halves = ?3"),
      erase_(database, "DELETE FROM vectors WHERE text_hash = ?1"),
      mark_loose_(database, "INSERT INTO loose_texts(text_hash) VALUES (?1) ON CONFLICT DO NOTHING"),
      loose_(database, "SELECT text_hash FROM loose_texts LIMIT ?1"),
      forget_loose_(database, "DELETE FROM loose_texts WHERE text_hash = ?1") {}

std::optional<std::int64_t> VectorTable::find_model(const std::string& fingerprint) {
  Query row(find_model_, fingerprint);
  if (!row.next()) return std::nullopt;
  return row.integer(0);
}

std::int64_t VectorTable::add_model(const std::string& fingerprint) {
  if (const auto known = find_model(fingerprint)) return *known;
  Query row(add_model_, fingerprint);
  row.next();
  return row.integer(0);
}

std::vector<float> VectorTable::find(std::int64_t model, const TextHash& text) {
  Query row(find_, model, blob_of(text));
  if (!row.next()) return {};
  return decode_halves(row.blob(0));
}

void VectorTable::add(std::int64_t model, const TextHash& text, std::span<const float> vector) {
  Query(add_, model, blob_of(text), Blob{encode_halves(vector)}).run();
}

void VectorTable::erase(const TextHash& text) { Query(erase_, blob_of(text)).run(); }

void VectorTable::mark_loose(const TextHash& text) { Query(mark_loose_, blob_of(text)).run(); }

std::vector<TextHash> VectorTable::loose(int count) {
  std::vector<TextHash> texts;
  Query row(loose_, count);
  while (row.next()) texts.push_back(hash_of_blob(row.blob(0)));
  return texts;
}

void VectorTable::forget_loose(const TextHash& text) { Query(forget_loose_, blob_of(text)).run(); }

}  // namespace parley::retrieval::index

#include "retrieval/index/passage_rank.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace parley::retrieval::index {
namespace {

// Average words a row of each column.
std::array<double, kRankedColumns> average_lengths(const Fts5ExtensionApi* api, Fts5Context* context) {
  std::array<double, kRankedColumns> averages{};
  sqlite3_int64 rows = 0;
  api->xRowCount(context, &rows);
  for (int column = 0; column < kRankedColumns; ++column) {
    sqlite3_int64 total = 0;
    api->xColumnTotalSize(context, column, &total);
    averages[static_cast<std::size_t>(column)] =
        std::max(1.0, static_cast<double>(total) / static_cast<double>(std::max<sqlite3_int64>(rows, 1)));
  }
  return averages;
}

// Of each column: what one hit in it adds to a phrase's weighted frequency in this row.
std::array<double, kRankedColumns> hit_weights(const Fts5ExtensionApi* api, Fts5Context* context,
                                               const RankSettings& settings) {
  const std::array<double, kRankedColumns> averages = average_lengths(api, context);
  std::array<double, kRankedColumns> weights{};
  for (std::size_t column = 0; column < weights.size(); ++column) {
    int length = 0;
    api->xColumnSize(context, static_cast<int>(column), &length);
    const double share = settings.length_shares[column];
    const double relative = std::max(length / averages[column], settings.least_length);
    weights[column] = settings.weights[column] / (1.0 - share + share * relative);
  }
  return weights;
}

// Inverse passage frequency as BM25 has it, never below zero.
void weigh_phrases(const Fts5ExtensionApi* api, Fts5Context* context, RankPlan& plan) {
  sqlite3_int64 rows = 0;
  api->xRowCount(context, &rows);
  for (const RankedPhrase& phrase : plan.phrases) {
    const auto with = static_cast<double>(phrase.passages);
    const double without = std::max(0.0, static_cast<double>(rows) - with);
    const double rarity = std::log1p((without + 0.5) / (with + 0.5));
    plan.weights.push_back(phrase.share * std::pow(rarity, plan.settings.rarity_power));
  }
}

// SQLite calls this for each matching row; it must not throw.
void rank_row(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int,
              sqlite3_value**) {
  constexpr int kMaxPhrases = 192;
  auto& plan = *static_cast<RankPlan*>(api->xUserData(context));
  if (plan.weights.empty()) weigh_phrases(api, context, plan);
  const std::array<double, kRankedColumns> weights = hit_weights(api, context, plan.settings);
  std::array<double, kMaxPhrases> frequencies{};
  int hits = 0;
  api->xInstCount(context, &hits);
  for (int hit = 0; hit < hits; ++hit) {
    int phrase = 0, column = 0, offset = 0;
    if (api->xInst(context, hit, &phrase, &column, &offset) != SQLITE_OK) break;
    const auto of = static_cast<std::size_t>(column);
    if (phrase >= kMaxPhrases || of > kFormsColumn) continue;
    frequencies[static_cast<std::size_t>(phrase)] += weights[of == kFormsColumn ? kWordsColumn : of];
  }
  double score = 0.0;
  const std::size_t phrases = std::min(plan.weights.size(), frequencies.size());
  for (std::size_t phrase = 0; phrase < phrases; ++phrase) {
    const double frequency = frequencies[phrase];
    score += plan.weights[phrase] * frequency * (plan.settings.k1 + 1.0) / (frequency + plan.settings.k1);
  }
  sqlite3_result_double(result, score);
}

fts5_api* find_fts5(Database& database) {
  fts5_api* api = nullptr;
  const Statement statement(database, "SELECT fts5(?1)");
  sqlite3_bind_pointer(statement.handle(), 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
  sqlite3_step(statement.handle());
  if (api == nullptr) throw StoreError("This SQLite has no full-text search (FTS5). Install one that has.");
  return api;
}

}  // namespace

PassageRank::PassageRank(Database& database) {
  fts5_api* api = find_fts5(database);
  if (api->xCreateFunction(api, "passage_rank", &plan, rank_row, nullptr) != SQLITE_OK)
    throw StoreError("SQLite did not accept the ranking function of document search.");
}

}  // namespace parley::retrieval::index

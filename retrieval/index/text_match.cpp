#include "retrieval/index/text_match.h"

#include <algorithm>
#include <string_view>

#include "retrieval/index/text_units.h"

namespace parley::retrieval::index {
namespace {

// FTS5 looks at each passage that has any of the words, at about a microsecond each: this bounds a search.
constexpr std::int64_t kMaxHits = 50'000;
constexpr std::chrono::seconds kFrequentFor{60};
constexpr std::size_t kMaxFrequent = 4096;
constexpr std::size_t kMaxPhrases = 64;
const std::string kTextColumns = "{headings words parts} : ";
const std::string kInForms = "forms : ";

std::string joined_by(const std::vector<std::string>& items, std::string_view between) {
  std::string all;
  for (const std::string& item : items) {
    if (!all.empty()) all += between;
    all += item;
  }
  return all;
}

std::string quoted(const std::vector<std::string>& words) { return '"' + joined_by(words, " ") + '"'; }

// One character of an unspaced script begins a pair, or stands alone at the end of its run.
bool is_lone_character(const std::vector<TextUnit>& units) {
  return units.size() == 1 && units[0].kind == UnitKind::unspaced && units[0].words[0] == units[0].text;
}

std::string scope_of(std::span<const CollectionId> collections) {
  std::vector<std::string> scopes;
  for (const CollectionId collection : collections)
    scopes.push_back("\"c" + std::to_string(collection) + '"');
  return "scope : (" + joined_by(scopes, " OR ") + ")";
}

}  // namespace

TextMatch::TextMatch(Database& database, PassageTable& passages)
    : passages_(passages),
      rank_(database),
      count_(database,
             "SELECT count(*) FROM (SELECT 1 FROM passage_terms WHERE passage_terms MATCH ?1 LIMIT ?2)"),
      match_(database,
             "SELECT rowid, passage_rank(passage_terms) AS score FROM passage_terms"
             " WHERE passage_terms MATCH ?1 ORDER BY score DESC, rowid LIMIT ?2") {}

std::int64_t TextMatch::count_passages(const std::string& expression) {
  const auto now = std::chrono::steady_clock::now();
  const auto known = frequent_.find(expression);
  if (known != frequent_.end() && now - known->second < kFrequentFor) return kMaxHits;
  Query row(count_, expression, kMaxHits);
  const std::int64_t passages = row.next() ? row.integer(0) : 0;
  if (passages == kMaxHits) {
    if (frequent_.size() >= kMaxFrequent) frequent_.clear();
    frequent_[expression] = now;
  }
  return passages;
}

std::vector<TextMatch::Phrase> TextMatch::phrases_of(const std::vector<std::string>& texts, bool is_whole) {
  std::vector<Phrase> phrases;
  const auto add = [&](std::string expression, std::string form) {
    const bool known = std::any_of(phrases.begin(), phrases.end(),
                                   [&](const Phrase& other) { return other.expression == expression; });
    if (known || phrases.size() >= kMaxPhrases) return;
    const std::int64_t passages = count_passages(kTextColumns + expression);
    phrases.push_back({std::move(expression), std::move(form), passages});
  };
  for (const std::string& text : texts) {
    const std::vector<TextUnit> units = text_units(text);
    std::vector<std::string> words, parts;
    for (const TextUnit& unit : units) {
      words.insert(words.end(), unit.words.begin(), unit.words.end());
      parts.insert(parts.end(), unit.parts.begin(), unit.parts.end());
    }
    if (words.empty()) continue;
    const bool has_form = words.size() == 1 && units[0].kind != UnitKind::unspaced;
    add(quoted(words) + (is_lone_character(units) ? " *" : ""), has_form ? quoted({form_of(words[0])}) : "");
    if (!is_whole && !parts.empty()) add(quoted(parts), "");
  }
  return phrases;
}

// The rarest words say most; the others are left out when looking at all their passages would take too long.
void TextMatch::drop_frequent(std::vector<Phrase>& phrases) const {
  std::stable_sort(phrases.begin(), phrases.end(),
                   [](const Phrase& a, const Phrase& b) { return a.passages < b.passages; });
  std::int64_t hits = 0;
  std::size_t kept = 0;
  for (; kept < phrases.size(); ++kept) {
    hits += phrases[kept].passages;
    if (kept > 0 && hits > kMaxHits) break;
  }
  phrases.resize(kept);
}

// The forms of the words that are looked for; none of them is in a passage without the word.
std::string TextMatch::plan_forms(const std::vector<Phrase>& phrases) {
  std::vector<std::string> forms;
  for (const Phrase& phrase : phrases) {
    if (phrase.form.empty()) continue;
    const std::int64_t passages = count_passages(kInForms + phrase.form);
    if (passages == 0) continue;
    forms.push_back(phrase.form);
    rank_.plan.phrases.push_back({passages, rank_.plan.settings.form_share});
  }
  return forms.empty() ? std::string() : kInForms + ("(" + joined_by(forms, " OR ") + ")");
}

std::string TextMatch::plan(const TextQuery& query, std::span<const CollectionId> collections) {
  const std::vector<Phrase> required = phrases_of(query.phrases, true);
  std::vector<Phrase> optional = phrases_of(query.terms, false);
  std::erase_if(optional, [](const Phrase& phrase) { return phrase.passages == 0; });
  drop_frequent(optional);
  rank_.plan.phrases.clear();
  std::vector<std::string> all, any;
  for (const Phrase& phrase : required) {
    all.push_back(phrase.expression);
    rank_.plan.phrases.push_back({phrase.passages, 1.0});
  }
  // FTS5 knows no words that only add to the score: beside a required phrase, one of the others is enough.
  if (!required.empty()) {
    any.push_back(required.front().expression);
    rank_.plan.phrases.push_back({required.front().passages, 0.0});
  }
  for (const Phrase& phrase : optional) {
    any.push_back(phrase.expression);
    rank_.plan.phrases.push_back({phrase.passages, 1.0});
  }
  if (any.empty()) return {};
  std::string matched = kTextColumns + ("(" + joined_by(any, " OR ") + ")");
  const std::string forms = plan_forms(optional);
  if (!forms.empty()) matched = "(" + matched + " OR " + forms + ")";
  if (!all.empty()) matched = kTextColumns + ("(" + joined_by(all, " AND ") + ")") + " AND " + matched;
  if (!collections.empty()) matched += " AND " + scope_of(collections);
  return matched;
}

std::vector<ScoredPassage> TextMatch::find(const TextQuery& query, std::span<const CollectionId> collections,
                                           int limit) {
  std::vector<ScoredPassage> found;
  const std::string expression = limit > 0 ? plan(query, collections) : std::string();
  if (expression.empty()) return found;
  // What is gone has its words in the table until it is cleaned up; mostly there is little of it.
  for (std::int64_t wanted = 2 * std::int64_t{limit};; wanted *= 4) {
    found.clear();
    rank_.plan.begin_query();
    std::int64_t rows = 0;
    Query row(match_, expression, wanted);
    while (static_cast<int>(found.size()) < limit && row.next()) {
      ++rows;
      const PassageId id = row.integer(0);
      if (passages_.answers(id, collections)) found.push_back({id, row.real(1)});
    }
    if (static_cast<int>(found.size()) == limit || rows < wanted) return found;
  }
}

}  // namespace parley::retrieval::index

#include "inference/grammar/tagged_notation.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "inference/grammar/json_nodes.h"
#include "inference/grammar/markup.h"
#include "inference/grammar/raw_strings.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

constexpr std::string_view kNotInNames = "<>\"\n";

bool is_white_space_only(std::string_view text) { return text.find_first_not_of(" \t\n\r") == text.npos; }

// Whether it would be read as something else than a string where that is possible.
bool looks_like_a_value(const std::string& text) {
  if (text == "True" || text == "False" || text == "None" || is_white_space_only(text)) return true;
  const std::size_t begin = text.find_first_not_of(" \t\n\r");
  if (text[begin] == '{' || text[begin] == '[') return true;
  const auto parsed = json::parse_json(text, {.max_bytes = text.size()});
  const auto* value = std::get_if<json::JsonValue>(&parsed);
  return value != nullptr && !value->is_string();
}

class TaggedNotation final : public Notation {
 public:
  TaggedNotation(const ArgumentTags& tags, GrammarBuilder& builder, const VocabularyIndex& vocabulary)
      : tags_(tags),
        builder_(builder),
        vocabulary_(vocabulary),
        open_(markup_of(tags.open, vocabulary)),
        name_end_(markup_of(tags.name_end, vocabulary)),
        any_(make_text_without(tags.ends)) {}

  bool applies(SchemaLevel level) const override { return level != SchemaLevel::inner; }

  bool forms_keys(SchemaLevel level) const override { return level == SchemaLevel::top; }
  void shape(Grammar::Object& object, SchemaLevel level) override {
    if (level != SchemaLevel::top) return;
    if (!marks_) marks_ = add_marks();
    object.marks = *marks_;
    object.key_maker = [this](std::span<const std::string> names) { return make_keys(names); };
  }

  bool can_write_key(std::string_view name, SchemaLevel level) const override {
    return level != SchemaLevel::top || (!name.empty() && name.find_first_of(kNotInNames) == name.npos &&
                                         name.front() != ' ' && name.back() != ' ');
  }

  std::vector<std::shared_ptr<const Lexeme>> other_keys(std::span<const std::string> declared,
                                                        SchemaLevel) override {
    const Markup name_end[] = {name_end_, markup_of_text(tags_.tells_strings ? " string=\"" : "")};
    return {make_other_names(open_, declared, joined(name_end), key_space())};
  }

  std::vector<std::string> spellings(std::string_view word) const override { return {std::string(word)}; }

  std::vector<NodeId> strings(const SchemaParts& parts, SchemaScalars& scalars,
                              UncheckedList& unchecked) override {
    auto text = make_limited_text(any_, parts, unchecked, scalars.budget());
    if (!text) return {};
    return {builder_.add_terminal(std::move(text))};
  }

  std::vector<NodeId> string_values(const std::vector<std::string>& values, OtherTypes others,
                                    const SchemaPart& part, SchemaScalars& scalars,
                                    UncheckedList& unchecked) override {
    std::vector<std::string> texts;
    for (const std::string& value : values) {
      if (!scalars.budget().spend(1 + value.size() / kBytesPerStep)) return {};
      const bool is_clear = others == OtherTypes::none || !tells_by_looks() || !looks_like_a_value(value);
      if (is_clear && matches(*any_, value)) {
        texts.push_back(value);
      } else {
        unchecked.add(part, "enum", "has a string that cannot be told from another value or from the tags");
      }
    }
    if (texts.empty()) return {};
    return {builder_.add_terminal(scalars.literals(texts))};
  }

  NodeId any_value(SchemaLevel) override {
    if (any_value_) return *any_value_;
    std::vector<NodeId> others;
    if (tags_.tells_strings) others.push_back(add_any_value(builder_));  // else the text may be one of them
    any_value_ = builder_.add_choice(value({builder_.add_terminal(any_)}, std::move(others)));
    return *any_value_;
  }

  bool tells_by_looks() const override { return !tags_.tells_strings; }

  std::vector<NodeId> value(std::vector<NodeId> strings, std::vector<NodeId> others) override {
    if (!tags_.tells_strings) return Notation::value(std::move(strings), std::move(others));
    std::vector<NodeId> nodes;
    if (!strings.empty()) nodes.push_back(behind("true\">", std::move(strings)));
    if (!others.empty()) nodes.push_back(behind("false\">", std::move(others)));
    return nodes;
  }

 private:
  std::uint32_t add_marks() {
    const std::uint32_t space = builder_.max_white_space();
    const std::string newline = tags_.in_newlines ? "\n" : "";
    const auto marker = [&](const std::string& text, std::uint32_t behind) {
      return make_markup(markup_of(text, vocabulary_), behind);
    };
    ObjectMarks marks;
    marks.open = marker("", 0);
    marks.close_empty = marks.open;
    marks.colon = marker(tags_.value_open + newline, 0);
    marks.comma = marker(newline + tags_.value_close, space);
    marks.close = marks.comma;
    return builder_.add_marks(marks);
  }

  Markup key(std::string_view name) const {
    const Markup parts[] = {open_, markup_of_text(name), name_end_,
                            markup_of_text(tags_.tells_strings ? " string=\"" : "")};
    return joined(parts);
  }

  std::shared_ptr<const Lexeme> make_keys(std::span<const std::string> names) const {
    std::vector<TaggedMarkup> keys;
    for (const std::string& name : names) keys.push_back({key(name), static_cast<int>(keys.size())});
    return make_markups(keys, key_space());
  }

  std::uint32_t key_space() const { return tags_.value_open.empty() ? 0 : builder_.max_white_space(); }

  NodeId behind(const char* attribute, std::vector<NodeId> values) {
    const NodeId mark = builder_.add_terminal(make_markup(markup_of_text(attribute), 0));
    return builder_.add_sequence({mark, builder_.add_choice(std::move(values))});
  }

  const ArgumentTags tags_;
  GrammarBuilder& builder_;
  const VocabularyIndex& vocabulary_;
  const Markup open_;
  const Markup name_end_;
  const std::shared_ptr<const Lexeme> any_;  // shared by all strings
  std::optional<std::uint32_t> marks_;
  std::optional<NodeId> any_value_;
};

}  // namespace

std::unique_ptr<Notation> make_tagged_notation(const ArgumentTags& tags, GrammarBuilder& builder,
                                               const VocabularyIndex& vocabulary) {
  return std::make_unique<TaggedNotation>(tags, builder, vocabulary);
}

}  // namespace parley::inference::grammar

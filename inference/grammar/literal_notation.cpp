#include "inference/grammar/literal_notation.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "inference/grammar/json_nodes.h"
#include "inference/grammar/markup.h"
#include "inference/grammar/number_lexeme.h"
#include "inference/grammar/raw_strings.h"
#include "inference/grammar/regex_lexeme.h"
#include "inference/grammar/string_lexeme.h"
#include "inference/grammar/table_lexeme.h"

namespace parley::inference::grammar {
namespace {

std::string single_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

const std::shared_ptr<const Lexeme>& any_single_quoted() {
  static const std::shared_ptr<const Lexeme> kLexeme = [] {
    constexpr std::size_t kMaxStates = 100;
    const auto made = make_regex_lexeme(R"('(?:[^'\\\x00-\x1F]|\\[\\'"nrt])*')", {});
    return write_out(*std::get<std::shared_ptr<const Lexeme>>(made), kMaxStates);
  }();
  return kLexeme;
}

// What both have in common: brackets that are the call's at the top, and values of any kind.
class LiteralNotation : public Notation {
 public:
  explicit LiteralNotation(GrammarBuilder& builder) : builder_(builder) {}

  bool applies(SchemaLevel) const override { return true; }

  bool forms_keys(SchemaLevel) const override { return true; }
  void shape(Grammar::Object& object, SchemaLevel level) override {
    std::optional<std::uint32_t>& marks = level == SchemaLevel::top ? top_marks_ : inner_marks_;
    if (!marks) marks = add_marks(level);
    object.marks = *marks;
    object.key_maker = [this, level](std::span<const std::string> names) { return make_keys(names, level); };
  }

  NodeId any_value(SchemaLevel) override {
    if (any_value_) return *any_value_;
    any_value_ = builder_.reserve();
    Grammar::Object object;
    shape(object, SchemaLevel::inner);
    for (auto& keys : other_keys({}, SchemaLevel::inner))
      object.others.push_back({std::move(keys), *any_value_});
    object.max_depth = kMaxAnyDepth;
    std::vector<NodeId> nodes = any_strings();
    nodes.push_back(builder_.add_object(std::move(object)));
    nodes.push_back(add_any_array(builder_, *any_value_));
    nodes.push_back(builder_.add_terminal(make_number_lexeme({})));
    std::vector<std::string> words;
    for (const char* word : {"null", "true", "false"}) {
      for (std::string& spelling : spellings(word)) words.push_back(std::move(spelling));
    }
    nodes.push_back(builder_.add_terminal(make_literals(words)));
    builder_.fill(*any_value_, std::move(nodes));
    return *any_value_;
  }

 protected:
  virtual std::vector<NodeId> any_strings() = 0;
  // Spellings of a key. A bare one has with it what divides it from its value, since it may begin another
  // key.
  virtual std::vector<std::string> keys(const std::string& name, SchemaLevel level) const = 0;
  virtual const char* colon(SchemaLevel level) const = 0;

  GrammarBuilder& builder() { return builder_; }
  std::uint32_t space() const { return builder_.max_white_space(); }

 private:
  std::uint32_t add_marks(SchemaLevel level) {
    const auto mark = [&](const char* text, Around around) {
      return make_punctuation(text, around, space());
    };
    const bool is_top = level == SchemaLevel::top;
    ObjectMarks marks;
    marks.open = mark(is_top ? "" : "{", is_top ? Around::nothing : Around::behind);
    marks.close = mark(is_top ? "" : "}", Around::before);
    marks.close_empty = mark(is_top ? "" : "}", Around::nothing);
    marks.comma = mark(",", Around::both);
    marks.colon = mark(colon(level), Around::both);
    return builder_.add_marks(marks);
  }

  std::shared_ptr<const Lexeme> make_keys(std::span<const std::string> names, SchemaLevel level) const {
    std::vector<TaggedMarkup> spelled;
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (const std::string& key : keys(names[i], level)) {
        spelled.push_back({markup_of_text(key), static_cast<int>(i)});
      }
    }
    return make_markups(spelled, space());
  }

  GrammarBuilder& builder_;
  std::optional<std::uint32_t> top_marks_;
  std::optional<std::uint32_t> inner_marks_;
  std::optional<NodeId> any_value_;
};

class PythonNotation final : public LiteralNotation {
 public:
  explicit PythonNotation(GrammarBuilder& builder) : LiteralNotation(builder) {}

  bool can_write_key(std::string_view name, SchemaLevel level) const override {
    return level != SchemaLevel::top || is_plain_name(name);
  }
  std::vector<std::shared_ptr<const Lexeme>> other_keys(std::span<const std::string> declared,
                                                        SchemaLevel level) override {
    if (level == SchemaLevel::top) return {make_other_names({}, declared, markup_of_text("="), space())};
    std::vector<std::string> quoted;
    for (const std::string& name : declared) quoted.push_back(SchemaScalars::quoted(name));
    const Markup quote = markup_of_text("'");
    return {make_string_except(quoted), make_other_names(quote, declared, quote, 0)};
  }
  std::vector<std::string> spellings(std::string_view word) const override {
    return {std::string(word), word == "null" ? "None" : word == "true" ? "True" : "False"};
  }
  std::vector<NodeId> strings(const SchemaParts& parts, SchemaScalars& scalars, UncheckedList&) override {
    auto text = scalars.string_lexeme(parts);
    if (!text) return {};
    std::vector<NodeId> nodes{builder().add_terminal(std::move(text))};
    if (!has_string_limits(parts)) nodes.push_back(builder().add_terminal(any_single_quoted()));
    return nodes;
  }
  std::vector<NodeId> string_values(const std::vector<std::string>& values, OtherTypes, const SchemaPart&,
                                    SchemaScalars& scalars, UncheckedList&) override {
    std::vector<std::string> texts;
    for (const std::string& value : values) {
      texts.push_back(SchemaScalars::quoted(value));
      texts.push_back(single_quoted(value));
    }
    return {builder().add_terminal(scalars.literals(texts))};
  }

 protected:
  std::vector<NodeId> any_strings() override {
    return {builder().add_terminal(any_string_lexeme()), builder().add_terminal(any_single_quoted())};
  }
  std::vector<std::string> keys(const std::string& name, SchemaLevel level) const override {
    if (level == SchemaLevel::top) return {name + "="};
    return {single_quoted(name), SchemaScalars::quoted(name)};
  }
  const char* colon(SchemaLevel level) const override { return level == SchemaLevel::top ? "" : ":"; }
};

class BareKeyNotation final : public LiteralNotation {
 public:
  BareKeyNotation(std::string_view quote, GrammarBuilder& builder, const VocabularyIndex& vocabulary)
      : LiteralNotation(builder),
        quote_(builder.add_terminal(make_markup(markup_of(quote, vocabulary), 0))),
        any_(make_text_without({{std::string(quote), ""}})) {}

  bool can_write_key(std::string_view, SchemaLevel) const override { return true; }
  std::vector<std::shared_ptr<const Lexeme>> other_keys(std::span<const std::string> declared,
                                                        SchemaLevel) override {
    return {make_other_names({}, declared, markup_of_text(":"), space())};
  }
  std::vector<std::string> spellings(std::string_view word) const override { return {std::string(word)}; }
  std::vector<NodeId> strings(const SchemaParts& parts, SchemaScalars& scalars,
                              UncheckedList& unchecked) override {
    auto text = make_limited_text(any_, parts, unchecked, scalars.budget());
    return text ? std::vector{quoted(std::move(text))} : std::vector<NodeId>();
  }
  std::vector<NodeId> string_values(const std::vector<std::string>& values, OtherTypes,
                                    const SchemaPart& part, SchemaScalars& scalars,
                                    UncheckedList& unchecked) override {
    std::vector<std::string> texts;
    for (const std::string& value : values) {
      if (!scalars.budget().spend(1 + value.size() / kBytesPerStep)) return {};
      if (matches(*any_, value)) {
        texts.push_back(value);
      } else {
        unchecked.add(part, "enum", "has a string that holds the mark around strings");
      }
    }
    return texts.empty() ? std::vector<NodeId>() : std::vector{quoted(scalars.literals(texts))};
  }

 protected:
  std::vector<NodeId> any_strings() override { return {quoted(any_)}; }
  std::vector<std::string> keys(const std::string& name, SchemaLevel) const override {
    return {(is_plain_name(name) ? name : SchemaScalars::quoted(name)) + ":"};
  }
  const char* colon(SchemaLevel) const override { return ""; }

 private:
  NodeId quoted(std::shared_ptr<const Lexeme> text) {
    return builder().add_sequence({quote_, builder().add_terminal(std::move(text)), quote_});
  }

  const NodeId quote_;
  const std::shared_ptr<const Lexeme> any_;  // shared by all strings
};

}  // namespace

std::unique_ptr<Notation> make_python_notation(GrammarBuilder& builder) {
  return std::make_unique<PythonNotation>(builder);
}

std::unique_ptr<Notation> make_bare_key_notation(std::string_view quote, GrammarBuilder& builder,
                                                 const VocabularyIndex& vocabulary) {
  return std::make_unique<BareKeyNotation>(quote, builder, vocabulary);
}

}  // namespace parley::inference::grammar

#include "orchestration/jinja/parser.h"

#include <initializer_list>
#include <set>
#include <utility>

#include "orchestration/jinja/expression_parser.h"
#include "orchestration/jinja/lexer.h"
#include "orchestration/jinja/lexer_error.h"
#include "orchestration/jinja/statements.h"
#include "orchestration/jinja/token_stream.h"

namespace parley::orchestration::jinja {
namespace {

constexpr std::size_t kMaxSourceBytes = 1u << 20;

class StatementParser {
 public:
  StatementParser(TokenStream& tokens, NameTable& names)
      : tokens_(tokens), names_(names), expressions_(tokens, names) {}

  Block parse_all() {
    Block body = parse_block({});
    if (!tokens_.peek().is(TokenKind::end)) tokens_.fail("this tag closes nothing");
    return body;
  }

 private:
  // Statements up to a tag that begins with one of `ends`, or the end of the source. The tag's name is next
  // then.
  Block parse_block(std::initializer_list<std::string_view> ends) {
    const ExpressionParser::Level level(expressions_);
    Block block;
    while (!tokens_.peek().is(TokenKind::end)) {
      const Token& token = tokens_.peek();
      if (token.is(TokenKind::data)) {
        block.push_back(make_data(token.offset, tokens_.next().text));
      } else if (token.is(TokenKind::variable_begin)) {
        block.push_back(parse_output());
      } else {
        tokens_.expect(TokenKind::block_begin);
        for (const std::string_view end : ends) {
          if (tokens_.peek().is_name(end)) return block;
        }
        block.push_back(parse_statement());
      }
    }
    if (ends.size() > 0)
      tokens_.fail("unexpected end of the template; looking for '" + std::string(*ends.begin()) + "'");
    return block;
  }

  Block parse_body(std::string_view end) {
    tokens_.expect(TokenKind::block_end);
    Block body = parse_block({end});
    tokens_.expect_name(end);
    tokens_.expect(TokenKind::block_end);
    return body;
  }

  StatementPtr parse_output() {
    const std::uint32_t offset = tokens_.next().offset;
    ExpressionPtr expression = expressions_.parse_tuple();
    tokens_.expect(TokenKind::variable_end);
    return make_output(offset, std::move(expression));
  }

  StatementPtr parse_statement() {
    using Parse = StatementPtr (StatementParser::*)(std::uint32_t);
    static constexpr std::pair<std::string_view, Parse> kStatements[] = {
        {"for", &StatementParser::parse_for},
        {"if", &StatementParser::parse_if},
        {"set", &StatementParser::parse_set},
        {"macro", &StatementParser::parse_macro},
        {"call", &StatementParser::parse_call_block},
        {"filter", &StatementParser::parse_filter_block},
        {"generation", &StatementParser::parse_generation},
        {"with", &StatementParser::parse_with},
        {"break", &StatementParser::parse_break},
        {"continue", &StatementParser::parse_continue},
    };
    const Token& tag = tokens_.peek();
    for (const auto& [name, parse] : kStatements) {
      if (!tag.is_name(name)) continue;
      tokens_.next();
      return (this->*parse)(tag.offset);
    }
    if (!tag.is(TokenKind::name)) tokens_.fail_expecting("the name of a statement");
    tokens_.fail("the statement '" + tag.text + "' is unknown, or closes nothing");
  }

  StatementPtr parse_if(std::uint32_t offset) {
    std::vector<Branch> branches;
    Block otherwise;
    while (true) {
      Branch branch;
      branch.test = expressions_.parse_tuple(InlineIf::refused);
      tokens_.expect(TokenKind::block_end);
      branch.body = parse_block({"endif", "elif", "else"});
      branches.push_back(std::move(branch));
      if (tokens_.accept_name("elif")) continue;
      if (tokens_.accept_name("else")) {
        otherwise = parse_body("endif");
      } else {
        tokens_.next();
        tokens_.expect(TokenKind::block_end);
      }
      return make_if(offset, std::move(branches), std::move(otherwise));
    }
  }

  StatementPtr parse_for(std::uint32_t offset) {
    Loop loop;
    loop.loop_name = names_.id_of("loop");
    loop.target = parse_target();
    tokens_.expect_name("in");
    loop.items = expressions_.parse_tuple(InlineIf::refused);
    if (tokens_.accept_name("if")) loop.condition = expressions_.parse_expression();
    if (tokens_.peek().is_name("recursive")) tokens_.fail("recursive loops are not supported");
    tokens_.expect(TokenKind::block_end);
    ++loops_;
    loop.body = parse_block({"endfor", "else"});
    --loops_;
    if (tokens_.accept_name("else")) {
      loop.otherwise = parse_body("endfor");
    } else {
      tokens_.next();
      tokens_.expect(TokenKind::block_end);
    }
    return make_for(offset, std::move(loop));
  }

  StatementPtr parse_jump(std::uint32_t offset, Flow flow) {
    if (loops_ == 0) tokens_.fail("this statement stands outside any loop");
    tokens_.expect(TokenKind::block_end);
    return make_jump(offset, flow);
  }
  StatementPtr parse_break(std::uint32_t offset) { return parse_jump(offset, Flow::break_loop); }
  StatementPtr parse_continue(std::uint32_t offset) { return parse_jump(offset, Flow::continue_loop); }

  Target parse_target() {
    Target first = parse_single_target();
    if (!tokens_.peek().is_sign(",")) return first;
    Target tuple;
    tuple.offset = first.offset;
    tuple.parts.push_back(std::move(first));
    while (tokens_.accept_sign(",")) {
      const bool another = tokens_.peek().is_sign("(") ||
                           (tokens_.peek().is(TokenKind::name) && !tokens_.peek().is_name("in"));
      if (!another) break;
      tuple.parts.push_back(parse_single_target());
    }
    return tuple;
  }

  Target parse_single_target() {
    const ExpressionParser::Level level(expressions_);
    Target target;
    target.offset = tokens_.peek().offset;
    if (tokens_.accept_sign("(")) {
      target = parse_target();
      tokens_.expect_sign(")");
      return target;
    }
    const std::string name = tokens_.expect_any_name().text;
    target.name = names_.id_of(name);
    if (tokens_.accept_sign(".")) target.attribute = tokens_.expect_any_name().text;
    for (const std::string_view constant : {"true", "false", "none", "True", "False", "None"}) {
      if (name == constant) tokens_.fail("can't assign to '" + name + "'");
    }
    return target;
  }

  StatementPtr parse_set(std::uint32_t offset) {
    Target target = parse_target();
    if (tokens_.accept_sign("=")) {
      ExpressionPtr value = expressions_.parse_tuple();
      tokens_.expect(TokenKind::block_end);
      return make_set(offset, std::move(target), std::move(value));
    }
    std::vector<FilterStep> filters = parse_filter_steps();
    Block body = inside_own_loops([this] { return parse_body("endset"); });
    return make_set_block(offset, std::move(target), std::move(filters), std::move(body));
  }

  // A body that a jump cannot leave.
  template <typename Parse>
  Block inside_own_loops(Parse parse) {
    const std::size_t loops = std::exchange(loops_, 0);
    Block body = parse();
    loops_ = loops;
    return body;
  }

  std::vector<FilterStep> parse_filter_steps() {
    std::vector<FilterStep> steps;
    while (tokens_.accept_sign("|")) steps.push_back(parse_filter_step());
    return steps;
  }

  FilterStep parse_filter_step() {
    OperandParser::NamedCall call = expressions_.operands().parse_filter_name();
    FilterStep step;
    step.name = std::move(call.name);
    step.arguments = std::move(call.arguments);
    return step;
  }

  StatementPtr parse_filter_block(std::uint32_t offset) {
    std::vector<FilterStep> filters;
    filters.push_back(parse_filter_step());
    for (FilterStep& step : parse_filter_steps()) filters.push_back(std::move(step));
    Block body = inside_own_loops([this] { return parse_body("endfilter"); });
    return make_filter_block(offset, std::move(filters), std::move(body));
  }

  // transformers uses it to mark what the model wrote; it changes nothing in the text.
  StatementPtr parse_generation(std::uint32_t offset) {
    return make_scope(offset, {}, inside_own_loops([this] { return parse_body("endgeneration"); }));
  }

  StatementPtr parse_with(std::uint32_t offset) {
    std::vector<Assignment> assignments;
    while (!tokens_.peek().is(TokenKind::block_end)) {
      if (!assignments.empty()) tokens_.expect_sign(",");
      Assignment assignment;
      assignment.target = parse_single_target();
      tokens_.expect_sign("=");
      assignment.value = expressions_.parse_expression();
      assignments.push_back(std::move(assignment));
    }
    Block body = parse_body("endwith");
    return make_scope(offset, std::move(assignments), std::move(body));
  }

  StatementPtr parse_macro(std::uint32_t offset) {
    const std::string name = tokens_.expect_any_name().text;
    const NameId id = names_.id_of(name);
    return make_macro(offset, id, parse_definition(name, "endmacro"));
  }

  StatementPtr parse_call_block(std::uint32_t offset) {
    std::vector<MacroParameter> parameters;
    if (tokens_.peek().is_sign("(")) parameters = parse_parameters();
    ExpressionPtr call = expressions_.parse_expression();
    if (!call->is_call()) tokens_.fail("expected a call");
    MacroDefinition definition = parse_macro_body("caller", "endcall");
    definition.parameters = std::move(parameters);
    return make_call_block(offset, std::move(call), std::move(definition));
  }

  MacroDefinition parse_definition(const std::string& name, std::string_view end) {
    std::vector<MacroParameter> parameters = parse_parameters();
    MacroDefinition definition = parse_macro_body(name, end);
    definition.parameters = std::move(parameters);
    return definition;
  }

  std::vector<MacroParameter> parse_parameters() {
    std::vector<MacroParameter> parameters;
    tokens_.expect_sign("(");
    while (!tokens_.peek().is_sign(")")) {
      if (!parameters.empty()) tokens_.expect_sign(",");
      MacroParameter parameter;
      parameter.name = tokens_.expect_any_name().text;
      parameter.id = names_.id_of(parameter.name);
      if (tokens_.accept_sign("=")) {
        parameter.fallback = expressions_.parse_expression();
      } else if (!parameters.empty() && parameters.back().fallback != nullptr) {
        tokens_.fail("a parameter without a default follows one with a default");
      }
      parameters.push_back(std::move(parameter));
    }
    tokens_.expect_sign(")");
    return parameters;
  }

  MacroDefinition parse_macro_body(const std::string& name, std::string_view end) {
    MacroDefinition definition;
    definition.name = name;
    definition.caller = names_.id_of("caller");
    definition.varargs = names_.id_of("varargs");
    definition.kwargs = names_.id_of("kwargs");
    const std::set<NameId> outside = expressions_.operands().take_used_names();
    definition.body = inside_own_loops([&] { return parse_body(end); });
    const std::set<NameId> inside = expressions_.operands().take_used_names();
    definition.uses_caller = inside.count(definition.caller) > 0;
    definition.uses_varargs = inside.count(definition.varargs) > 0;
    definition.uses_kwargs = inside.count(definition.kwargs) > 0;
    expressions_.operands().add_used_names(outside);
    expressions_.operands().add_used_names(inside);
    return definition;
  }

  TokenStream& tokens_;
  NameTable& names_;
  ExpressionParser expressions_;
  std::size_t loops_ = 0;  // around the statement that is being parsed, as far as a jump can leave them
};

}  // namespace

ParsedTemplate parse(std::string_view source) {
  if (source.size() > kMaxSourceBytes) throw TemplateError("the chat template is larger than 1 MiB");
  ParsedTemplate parsed;
  parsed.source = normalize_source(source);
  TokenStream tokens(parsed.source, tokenize(parsed.source));
  NameTable names;
  parsed.body = StatementParser(tokens, names).parse_all();
  parsed.names = names.take();
  return parsed;
}

}  // namespace parley::orchestration::jinja

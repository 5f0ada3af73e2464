#include "orchestration/jinja/template.h"

#include <utility>

#include "orchestration/jinja/capture.h"
#include "orchestration/jinja/functions.h"
#include "orchestration/jinja/interpreter.h"
#include "orchestration/jinja/parser.h"

namespace parley::orchestration::jinja {
namespace {

class ParsedTemplateRenderer : public Template {
 public:
  explicit ParsedTemplateRenderer(std::string_view source) : parsed_(parse(source)) {}

  Rendered render(const Value& context, const RenderLimits& limits) const override {
    Interpreter interpreter(parsed_.source, limits, globals_from(context));
    Capture output(interpreter);
    execute_block(interpreter, parsed_.body);
    Rendered rendered;
    std::tie(rendered.text, rendered.runs) = output.builder().release();
    return rendered;
  }

 private:
  ValueList globals_from(const Value& context) const {
    ValueList globals;
    globals.reserve(parsed_.names.size());
    for (const std::string& name : parsed_.names) {
      const Value* given = context.is(Value::Kind::dict) ? context.as_dict()->find(name) : nullptr;
      if (given != nullptr) {
        globals.push_back(*given);
      } else if (auto function = find_function(name)) {
        globals.emplace_back(std::move(function));
      } else {
        globals.emplace_back();
      }
    }
    return globals;
  }

  ParsedTemplate parsed_;
};

}  // namespace

std::unique_ptr<Template> parse_template(std::string_view source) {
  return std::make_unique<ParsedTemplateRenderer>(source);
}

}  // namespace parley::orchestration::jinja

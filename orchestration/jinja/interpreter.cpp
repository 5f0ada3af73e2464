#include "orchestration/jinja/interpreter.h"

#include <utility>

#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/source_place.h"

namespace parley::orchestration::jinja {
namespace {

// Levels of evaluation; each costs some hundred bytes of native stack.
constexpr std::size_t kMaxNesting = 1500;
constexpr std::size_t kBytesPerStep = 256;
// What any piece of work costs at least, so that many tiny ones count.
constexpr std::size_t kBytesPerCall = 32;

}  // namespace

Interpreter::Interpreter(std::string_view source, const RenderLimits& limits, ValueList globals)
    : source_(source), limits_(limits), scopes_(std::move(globals)) {}

// Containers let go of their contents while all of them are still held here, so that freeing deeply nested or
// circular ones neither recurses nor leaks.
Interpreter::~Interpreter() {
  for (const auto& list : lists_) list->items.clear();
  for (const auto& dict : dicts_) *dict = Dict();
  for (const auto& object : objects_) object->release();
}

void Interpreter::fail(const std::string& message) const {
  throw TemplateError(located_message(source_, offset_, message));
}

void Interpreter::refuse(std::string_view message) const {
  const SourcePlace place = place_in(source_, offset_);
  throw TemplateError("the chat template refuses this conversation: " + std::string(message) + " (line " +
                      std::to_string(place.line) + ", column " + std::to_string(place.column) + ")");
}

void Interpreter::step() { work(kBytesPerStep - kBytesPerCall); }

void Interpreter::work(std::size_t num_bytes) {
  work_ += num_bytes + kBytesPerCall;
  if (work_ / kBytesPerStep > limits_.max_steps) {
    fail("the template needs more than " + std::to_string(limits_.max_steps) + " steps");
  }
}

void Interpreter::charge(std::size_t num_bytes) {
  if (num_bytes > limits_.max_memory_bytes - bytes_) {
    fail("the template needs more than " + std::to_string(limits_.max_memory_bytes >> 20) + " MiB of memory");
  }
  bytes_ += num_bytes;
  work(num_bytes);
}

void Interpreter::charge(std::size_t num_items, std::size_t item_bytes) {
  std::size_t num_bytes = 0;
  if (__builtin_mul_overflow(num_items, item_bytes, &num_bytes)) num_bytes = limits_.max_memory_bytes + 1;
  charge(num_bytes);
}

Value Interpreter::make_list(ValueList items, Sequence sequence) {
  charge_items(items.size() + 1);
  auto list = std::make_shared<List>();
  list->items = std::move(items);
  list->sequence = sequence;
  list->frozen = false;
  lists_.push_back(list);
  return list;
}

Value Interpreter::make_dict(Dict dict) {
  charge_items(2 * (dict.size() + 1));
  dicts_.push_back(std::make_shared<Dict>(std::move(dict)));
  return std::shared_ptr<const Dict>(dicts_.back());
}

Value Interpreter::make_object(std::shared_ptr<Object> object) {
  charge_items(1);
  objects_.push_back(object);
  return object;
}

std::string_view Interpreter::intern(std::string_view name) {
  constexpr std::size_t kLongestName = 60;  // code points; only for messages
  name = name.substr(0, offset_of_code_point(name, kLongestName));
  const auto known = interned_.find(name);
  if (known != interned_.end()) return *known;
  charge(name.size() + sizeof(std::string));
  return *interned_.emplace(name).first;
}

void Interpreter::write(const Text& text) {
  work(text.size());
  if (output_->size() + text.size() > limits_.max_output_bytes) {
    fail("the template writes more than " + std::to_string(limits_.max_output_bytes >> 20) + " MiB");
  }
  output_->append(text);
}

Nesting::Nesting(Interpreter& interpreter) : interpreter_(interpreter) {
  if (++interpreter_.nesting_ > kMaxNesting) interpreter_.fail("the template nests too deeply");
}

CallDepth::CallDepth(Interpreter& interpreter) : interpreter_(interpreter) {
  if (++interpreter_.call_depth_ > interpreter_.limits_.max_depth) {
    interpreter_.fail("more than " + std::to_string(interpreter_.limits_.max_depth) +
                      " macro calls within each other");
  }
}

}  // namespace parley::orchestration::jinja

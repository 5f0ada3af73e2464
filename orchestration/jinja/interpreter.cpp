#include "orchestration/jinja/interpreter.h"

#include <ctime>
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
// Looking at the thread's clock is a call of the system: once in a millisecond or so.
constexpr std::size_t kBytesBetweenLooks = std::size_t{1} << 20;
// Of a dict's entry, and of an object with what keeps it, beside the values in it.
constexpr std::size_t kEntryBytes = 96;
constexpr std::size_t kObjectBytes = 128;
constexpr std::size_t kMinRuns = 1000;

std::chrono::nanoseconds thread_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

Interpreter::Interpreter(std::string_view source, const RenderLimits& limits, ValueList globals)
    : source_(source), limits_(limits), begun_(thread_time()), scopes_(std::move(globals)) {}

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

void Interpreter::exceed(const std::string& message) const {
  throw TemplateLimitError(located_message(source_, offset_, message));
}

void Interpreter::look_at_clock() {
  next_look_ = work_ + kBytesBetweenLooks;
  if (thread_time() - begun_ <= limits_.max_time) return;
  exceed("the template takes more than " + std::to_string(limits_.max_time.count()) + " ms");
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
    exceed("the template needs more than " + std::to_string(limits_.max_steps) + " steps");
  }
  if (work_ >= next_look_) look_at_clock();
}

void Interpreter::charge(std::size_t num_bytes) {
  if (num_bytes > limits_.max_memory_bytes - bytes_) {
    exceed("the template needs more than " + std::to_string(limits_.max_memory_bytes >> 20) +
           " MiB of memory");
  }
  bytes_ += num_bytes;
  work(num_bytes);
}

void Interpreter::charge(std::size_t num_items, std::size_t item_bytes) {
  std::size_t num_bytes = 0;
  if (__builtin_mul_overflow(num_items, item_bytes, &num_bytes)) num_bytes = limits_.max_memory_bytes + 1;
  charge(num_bytes);
}

void Interpreter::charge_entry(const Value& key) {
  charge(sizeof(Dict::Entry) + kEntryBytes + (key.is(Value::Kind::text) ? key.as_text().size() : 0));
}

Value Interpreter::make_list(ValueList items, Sequence sequence) {
  charge_items(items.size());
  charge(kObjectBytes);
  auto list = std::make_shared<List>();
  list->items = std::move(items);
  list->sequence = sequence;
  list->frozen = false;
  lists_.push_back(list);
  return list;
}

Value Interpreter::make_dict(Dict dict) {
  charge(dict.copy_bytes() + kObjectBytes);
  dicts_.push_back(std::make_shared<Dict>(std::move(dict)));
  return std::shared_ptr<const Dict>(dicts_.back());
}

Value Interpreter::make_object(std::shared_ptr<Object> object) {
  charge(kObjectBytes);
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
  if (num_captures_ > 1) {
    charge_copy(text);
  } else {
    work(text.copy_bytes());
  }
  // As many pieces of an origin as may be written take no more memory than the text.
  const std::size_t max_runs = kMinRuns + limits_.max_output_bytes / sizeof(OriginRun);
  const bool is_too_much = output_->size() + text.size() > limits_.max_output_bytes ||
                           output_->num_runs() + text.num_runs() > max_runs;
  if (is_too_much) {
    exceed("the template writes more than " + std::to_string(limits_.max_output_bytes >> 20) + " MiB");
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

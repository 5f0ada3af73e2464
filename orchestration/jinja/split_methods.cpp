#include "orchestration/jinja/split_methods.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "orchestration/jinja/bound_arguments.h"
#include "orchestration/jinja/characters.h"
#include "orchestration/jinja/text_operations.h"

namespace parley::orchestration::jinja {
namespace {

constexpr std::size_t kNoSeparator = std::string_view::npos;

struct SplitRequest {
  Text text;
  Text separator;  // empty: runs of whitespace
  std::size_t max_splits = 0;
};

SplitRequest read_request(Interpreter& interpreter, const Value& receiver, const Arguments& arguments,
                          std::string_view callee) {
  const BoundArguments bound(interpreter, arguments, {callee, {"sep", "maxsplit"}});
  SplitRequest request;
  request.text = receiver.as_text();
  const std::int64_t wanted = bound.integer(1, -1);
  request.max_splits =
      wanted < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(wanted);
  if (!bound.has(0) || bound[0].is(Value::Kind::none)) return request;
  if (!bound[0].is(Value::Kind::text)) {
    interpreter.fail("must be str or None, not " + std::string(type_name(bound[0])));
  }
  request.separator = bound[0].as_text();
  if (request.separator.empty()) interpreter.fail("empty separator");
  return request;
}

void add_part(Interpreter& interpreter, ValueList& parts, Text part) {
  interpreter.charge_items(1);
  parts.emplace_back(std::move(part));
}

ValueList split_at(Interpreter& interpreter, const SplitRequest& request) {
  const std::string_view bytes = request.text.view();
  interpreter.work(bytes.size());
  ValueList parts;
  std::size_t begin = 0;
  while (parts.size() < request.max_splits) {
    const std::size_t found = find_bytes(bytes, request.separator.view(), begin);
    if (found == kNoSeparator) break;
    add_part(interpreter, parts, request.text.substring(begin, found));
    begin = found + request.separator.size();
  }
  add_part(interpreter, parts, request.text.substring(begin, bytes.size()));
  return parts;
}

ValueList split_spaces(Interpreter& interpreter, const SplitRequest& request) {
  const std::string_view bytes = request.text.view();
  interpreter.work(4 * bytes.size());
  ValueList parts;
  std::size_t at = skip_spaces(bytes, 0);
  while (at < bytes.size() && parts.size() < request.max_splits) {
    std::size_t end = at;
    while (end < bytes.size() && !is_space(code_point_at(bytes, end).value))
      end += code_point_at(bytes, end).size;
    add_part(interpreter, parts, request.text.substring(at, end));
    at = skip_spaces(bytes, end);
  }
  if (at < bytes.size()) add_part(interpreter, parts, request.text.substring(at, bytes.size()));
  return parts;
}

ValueList split_last(Interpreter& interpreter, const SplitRequest& request) {
  const ReverseSearch search(interpreter, request.text.view(), request.separator.view());
  ValueList parts;
  std::size_t end = request.text.size();
  while (parts.size() < request.max_splits) {
    const std::size_t found = search.before(end);
    if (found == kNoSeparator) break;
    add_part(interpreter, parts, request.text.substring(found + request.separator.size(), end));
    end = found;
  }
  add_part(interpreter, parts, request.text.substring(0, end));
  std::reverse(parts.begin(), parts.end());
  return parts;
}

ValueList split_last_spaces(Interpreter& interpreter, const SplitRequest& request) {
  const std::string_view bytes = request.text.view();
  interpreter.work(4 * bytes.size());
  ValueList parts;
  std::size_t end = trimmed_end(bytes, 0);
  while (end > 0 && parts.size() < request.max_splits) {
    std::size_t begin = end;
    while (begin > 0) {
      const std::size_t start = start_of_last(bytes, 0, begin);
      if (is_space(code_point_at(bytes, start).value)) break;
      begin = start;
    }
    add_part(interpreter, parts, request.text.substring(begin, end));
    end = trimmed_end(bytes.substr(0, begin), 0);
  }
  if (end > 0) add_part(interpreter, parts, request.text.substring(0, end));
  std::reverse(parts.begin(), parts.end());
  return parts;
}

Text required_separator(Interpreter& interpreter, const Arguments& arguments, std::string_view callee) {
  const BoundArguments bound(interpreter, arguments, {callee, {"sep"}, 1});
  if (!bound[0].is(Value::Kind::text) || bound[0].as_text().empty()) interpreter.fail("empty separator");
  return bound[0].as_text();
}

}  // namespace

ReverseSearch::ReverseSearch(Interpreter& interpreter, std::string_view text, std::string_view needle)
    : text_(text.rbegin(), text.rend()), needle_(needle.rbegin(), needle.rend()) {
  assert(!needle.empty());
  interpreter.work(2 * (text.size() + needle.size()));
}

std::size_t ReverseSearch::before(std::size_t end) const {
  const std::size_t found = find_bytes(text_, needle_, text_.size() - end);
  return found == kNoSeparator ? kNoSeparator : text_.size() - found - needle_.size();
}

Value text_split(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const SplitRequest request = read_request(interpreter, receiver, arguments, "str.split()");
  return interpreter.make_list(request.separator.empty() ? split_spaces(interpreter, request)
                                                         : split_at(interpreter, request));
}

Value text_rsplit(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const SplitRequest request = read_request(interpreter, receiver, arguments, "str.rsplit()");
  return interpreter.make_list(request.separator.empty() ? split_last_spaces(interpreter, request)
                                                         : split_last(interpreter, request));
}

Value text_splitlines(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const BoundArguments bound(interpreter, arguments, {"str.splitlines()", {"keepends"}});
  const LineEnds ends = bound.flag(0) ? LineEnds::kept : LineEnds::dropped;
  return interpreter.make_list(split_lines(interpreter, receiver.as_text(), ends));
}

Value text_partition(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const Text separator = required_separator(interpreter, arguments, "str.partition()");
  const Text& text = receiver.as_text();
  interpreter.work(text.size());
  const std::size_t found = find_bytes(text.view(), separator.view(), 0);
  if (found == kNoSeparator) return interpreter.make_list({text, Text(), Text()}, Sequence::tuple);
  const Text after = text.substring(found + separator.size(), text.size());
  return interpreter.make_list({text.substring(0, found), separator, after}, Sequence::tuple);
}

Value text_rpartition(Interpreter& interpreter, const Value& receiver, const Arguments& arguments) {
  const Text separator = required_separator(interpreter, arguments, "str.rpartition()");
  const Text& text = receiver.as_text();
  const std::size_t found = ReverseSearch(interpreter, text.view(), separator.view()).before(text.size());
  if (found == kNoSeparator) return interpreter.make_list({Text(), Text(), text}, Sequence::tuple);
  const Text after = text.substring(found + separator.size(), text.size());
  return interpreter.make_list({text.substring(0, found), separator, after}, Sequence::tuple);
}

}  // namespace parley::orchestration::jinja

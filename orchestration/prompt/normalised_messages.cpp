#include "orchestration/prompt/normalised_messages.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "orchestration/calls/call_ids.h"
#include "orchestration/prompt/call_group.h"
#include "orchestration/prompt/generic_tools.h"
#include "orchestration/prompt/origins.h"
#include "orchestration/prompt/restated_results.h"

namespace parley::orchestration::prompt {
namespace {

TextPieces pieces_of(const std::string& text, jinja::Origin origin) {
  if (text.empty()) return {};
  return {{text, origin}};
}

class Normaliser {
 public:
  Normaliser(const std::vector<ChatMessage>& messages, const TemplateCapabilities& can,
             const NormaliseOptions& options)
      : messages_(messages), can_(can), options_(options) {}

  MessageParts run() {
    add_tools_text();
    for (std::size_t i = 0; i < messages_.size();) i = add_message(i);
    if (!held_back_.empty()) {
      const jinja::Origin origin =
          messages_.empty() ? jinja::kTemplateOrigin : origin_of(messages_.size() - 1);
      parts_.push_back({Role::user, std::move(held_back_), origin});
    }
    return std::move(parts_);
  }

 private:
  static jinja::Origin origin_of(std::size_t index) { return origin_of_message(index); }
  bool is_replayed(std::size_t index) const {
    return index < options_.replayed.size() && options_.replayed[index];
  }

  // Behind the first system text, or in front of everything.
  void add_tools_text() {
    const bool shown = can_.tools || can_.xml_tools;
    if (shown || !options_.tools.is(jinja::Value::Kind::list)) return;
    tools_text_ = tools_as_text(options_.tools);
    if (messages_.empty() || messages_.front().role != Role::system) {
      add_system(std::exchange(tools_text_, {}), jinja::kTemplateOrigin);
    }
  }

  void add_system(TextPieces text, jinja::Origin origin) {
    if (can_.system) {
      parts_.push_back({Role::system, std::move(text), origin});
    } else {
      append(held_back_, std::move(text));
      held_back_.push_back({"\n\n", origin});
    }
  }

  // The index of the next message to add.
  std::size_t add_message(std::size_t index) {
    const ChatMessage& message = messages_[index];
    switch (message.role) {
      case Role::system: {
        TextPieces text = pieces_of(message.text, origin_of(index));
        if (!tools_text_.empty() && !text.empty()) text.push_back({"\n\n"});
        append(text, std::exchange(tools_text_, {}));
        add_system(std::move(text), origin_of(index));
        return index + 1;
      }
      case Role::user:
        question_ = message.text;
        add_user(pieces_of(message.text, origin_of(index)), origin_of(index));
        return index + 1;
      case Role::assistant:
        return message.calls.empty() ? add_answer(index) : add_group(index);
      case Role::tool:
        add_user(result_as_text(message.text, origin_of(index)), origin_of(index));  // of no call
        return index + 1;
    }
    return index + 1;
  }

  void add_user(TextPieces text, jinja::Origin origin) {
    const bool in_a_row = !parts_.empty() && parts_.back().role == Role::user;
    if (in_a_row && !can_.users_in_a_row) {
      parts_.back().content.push_back({"\n\n", origin});
    } else {
      parts_.push_back({Role::user, {}, origin});
    }
    append(parts_.back().content, std::exchange(held_back_, {}));
    append(parts_.back().content, std::move(text));
  }

  MessagePart answer_part(std::size_t index) const {
    MessagePart part{Role::assistant, {}, origin_of(index)};
    if (is_replayed(index)) {
      part.content = {{std::string(kReplayedText), part.origin}};
    } else {
      part.content = pieces_of(messages_[index].text, part.origin);
      part.reasoning = messages_[index].reasoning;
    }
    return part;
  }

  std::size_t add_answer(std::size_t index) {
    parts_.push_back(answer_part(index));
    return index + 1;
  }

  // An answer with calls, and the results that follow it.
  std::size_t add_group(std::size_t index) {
    CallGroup group = find_call_group(messages_, index);
    for (MessageCall& call : group.calls) give_id(call);
    const bool together = is_replayed(index) || !can_.calls || can_.parallel_calls || group.calls.size() == 1;
    if (together) {
      add_calls(index, group.calls);
      add_results(group, 0, group.calls.size());
    } else {
      for (std::size_t i = 0; i < group.calls.size(); ++i) {
        add_calls(index, {group.calls[i]}, i == 0 ? Prose::kept : Prose::left_out);
        add_results(group, i, i + 1);
      }
    }
    for (const std::size_t orphan : group.orphans) add_message(orphan);
    return group.end;
  }

  void give_id(MessageCall& call) {
    const std::size_t count = num_calls_++;
    switch (can_.id_rule) {
      case calls::IdRule::nine_alphanumerics: {
        const auto is_plain = [](unsigned char c) { return c < 128 && std::isalnum(c) != 0; };
        if (call.id.size() == 9 && std::all_of(call.id.begin(), call.id.end(), is_plain)) return;
        break;
      }
      case calls::IdRule::free:
        if (!call.id.empty() || !can_.ids_shown) return;
        break;
      default:
        break;
    }
    call.id = calls::make_call_id(can_.id_rule, call.name, count);
  }

  enum class Prose : bool { left_out, kept };

  void add_calls(std::size_t index, std::vector<MessageCall> group_calls, Prose prose = Prose::kept) {
    MessagePart part = answer_part(index);
    if (prose == Prose::left_out) {
      part.content.clear();
      part.reasoning.clear();
    }
    if (!is_replayed(index) && !can_.calls) {
      part.content = calls_as_text(messages_[index].text, group_calls, part.origin);
    } else if (!is_replayed(index)) {
      if (!part.content.empty() && !can_.prose_beside_calls) {
        parts_.push_back(part);
        part.content.clear();
        part.reasoning.clear();
      }
      part.calls = std::move(group_calls);
    }
    parts_.push_back(std::move(part));
  }

  void add_results(const CallGroup& group, std::size_t begin, std::size_t end) {
    TextPieces as_text;
    jinja::Origin last = jinja::kTemplateOrigin;
    RestatedResults restated;
    for (std::size_t i = begin; i < end; ++i) {
      const std::optional<std::string> text = result_text(group, i);
      if (!text) continue;
      const std::size_t message = group.results[i].value_or(group.answer);
      last = origin_of(message);
      if (options_.results == ResultForm::restated_question) {
        restated.add(group.calls[i], *text, last);
      } else if (can_.results) {
        parts_.push_back(
            {Role::tool, pieces_of(*text, last), last, {}, {}, group.calls[i].id, group.calls[i].name});
      } else {
        if (!as_text.empty()) as_text.push_back({"\n"});
        append(as_text, result_as_text(*text, last));
      }
    }
    if (options_.results == ResultForm::restated_question) as_text = restated.take(question_);
    if (!as_text.empty()) add_user(std::move(as_text), last);
  }

  // Absent where there is none and nothing follows that would need it.
  std::optional<std::string> result_text(const CallGroup& group, std::size_t call) const {
    if (group.results[call]) return messages_[*group.results[call]].text;
    const auto is_there = [](const auto& result) { return result.has_value(); };
    const bool needed =
        group.end < messages_.size() || std::any_of(group.results.begin(), group.results.end(), is_there);
    return needed ? std::optional<std::string>("There is no result: the call was interrupted.")
                  : std::nullopt;
  }

  const std::vector<ChatMessage>& messages_;
  const TemplateCapabilities& can_;
  const NormaliseOptions& options_;
  MessageParts parts_;
  TextPieces tools_text_;  // to be added to the first system text
  TextPieces held_back_;   // system text that the next message of the user takes along
  std::string question_;   // the last one
  std::size_t num_calls_ = 0;
};

}  // namespace

MessageParts normalise(const std::vector<ChatMessage>& messages, const TemplateCapabilities& can,
                       const NormaliseOptions& options) {
  return Normaliser(messages, can, options).run();
}

}  // namespace parley::orchestration::prompt

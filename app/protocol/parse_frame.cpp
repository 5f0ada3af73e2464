#include "app/protocol/parse_frame.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "app/protocol/field_reader.h"
#include "inference/json/json.h"
#include "orchestration/turn/uuid.h"

namespace parley::app::protocol {
namespace {

using inference::json::JsonArray;
using inference::json::JsonError;
using inference::json::JsonObject;
using inference::json::JsonValue;
using inference::json::parse_json;

namespace turn = orchestration::turn;

constexpr std::int64_t kDefaultPageItems = 50;
constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();
constexpr IntegerRange kFromZero{.min = 0};
constexpr NumberRange kTemperatures{.min = 0, .max = 2};
constexpr std::size_t kMaxQuotedBytes = 40;

std::size_t page_limit(FieldReader& fields) {
  const IntegerRange range{.min = 1, .max = static_cast<std::int64_t>(kMaxPageItems)};
  return static_cast<std::size_t>(fields.optional_integer("limit", range).value_or(kDefaultPageItems));
}

ClientFrame parse_list(FieldReader& fields) {
  ListCommand command{.id = fields.uuid("id"), .before = {}, .limit = page_limit(fields)};
  if (const JsonObject* before = fields.optional_object("before")) {
    FieldReader place(*before, "before");
    const auto updated_at = place.integer("updated_at", kFromZero);
    command.before.emplace(updated_at, place.uuid("conversation"));
    fields.adopt(place.error());
  }
  return command;
}

ClientFrame parse_create(FieldReader& fields) {
  return CreateCommand{.id = fields.uuid("id"),
                       .conversation = fields.uuid("conversation"),
                       .title = fields.optional_text("title").value_or("")};
}

ClientFrame parse_rename(FieldReader& fields) {
  return RenameCommand{
      .id = fields.uuid("id"), .conversation = fields.uuid("conversation"), .title = fields.text("title")};
}

// Commands whose only field is the conversation.
template <typename Command>
ClientFrame parse_plain(FieldReader& fields) {
  return Command{.id = fields.uuid("id"), .conversation = fields.uuid("conversation")};
}

ClientFrame parse_open(FieldReader& fields) {
  OpenCommand command{.id = fields.uuid("id"), .conversation = fields.uuid("conversation"), .have = {}};
  if (const JsonObject* have = fields.optional_object("have")) {
    FieldReader position(*have, "have");
    turn::ClientPosition place;
    place.instance = position.uuid("instance");
    place.sequence = static_cast<std::uint64_t>(position.integer("seq", kFromZero));
    place.message = position.optional_uuid("message").value_or("");
    place.epoch = position.optional_integer("epoch", kFromZero).value_or(0);
    place.offset = static_cast<std::size_t>(position.optional_integer("offset", kFromZero).value_or(0));
    fields.adopt(position.error());
    command.have = std::move(place);
  }
  return command;
}

ClientFrame parse_older(FieldReader& fields) {
  return OlderCommand{.id = fields.uuid("id"),
                      .conversation = fields.uuid("conversation"),
                      .before = fields.uuid("before"),
                      .limit = page_limit(fields)};
}

ClientFrame parse_send(FieldReader& fields) {
  SendCommand command{.id = fields.uuid("id"),
                      .conversation = fields.uuid("conversation"),
                      .text = fields.text("text"),
                      .parent = {}};
  if (fields.is_present("parent")) command.parent = fields.optional_uuid("parent").value_or("");
  return command;
}

// Commands on one message.
template <typename Command>
ClientFrame parse_of_message(FieldReader& fields) {
  return Command{.id = fields.uuid("id"),
                 .conversation = fields.uuid("conversation"),
                 .message = fields.uuid("message")};
}

// Null: nullopt.
std::optional<std::vector<std::string>> optional_names(FieldReader& fields, std::string_view field) {
  const JsonArray* array = fields.optional_array(field);
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const JsonValue& name : *array) {
    if (!name.is_string()) fields.refuse(field, "must be an array of strings");
    if (name.is_string()) names.emplace_back(name.get_string());
  }
  return names;
}

ClientFrame parse_settings(FieldReader& fields) {
  SettingsCommand command{.id = fields.uuid("id"), .change = {}};
  command.change.conversation = fields.uuid("conversation");
  if (fields.is_present("system_prompt")) command.change.system_prompt = fields.text("system_prompt");
  if (fields.is_present("temperature")) {
    command.change.temperature = fields.optional_number("temperature", kTemperatures);
  }
  if (fields.is_present("max_tokens")) {
    const auto tokens = fields.optional_integer("max_tokens", {.min = 1, .max = kMaxInt});
    command.change.max_tokens = tokens ? std::optional<int>(static_cast<int>(*tokens)) : std::nullopt;
  }
  if (fields.is_present("tools")) command.change.tools = optional_names(fields, "tools");
  return command;
}

ClientFrame parse_models(FieldReader& fields) { return ModelsCommand{.id = fields.uuid("id")}; }

ClientFrame parse_tools(FieldReader& fields) { return ToolsCommand{.id = fields.uuid("id")}; }

turn::CallDecision parse_decision(FieldReader& fields) {
  const std::string word = fields.text("decision");
  if (word == "once") return turn::CallDecision::once;
  if (word == "chat") return turn::CallDecision::chat;
  if (word == "always") return turn::CallDecision::always;
  if (word != "deny") fields.refuse("decision", R"(must be "once", "chat", "always" or "deny")");
  return turn::CallDecision::deny;
}

// Fields that say which call is meant.
template <typename Request>
void read_call(FieldReader& fields, Request& request) {
  request.conversation = fields.uuid("conversation");
  request.message = fields.uuid("message");
  request.call = fields.uuid("call");
}

ClientFrame parse_decide(FieldReader& fields) {
  DecideCommand command{.id = fields.uuid("id"), .decision = {}};
  read_call(fields, command.decision);
  command.decision.decision = parse_decision(fields);
  command.decision.definition = fields.optional_text("definition").value_or("");
  return command;
}

ClientFrame parse_cancel_call(FieldReader& fields) {
  CancelCallCommand command{.id = fields.uuid("id"), .call = {}};
  read_call(fields, command.call);
  return command;
}

ClientFrame parse_forget_approval(FieldReader& fields) {
  return ForgetApprovalCommand{.id = fields.uuid("id"), .tool = fields.text("tool")};
}

ClientFrame parse_output(FieldReader& fields) {
  OutputCommand command{.id = fields.uuid("id"), .request = {}};
  read_call(fields, command.request);
  command.request.offset = static_cast<std::size_t>(fields.integer("offset", kFromZero));
  return command;
}

ClientFrame parse_audit(FieldReader& fields) {
  AuditCommand command{.id = fields.uuid("id"), .request = {}};
  if (const auto before = fields.optional_integer("before", kFromZero))
    command.request.before = static_cast<std::uint64_t>(*before);
  command.request.limit = page_limit(fields);
  return command;
}

struct CommandParser {
  std::string_view type;
  ClientFrame (*parse)(FieldReader&);
};

constexpr CommandParser kCommands[] = {
    {"list", parse_list},
    {"create", parse_create},
    {"rename", parse_rename},
    {"delete", parse_plain<DeleteCommand>},
    {"undelete", parse_plain<UndeleteCommand>},
    {"open", parse_open},
    {"close", parse_plain<CloseCommand>},
    {"older", parse_older},
    {"send", parse_send},
    {"stop", parse_plain<StopCommand>},
    {"regenerate", parse_of_message<RegenerateCommand>},
    {"continue", parse_of_message<ContinueCommand>},
    {"settings", parse_settings},
    {"models", parse_models},
    {"tools", parse_tools},
    {"decide", parse_decide},
    {"cancel_call", parse_cancel_call},
    {"forget_approval", parse_forget_approval},
    {"output", parse_output},
    {"audit", parse_audit},
};

ErrorFrame refusal(ErrorCode code, std::string message) {
  return ErrorFrame{.re = {}, .code = code, .message = std::move(message)};
}

ErrorFrame unknown_type(const std::string& type) {
  if (type.size() > kMaxQuotedBytes) {
    return refusal(ErrorCode::unknown_type, "The frame's `type` is none that this server knows.");
  }
  return refusal(ErrorCode::unknown_type,
                 "This server knows no frame of type \"" + type +
                     "\"; the page may be newer or older than the server: reload it.");
}

// The id to answer to, also when other fields are wrong.
std::string usable_id(const JsonObject& frame) {
  const JsonValue* id = frame.if_contains("id");
  if (id == nullptr || !id->is_string() || !turn::is_uuid(std::string_view(id->get_string()))) return {};
  return std::string(id->get_string());
}

std::variant<ClientFrame, ErrorFrame> parse_object(const JsonObject& object) {
  FieldReader fields(object);
  const std::string type = fields.text("type");
  if (fields.error()) return refusal(ErrorCode::invalid, fields.error()->message);
  const auto* known = std::find_if(std::begin(kCommands), std::end(kCommands),
                                   [&](const CommandParser& command) { return command.type == type; });
  if (known == std::end(kCommands)) return unknown_type(type);
  ClientFrame frame = known->parse(fields);
  if (fields.error()) return refusal(ErrorCode::invalid, fields.error()->message);
  return frame;
}

// Of a command, or of what of the hub's it carries; empty: it is about none.
template <typename Command>
std::string conversation_of(const Command& command) {
  if constexpr (requires { command.conversation; }) return command.conversation;
  if constexpr (requires { command.change; }) return command.change.conversation;
  if constexpr (requires { command.decision; }) return command.decision.conversation;
  if constexpr (requires { command.call; }) return command.call.conversation;
  if constexpr (std::is_same_v<Command, OutputCommand>) return command.request.conversation;
  return {};
}

}  // namespace

std::variant<ClientFrame, ErrorFrame> parse_frame(std::string_view text, std::size_t max_bytes) {
  auto parsed = parse_json(text, {.max_bytes = max_bytes});
  if (const auto* error = std::get_if<JsonError>(&parsed)) {
    const std::string at = error->key.empty() ? "" : " It is in field `" + error->key + "`.";
    return refusal(ErrorCode::bad_frame, error->message + at);
  }
  const JsonObject* object = std::get<JsonValue>(parsed).if_object();
  if (object == nullptr) return refusal(ErrorCode::bad_frame, "A frame must be a JSON object.");
  auto result = parse_object(*object);
  if (auto* error = std::get_if<ErrorFrame>(&result)) error->re = usable_id(*object);
  return result;
}

std::string command_conversation(const ClientFrame& frame) {
  return std::visit([](const auto& command) { return conversation_of(command); }, frame);
}

const std::string& command_id(const ClientFrame& frame) {
  return std::visit([](const auto& command) -> const std::string& { return command.id; }, frame);
}

}  // namespace parley::app::protocol

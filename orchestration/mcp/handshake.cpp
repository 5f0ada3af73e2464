#include "orchestration/mcp/handshake.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "orchestration/mcp/fields.h"
#include "orchestration/mcp/plain_text.h"

namespace parley::orchestration::mcp {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = RequestFailure::Kind;

constexpr std::size_t kMaxName = 200;
constexpr std::size_t kMaxInstructions = 4000;

ServerFacts read_facts(const JsonObject& result, Dialect dialect) {
  ServerFacts facts;
  facts.dialect = std::move(dialect);
  const JsonObject* info = object_field(result, "serverInfo");
  const JsonObject* meta = object_field(result, "_meta");
  if (info == nullptr && meta != nullptr) info = object_field(*meta, "io.modelcontextprotocol/serverInfo");
  if (info != nullptr) {
    facts.name = plain_line(text_field(*info, "name"), kMaxName);
    facts.version = plain_line(text_field(*info, "version"), kMaxName);
  }
  facts.instructions = plain_text(text_field(result, "instructions").substr(0, kMaxInstructions));
  const JsonObject* capabilities = object_field(result, "capabilities");
  const JsonObject* tools = capabilities == nullptr ? nullptr : object_field(*capabilities, "tools");
  facts.has_tools = tools != nullptr;
  facts.tells_changes = tools != nullptr && is_true(*tools, "listChanged");
  return facts;
}

bool lists_modern(const JsonArray& versions) {
  return std::any_of(versions.begin(), versions.end(),
                     [](const JsonValue& version) { return version == JsonValue(kModernVersion); });
}

// The newest legacy version of a server's list; empty if there is none.
std::string legacy_of(const JsonArray& versions) {
  for (const std::string_view known : kLegacyVersions) {
    for (const JsonValue& version : versions) {
      if (version == JsonValue(known)) return std::string(known);
    }
  }
  return {};
}

std::string words_of(const JsonArray& versions) {
  std::string words;
  for (const JsonValue& version : versions) {
    if (!version.is_string() || words.size() > kMaxName) continue;
    if (!words.empty()) words += ", ";
    words += std::string_view(version.get_string());
  }
  return plain_line(words.empty() ? "none" : words, kMaxName);
}

const JsonArray* supported_versions(const RequestFailure& failure) {
  const JsonObject* data = failure.data.if_object();
  return data == nullptr ? nullptr : array_field(*data, "supported");
}

std::string unknown_versions(const JsonArray& versions) {
  return "it speaks versions of the protocol that Parley does not know (" + words_of(versions) + ")";
}

class Handshake {
 public:
  Handshake(Session& session, const HandshakePlan& plan)
      : session_(session), plan_(plan), deadline_(Clock::now() + plan.limit) {}

  std::variant<ServerFacts, std::string> run() {
    if (plan_.opening == HandshakePlan::Opening::initialize) return initialize(kLegacyVersions.front());
    Reply probe = ask("server/discover", {}, std::min(deadline_, Clock::now() + plan_.probe_limit));
    if (auto decided = judge_probe(probe)) return std::move(*decided);
    auto legacy = initialize(legacy_version_);
    // A modern server that was slow to start has missed the probe.
    const bool was_silent = std::get_if<RequestFailure>(&probe) != nullptr &&
                            std::get<RequestFailure>(probe).kind == Kind::timed_out;
    if (std::holds_alternative<ServerFacts>(legacy) || !was_silent || session_.is_closed()) return legacy;
    session_.speak({});
    probe = ask("server/discover", {}, deadline_);
    if (auto decided = judge_probe(probe)) return std::move(*decided);
    return legacy;
  }

 private:
  Reply ask(std::string method, JsonObject params, Clock::time_point deadline) {
    Request request;
    request.method = std::move(method);
    request.params = std::move(params);
    request.giving_up = Request::GivingUp::is_silent;
    return session_.request(std::move(request),
                            {.deadline = deadline, .stop = plan_.stop, .on_progress = {}});
  }

  // Nullopt: to be tried as a legacy server, with legacy_version_.
  std::optional<std::variant<ServerFacts, std::string>> judge_probe(const Reply& probe) {
    if (const auto* result = std::get_if<JsonObject>(&probe)) return judge_discovery(*result);
    const auto& failure = std::get<RequestFailure>(probe);
    if (failure.kind == Kind::closed || failure.kind == Kind::cancelled) return failure.message;
    if (failure.kind != Kind::refused || !is_modern_error(failure.code)) return std::nullopt;
    const JsonArray* versions = supported_versions(failure);
    if (versions == nullptr) return "it refuses to be asked who it is: " + failure.message;
    return choose_legacy(*versions);
  }

  std::optional<std::variant<ServerFacts, std::string>> judge_discovery(const JsonObject& result) {
    const JsonArray* versions = array_field(result, "supportedVersions");
    if (versions == nullptr) return std::nullopt;  // whatever this is, no modern server wrote it
    if (lists_modern(*versions)) return read_facts(result, {});
    return choose_legacy(*versions);
  }

  std::optional<std::variant<ServerFacts, std::string>> choose_legacy(const JsonArray& versions) {
    const std::string version = legacy_of(versions);
    if (version.empty()) return unknown_versions(versions);
    legacy_version_ = version;
    return std::nullopt;
  }

  std::variant<ServerFacts, std::string> initialize(const std::string_view version) {
    session_.speak({.era = Era::legacy, .version = std::string(version)});
    Reply reply = ask_to_initialize(version);
    if (const auto* failure = std::get_if<RequestFailure>(&reply); failure != nullptr) {
      const JsonArray* versions = supported_versions(*failure);
      const std::string other = versions == nullptr ? "" : legacy_of(*versions);
      if (!other.empty() && other != version) reply = ask_to_initialize(other);
    }
    if (const auto* failure = std::get_if<RequestFailure>(&reply)) {
      if (failure->kind == Kind::closed || failure->kind == Kind::cancelled) return failure->message;
      return "the handshake failed: " + failure->message;
    }
    const auto& result = std::get<JsonObject>(reply);
    const std::string spoken = text_field(result, "protocolVersion");
    if (!is_legacy_version(spoken)) return unknown_versions({JsonValue(spoken)});
    const Dialect dialect{.era = Era::legacy, .version = spoken};
    session_.speak(dialect);
    session_.notify("notifications/initialized", Outgoing::Delivery::before_return);
    return read_facts(result, dialect);
  }

  Reply ask_to_initialize(std::string_view version) {
    return ask("initialize",
               {{"protocolVersion", version}, {"capabilities", JsonObject()}, {"clientInfo", client_info()}},
               deadline_);
  }

  Session& session_;
  const HandshakePlan& plan_;
  const Clock::time_point deadline_;
  std::string legacy_version_{kLegacyVersions.front()};
};

}  // namespace

std::variant<ServerFacts, std::string> shake_hands(Session& session, const HandshakePlan& plan) {
  return Handshake(session, plan).run();
}

}  // namespace parley::orchestration::mcp

#include "orchestration/sessions/call_table.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "orchestration/sessions/session_store.h"
#include "orchestration/sessions/string_list.h"

namespace parley::orchestration::sessions {
namespace {

// Indexed by the enumeration; words are stored, as of messages.
constexpr std::array<std::string_view, 8> kCallStates = {
    "writing", "awaiting_approval", "running", "done", "failed", "denied", "cancelled", "interrupted"};
static_assert(static_cast<int>(CallState::interrupted) == 7);

constexpr std::size_t kMaxPieceBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxOffset = std::size_t{1} << 30;  // substr() counts in 32 bits, and no blob is longer

constexpr const char* kReadCalls = R"sql(
SELECT c.id, c.name, c.arguments, c.source, c.definition, c.state, c.preview_kind, c.preview_words, c.preview_input, c.result,
       coalesce(length(o.bytes), 0), c.decision, c.elapsed_ms
FROM messages m JOIN calls c ON c.message = m.key LEFT JOIN call_outputs o ON o.call = c.key
WHERE m.id = ?1 ORDER BY c.position
)sql";

// A call stays with its message: one whose id is another message's changes no row.
constexpr const char* kWriteCall = R"sql(
INSERT INTO calls(message, position, id, name, arguments, source, definition, state, preview_kind,
                  preview_words, preview_input, result, decision, elapsed_ms)
SELECT key, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 FROM messages
WHERE conversation = ?1 AND id = ?2
ON CONFLICT(id) DO UPDATE SET
  position = excluded.position, name = excluded.name, arguments = excluded.arguments,
  source = excluded.source, definition = excluded.definition, state = excluded.state, preview_kind = excluded.preview_kind,
  preview_words = excluded.preview_words, preview_input = excluded.preview_input, result = excluded.result,
  decision = excluded.decision, elapsed_ms = excluded.elapsed_ms
WHERE message = excluded.message
)sql";

// A tool's whole text is its stored output, or else the result.
constexpr const char* kReadOutput = R"sql(
SELECT message, length(bytes), substr(bytes, ?3, ?4) FROM
 (SELECT m.id AS message, coalesce(o.bytes, CAST(c.result AS BLOB)) AS bytes
  FROM calls c JOIN messages m ON m.key = c.message LEFT JOIN call_outputs o ON o.call = c.key
  WHERE m.conversation = ?1 AND c.id = ?2)
)sql";

void read_state(ToolCall& call, const std::string& word) {
  const auto* known = std::find(kCallStates.begin(), kCallStates.end(), word);
  if (known != kCallStates.end()) {
    call.state = static_cast<CallState>(known - kCallStates.begin());
    return;
  }
  call.state = CallState::failed;
  if (call.result.empty()) {
    call.result = "This call has the unknown state '" + word +
                  "' in the database, which was damaged or changed by another program.";
  }
}

ToolCall read_call(const Query& row) {
  int column = 0;
  ToolCall call;
  call.id = row.text(column++);
  call.name = row.text(column++);
  call.arguments = row.text(column++);
  call.source = row.text(column++);
  call.definition = row.text(column++);
  const std::string state = row.text(column++);
  call.preview.kind = row.text(column++);
  call.preview.words = decode_strings(row.text(column++)).value_or(std::vector<std::string>());
  call.preview.input = row.text(column++);
  call.result = row.text(column++);
  call.output_bytes = static_cast<std::size_t>(row.integer(column++));
  call.decision = row.text(column++);
  call.elapsed_ms = row.real(column);
  read_state(call, state);
  return call;
}

}  // namespace

std::string_view word_of(CallState state) { return kCallStates.at(static_cast<std::size_t>(state)); }

CallTable::CallTable(Database& database)
    : database_(database),
      read_(database, kReadCalls),
      images_(database,
              "SELECT media_type FROM call_images WHERE call = (SELECT key FROM calls WHERE id = ?1) "
              "ORDER BY position"),
      ids_(database, "SELECT c.id FROM messages m JOIN calls c ON c.message = m.key WHERE m.id = ?1"),
      position_(database,
                "SELECT coalesce((SELECT position FROM calls WHERE id = ?2), max(c.position) + 1, 0) "
                "FROM messages m JOIN calls c ON c.message = m.key WHERE m.id = ?1"),
      write_(database, kWriteCall),
      remove_(database, "DELETE FROM calls WHERE id = ?1"),
      write_output_(database,
                    "INSERT INTO call_outputs(call, bytes) SELECT key, ?2 FROM calls WHERE id = ?1 "
                    "ON CONFLICT(call) DO UPDATE SET bytes = excluded.bytes"),
      keep_image_(database,
                  "INSERT INTO call_images(call, position, media_type, bytes) SELECT key, ?2, ?3, x'' "
                  "FROM calls WHERE id = ?1 "
                  "ON CONFLICT(call, position) DO UPDATE SET media_type = excluded.media_type"),
      write_image_(database,
                   "INSERT INTO call_images(call, position, media_type, bytes) SELECT key, ?2, ?3, ?4 "
                   "FROM calls WHERE id = ?1 "
                   "ON CONFLICT(call, position) DO UPDATE SET media_type = excluded.media_type, bytes = "
                   "excluded.bytes"),
      remove_images_(database,
                     "DELETE FROM call_images WHERE call = (SELECT key FROM calls WHERE id = ?1) "
                     "AND position >= ?2"),
      read_output_(database, kReadOutput),
      read_image_(database,
                  "SELECT i.media_type, i.bytes FROM calls c JOIN call_images i ON i.call = c.key "
                  "WHERE c.id = ?1 AND i.position = ?2 AND length(i.bytes) > 0"),
      mark_interrupted_(database,
                        "UPDATE calls SET state = iif(state = 'running', 'interrupted', 'cancelled') "
                        "WHERE state IN ('writing', 'running')") {}

std::vector<ToolCall> CallTable::read(const std::string& message) {
  std::vector<ToolCall> calls;
  Query query(read_, message);
  while (query.next()) {
    calls.push_back(read_call(query));
    Query images(images_, calls.back().id);
    while (images.next()) calls.back().images.push_back({.media_type = images.text(0), .bytes = {}});
  }
  return calls;
}

void CallTable::replace(const std::string& conversation, const std::string& message,
                        const std::vector<ToolCall>& calls) {
  remove_others(message, calls);
  std::int64_t position = 0;
  for (const ToolCall& call : calls) write({conversation, message, position++}, call);
}

void CallTable::save(const std::string& conversation, const std::string& message, const ToolCall& call) {
  std::int64_t position = 0;
  {
    Query query(position_, message, call.id);
    if (query.next()) position = query.integer(0);
  }
  write({conversation, message, position}, call);
}

void CallTable::remove_others(const std::string& message, const std::vector<ToolCall>& calls) {
  std::set<std::string> gone;
  {
    Query query(ids_, message);
    while (query.next()) gone.insert(query.text(0));
  }
  for (const ToolCall& call : calls) gone.erase(call.id);
  for (const std::string& id : gone) Query(remove_, id).run();
}

void CallTable::write(const Place& place, const ToolCall& call) {
  Query(write_, place.conversation, place.message, place.position, call.id, call.name, call.arguments,
        call.source, call.definition, word_of(call.state), call.preview.kind,
        encode_strings(call.preview.words), call.preview.input, call.result, call.decision, call.elapsed_ms)
      .run();
  if (database_.changes() != 1) {
    throw StoreError("Call " + call.id + " cannot be stored: its message " + place.message +
                     " does not exist, or it belongs to another one.");
  }
  write_bulk(call);
}

void CallTable::write_bulk(const ToolCall& call) {
  if (!call.output.empty()) Query(write_output_, call.id, Blob{call.output}).run();
  std::int64_t number = 0;
  for (const calls::CallImage& image : call.images) {
    if (image.bytes.empty()) {
      Query(keep_image_, call.id, number++, image.media_type).run();
    } else {
      Query(write_image_, call.id, number++, image.media_type, Blob{image.bytes}).run();
    }
  }
  Query(remove_images_, call.id, number).run();
}

std::optional<OutputPiece> CallTable::read_output(const std::string& conversation, const std::string& call,
                                                  std::size_t offset, std::size_t max_bytes) {
  const std::size_t size = std::clamp(max_bytes, kMinPieceBytes, kMaxPieceBytes);
  OutputPiece piece;
  piece.offset = offset;
  Query query(read_output_, conversation, call, static_cast<std::int64_t>(std::min(offset, kMaxOffset) + 1),
              static_cast<std::int64_t>(size));
  if (!query.next()) return std::nullopt;
  piece.message = query.text(0);
  piece.bytes = static_cast<std::size_t>(query.integer(1));
  piece.text = query.blob(2);
  keep_whole_characters(piece);
  return piece;
}

std::optional<calls::CallImage> CallTable::read_image(const std::string& call, std::size_t number) {
  Query query(read_image_, call, static_cast<std::int64_t>(std::min(number, kMaxOffset)));
  if (!query.next()) return std::nullopt;
  return calls::CallImage{.media_type = query.text(0), .bytes = std::string(query.blob(1))};
}

void CallTable::mark_interrupted() { Query(mark_interrupted_).run(); }

}  // namespace parley::orchestration::sessions

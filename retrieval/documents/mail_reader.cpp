// Mail: one message (.eml), or many in an mbox. Of a message its headers as people see them and its text;
// attachments are named, not read.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "retrieval/documents/mime.h"
#include "retrieval/documents/source_blocks.h"
#include "retrieval/documents/text_lines.h"
#include "retrieval/documents/text_readers.h"

namespace parley::retrieval::documents {

namespace {

constexpr std::size_t kMaxParts = 1000;

class MailScan {
 public:
  explicit MailScan(const ReadLimits& limits) : limits_(limits), writer_(limits) {}

  void take_message(std::string_view bytes, int depth) {
    const MailEntity message = parse_entity(bytes);
    take_headers(message);
    take_part(message, depth);
  }

  bool over_limit() const { return writer_.over_limit(); }
  const std::string& first_subject() const { return subject_; }

  ReadOutcome finish(Document rest) && {
    rest.encoding = std::move(encoding_);
    return std::move(writer_).finish(std::move(rest));
  }

 private:
  void take_headers(const MailEntity& message) {
    const std::string subject = decoded_header(message.header("subject"));
    NewBlock heading;
    heading.kind = BlockKind::heading;
    heading.level = 1;
    writer_.add(heading, subject);
    if (subject_.empty()) subject_ = trimmed(std::string_view(subject));
    std::string shown;
    constexpr std::pair<std::string_view, std::string_view> kShown[] = {
        {"from", "From"}, {"to", "To"}, {"cc", "Cc"}, {"date", "Date"}};
    for (const auto& [name, label] : kShown) {
      const std::string value = decoded_header(message.header(name));
      if (!value.empty()) shown += std::string(label) + ": " + value + "\n";
    }
    writer_.add({}, shown);
  }

  void take_part(const MailEntity& part, int depth) {
    if (depth > limits_.max_depth || writer_.over_limit()) return;
    const std::string_view declared = part.header("content-type");
    const MailField type = parse_field(declared.empty() ? "text/plain" : declared);
    const MailField disposition = parse_field(part.header("content-disposition"));
    if (type.value.starts_with("multipart/")) {
      take_parts(part, type, depth);
    } else if (type.value == "message/rfc822") {
      const std::string inner = decoded_body(part.body, part.header("content-transfer-encoding"));
      decoded_bytes_ += inner.size();  // a mail in a mail in a mail is decoded each time
      if (decoded_bytes_ <= limits_.max_inflated_bytes) take_message(inner, depth + 1);
    } else if (disposition.value != "attachment" &&
               (type.value == "text/plain" || type.value == "text/html")) {
      take_text(part, type);
    } else {
      name_attachment(type, disposition);
    }
  }

  void take_parts(const MailEntity& part, const MailField& type, int depth) {
    const std::vector<std::string_view> bodies =
        multipart_bodies(part.body, type.parameter("boundary"), kMaxParts);
    std::vector<MailEntity> parts;
    parts.reserve(bodies.size());
    for (const std::string_view body : bodies) parts.push_back(parse_entity(body));
    if (type.value == "multipart/alternative" && !parts.empty()) {
      take_part(best_alternative(parts), depth + 1);
      return;
    }
    for (const MailEntity& inner : parts) take_part(inner, depth + 1);
  }

  // All say the same; plain text says it best.
  static const MailEntity& best_alternative(const std::vector<MailEntity>& parts) {
    for (const std::string_view wanted : {"text/plain", "text/html"}) {
      for (const MailEntity& part : parts) {
        const std::string type = parse_field(part.header("content-type")).value;
        const bool is_plain = type == wanted || (type.empty() && wanted == "text/plain");
        if (is_plain && !is_blank(part.body)) return part;
      }
    }
    return parts.back();
  }

  void take_text(const MailEntity& part, const MailField& type) {
    const std::string bytes = decoded_body(part.body, part.header("content-transfer-encoding"));
    std::string charset = type.parameter("charset");
    if (charset.empty()) charset = declared_charset_of(bytes);
    Decoding decoding = decode_text(bytes, charset, limits_);
    auto* text = std::get_if<DecodedText>(&decoding);
    if (text == nullptr) return;
    if (encoding_.empty()) encoding_ = text->encoding;
    if (type.value == "text/html") {
      std::string failure;
      write_html(writer_, text->text, limits_, failure);
    } else {
      write_plain(text->text);
    }
  }

  // Lines that begin with '>' were written by somebody else before.
  void write_plain(std::string_view text) {
    std::size_t begin = 0;
    bool in_quote = false;
    for (TextLine line = line_at(text, 0); line.begin < text.size(); line = line_at(text, line.next)) {
      const bool quotes = text_of(text, line).starts_with('>');
      if (quotes == in_quote) continue;
      write_run(text.substr(begin, line.begin - begin), in_quote);
      begin = line.begin;
      in_quote = quotes;
    }
    write_run(text.substr(begin), in_quote);
  }

  void write_run(std::string_view text, bool in_quote) {
    if (!in_quote) {
      writer_.append(text, plain_text_blocks(text, limits_), BlockWriter::kUnknown);
      return;
    }
    NewBlock block;
    block.kind = BlockKind::quote;
    writer_.add(block, text);
  }

  void name_attachment(const MailField& type, const MailField& disposition) {
    std::string name = decoded_header(disposition.parameter("filename"));
    if (name.empty()) name = decoded_header(type.parameter("name"));
    if (name.empty()) return;
    NewBlock block;
    block.kind = BlockKind::list_item;
    block.level = 1;
    writer_.add(block, "Attachment: " + name + " (" + type.value + ")");
  }

  ReadLimits limits_;
  BlockWriter writer_;
  std::string subject_, encoding_;
  std::size_t decoded_bytes_ = 0;
};

// Where each message of an mbox begins: "From " at the beginning of the file or behind a blank line.
std::size_t next_message(std::string_view bytes, std::size_t at) {
  for (at = bytes.find("\nFrom ", at); at != bytes.npos; at = bytes.find("\nFrom ", at + 1)) {
    const std::string_view before = bytes.substr(0, at);
    if (before.ends_with('\n') || before.ends_with("\n\r") || before.empty()) return at + 1;
  }
  return bytes.size();
}

// Lines of a message that began with "From " were written with a '>' before it.
std::string unescaped_message(std::string_view message) {
  std::string text;
  text.reserve(message.size());
  for (TextLine line = line_at(message, 0); line.begin < message.size(); line = line_at(message, line.next)) {
    std::string_view words = message.substr(line.begin, line.next - line.begin);
    const std::size_t marks = std::min(words.find_first_not_of('>'), words.size());
    if (marks > 0 && words.substr(marks).starts_with("From ")) words.remove_prefix(1);
    text += words;
  }
  return text;
}

}  // namespace

ReadOutcome read_mail(const ReadInput& input, const ReadLimits& limits) {
  MailScan scan(limits);
  std::string_view bytes = input.bytes;
  // A single message kept with the line that a mailbox puts before it.
  if (bytes.starts_with("From ")) bytes = bytes.substr(line_at(bytes, 0).next);
  scan.take_message(bytes, 0);
  Document rest;
  rest.title = scan.first_subject();
  rest.media_type = "message/rfc822";
  return std::move(scan).finish(std::move(rest));
}

ReadOutcome read_mailbox(const ReadInput& input, const ReadLimits& limits) {
  MailScan scan(limits);
  const std::string_view bytes = input.bytes;
  for (std::size_t at = 0; at < bytes.size() && !scan.over_limit();) {
    const std::size_t end = next_message(bytes, at);
    const std::string_view message = bytes.substr(at, end - at);
    scan.take_message(unescaped_message(message.substr(line_at(message, 0).next)), 0);
    at = end;
  }
  Document rest;
  rest.media_type = "application/mbox";
  return std::move(scan).finish(std::move(rest));
}

}  // namespace parley::retrieval::documents

#include "retrieval/documents/worker/serve.h"

#include <errno.h>
#include <iconv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "retrieval/documents/charset.h"
#include "retrieval/documents/document_reader.h"
#include "retrieval/documents/outcome_bytes.h"
#include "retrieval/documents/utf8.h"
#include "retrieval/documents/worker/confinement.h"
#include "retrieval/documents/worker_protocol.h"

namespace parley::retrieval::documents::worker {

namespace {

// The system calls of sanitizers are not on the list.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kRestrictsCalls = false;
#else
constexpr bool kRestrictsCalls = true;
#endif

// Empty: confined.
std::string confine(const WorkerHello& hello) {
  ResourceLimits limits;
  limits.memory_bytes = hello.memory_bytes;
  limits.cpu_seconds = (hello.seconds_a_file + 2) * (hello.max_files + 1);
  std::string failure = limit_resources(limits);
  if (!failure.empty() || !kRestrictsCalls) return failure;
  const FileAccess files = restrict_files();
  return allow_calls(files);
}

// A page with one word; poppler finds the objects without a table of them.
constexpr std::string_view kSmallPdf =
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 "
    "R>>>>>>endobj\n"
    "4 0 obj<</Length 37>>stream\nBT /F 12 Tf 20 100 Td (Word) Tj ET    \nendstream endobj\n"
    "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n";

// What libraries load when they are first used has to be there before files are out of reach: ICU's data, the
// list of fonts, and the modules of the C library by which poppler-cpp converts its texts. An open converter
// keeps those loaded.
void load_libraries(const DocumentReader& reader) {
  (void)guess_charset("caf\xE9");
  for (const char* name :
       {"windows-1252", "ISO-2022-JP", "GB18030", "Shift_JIS", "EUC-JP", "Big5", "windows-949"}) {
    (void)convert_to_utf8("a", canonical_charset(name), 16);
  }
  (void)::iconv_open("UTF-16", "UTF-8");
  (void)::iconv_open("UTF-8", "UTF-16");
  ReadInput input;
  input.bytes = kSmallPdf;
  input.file_name = "small.pdf";
  (void)reader.read(input, {});
}

std::variant<std::string, ReadFailure> bytes_of(int descriptor, const ReadLimits& limits) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    return ReadFailure{ReadFailure::Kind::unsupported, "It is no regular file."};
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limits.max_file_bytes) {
    return ReadFailure{ReadFailure::Kind::over_limit,
                       "It is larger than " + std::to_string(limits.max_file_bytes >> 20) + " MB."};
  }
  // Read rather than mapped: a file that is cut off meanwhile would end the program.
  std::string bytes(size, '\0');
  std::size_t begin = 0;
  while (begin < size) {
    const ssize_t count = ::pread(descriptor, bytes.data() + begin, size - begin, static_cast<off_t>(begin));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ReadFailure{ReadFailure::Kind::damaged, "It cannot be read from its disk."};
    if (count == 0) break;
    begin += static_cast<std::size_t>(count);
  }
  bytes.resize(begin);
  return bytes;
}

ReadOutcome read_descriptor(const DocumentReader& reader, int descriptor, std::string name,
                            const ReadLimits& limits) {
  try {
    const auto bytes = bytes_of(descriptor, limits);
    if (const auto* failure = std::get_if<ReadFailure>(&bytes)) return *failure;
    ReadInput input;
    input.bytes = std::get<std::string>(bytes);
    input.file_name = std::move(name);
    return reader.read(input, limits);
  } catch (const std::bad_alloc&) {
    return ReadFailure{ReadFailure::Kind::over_limit, "Reading it takes more memory than is allowed."};
  } catch (const std::exception& error) {
    return ReadFailure{ReadFailure::Kind::damaged, "It cannot be read: " + repaired_utf8(error.what()) + "."};
  }
}

std::string answer_for(const DocumentReader& reader, int descriptor, std::string name,
                       const WorkerHello& hello) {
  allow_cpu_seconds(hello.seconds_a_file);
  try {
    return encoded_outcome(read_descriptor(reader, descriptor, std::move(name), hello.limits));
  } catch (const std::bad_alloc&) {
    return encoded_outcome(
        ReadFailure{ReadFailure::Kind::over_limit, "Reading it takes more memory than is allowed."});
  }
}

}  // namespace

int serve(int socket) {
  std::string message;
  if (!receive_message(socket, message, kMaxWorkerName)) return 1;
  const std::optional<WorkerHello> hello = decoded_hello(message);
  if (!hello) return 1;
  const std::unique_ptr<DocumentReader> reader = make_document_reader();
  load_libraries(*reader);
  const std::string failure = confine(*hello);
  if (!send_message(socket, failure.empty() ? kWorkerReady : std::string_view(failure)) || !failure.empty())
    return 1;
  for (;;) {
    OwnedDescriptor file;
    if (!receive_message(socket, message, kMaxWorkerName, &file)) return 0;
    const std::string answer = answer_for(*reader, file.number(), std::move(message), *hello);
    if (!send_message(socket, answer)) return 0;
  }
}

}  // namespace parley::retrieval::documents::worker

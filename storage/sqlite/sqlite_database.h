#pragma once
// SQLite's C interface in move-only types: a connection, a prepared statement, one run of it, a transaction.
// One connection and all that belongs to it is used by one thread at a time. Every failure throws StoreError
// with a sentence that names the file and says what to do.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace parley::storage::sqlite {

struct CloseDatabase {
  void operator()(sqlite3* database) const noexcept;
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const noexcept;
};

bool is_damage(int code);  // of SQLite's result codes: the file is no database, or contradicts itself
// The StoreError of a code; a damaged file is suspected from then on.
[[noreturn]] void throw_store_error(sqlite3* database, int code);

class Database {
 public:
  // Opens or creates `file` ("" is a private database in memory) with extension loading and the two-argument
  // FTS3 tokenizer off. Nothing of the file is read yet.
  explicit Database(const std::filesystem::path& file);

  // Statements without parameters and results.
  void execute(const char* sql);
  // The first column of the first row.
  std::int64_t integer(const char* sql);
  std::string text(const char* sql);
  // Rows that the last INSERT, UPDATE or DELETE changed.
  std::int64_t changes() const;
  bool in_transaction() const;

  sqlite3* handle() const { return handle_.get(); }

 private:
  std::unique_ptr<sqlite3, CloseDatabase> handle_;
};

// Prepared once, run many times. Must not outlive its database.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);
  sqlite3_stmt* handle() const { return handle_.get(); }

 private:
  std::unique_ptr<sqlite3_stmt, FinalizeStatement> handle_;
};

// Bytes that are not text.
struct Blob {
  std::string_view bytes;
};

// One run of a statement with its parameters ?1, ?2, …; ended by the destructor. One run at a time.
class Query {
 public:
  template <typename... Parameters>
  explicit Query(Statement& statement, const Parameters&... parameters) : Query(statement.handle()) {
    int index = 0;
    (bind(++index, parameters), ...);
  }
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  bool next();  // false: no further row
  void run();   // for statements that return no rows

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::string_view blob(int column) const;  // until the next step

 private:
  explicit Query(sqlite3_stmt* statement) : statement_(statement) {}

  void bind(int index, std::nullopt_t);
  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  void bind(int index, std::string_view text);
  void bind(int index, Blob blob);
  void bind(int index, int value) { bind(index, std::int64_t{value}); }
  void bind(int index, bool value) { bind(index, std::int64_t{value ? 1 : 0}); }
  void bind(int index, const std::string& text) { bind(index, std::string_view(text)); }
  template <typename T>
  void bind(int index, const std::optional<T>& value) {
    value ? bind(index, *value) : bind(index, std::nullopt);
  }
  void check(int code) const;

  sqlite3_stmt* statement_;
};

// Rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
};

}  // namespace parley::storage::sqlite

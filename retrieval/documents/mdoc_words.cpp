#include "retrieval/documents/mdoc_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::retrieval::documents {

namespace {

struct Enclosure {
  std::string_view name;
  std::string_view opening;
  std::string_view closing;  // at the end of the line; empty: another macro closes
};

constexpr std::array<Enclosure, 26> kEnclosures = {{
    {"Op", "[", "]"}, {"Oo", "[", ""},    {"Oc", "", "]"},   {"Dq", "“", "”"}, {"Do", "“", ""},
    {"Dc", "", "”"},  {"Qq", "\"", "\""}, {"Qo", "\"", ""},  {"Qc", "", "\""}, {"Sq", "‘", "’"},
    {"So", "‘", ""},  {"Sc", "", "’"},    {"Ql", "‘", "’"},  {"Pq", "(", ")"}, {"Po", "(", ""},
    {"Pc", "", ")"},  {"Bq", "[", "]"},   {"Bo", "[", ""},   {"Bc", "", "]"},  {"Aq", "<", ">"},
    {"Ao", "<", ""},  {"Ac", "", ">"},    {"Brq", "{", "}"}, {"Bro", "{", ""}, {"Brc", "", "}"},
    {"En", "", ""},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSystems = {
    {{"Bx", "BSD"},
     {"Fx", "FreeBSD"},
     {"Nx", "NetBSD"},
     {"Ox", "OpenBSD"},
     {"Dx", "DragonFly"},
     {"At", "AT&T UNIX"},
     {"Ux", "UNIX"},
     {"Bsx", "BSD/OS"},
     {"Ud", "currently under development"}}};

// Whose arguments are printed as they are.
constexpr std::string_view kPlain =
    " Ad An Ar Cd Cm Dv Em Er Ev Fa Fd Ft Ic Li Lb Lk Ms Mt Nd No Pa St Sx Sy Tn Va Vt Rs Re %A %B %C %D %I "
    "%J %N "
    "%O %P %Q %R %T %U %V Ta Bk Ek Sm Es Eo Ec Db Hf ";
constexpr std::string_view kSpecial = " Fl Nm Xr Fn Fo Fc In Ns Pf Ap Ex Rv ";

bool lists(std::string_view list, std::string_view name) {
  return name.size() <= 3 && !name.empty() &&
         list.find(" " + std::string(name) + " ") != std::string_view::npos;
}

const Enclosure* enclosure_of(std::string_view name) {
  const auto* found = std::find_if(kEnclosures.begin(), kEnclosures.end(),
                                   [&](const Enclosure& enclosure) { return enclosure.name == name; });
  return found == kEnclosures.end() ? nullptr : found;
}

bool closes_up(std::string_view word) {
  return word.size() == 1 && std::string_view(".,:;)]?!").find(word[0]) != std::string_view::npos;
}

class MdocLine {
 public:
  MdocLine(const std::vector<std::string>& words, std::string_view page_name)
      : words_(words), page_name_(page_name) {}

  std::string run() {
    std::size_t end = words_.size();
    while (end > 1 && closes_up(words_[end - 1])) --end;
    while (at_ < end) take(end);
    for (auto closing = closing_.rbegin(); closing != closing_.rend(); ++closing) close(*closing);
    for (; at_ < words_.size(); ++at_) close(words_[at_]);
    return std::move(out_);
  }

 private:
  void take(std::size_t end) {
    const std::string& word = words_[at_++];
    if (!is_mdoc_word_macro(word)) {
      closes_up(word) ? close(word) : put(word);
      return;
    }
    if (const Enclosure* enclosure = enclosure_of(word)) {
      if (!enclosure->opening.empty()) open(enclosure->opening);
      if (!enclosure->closing.empty() && enclosure->opening.empty()) close(enclosure->closing);
      if (!enclosure->opening.empty() && !enclosure->closing.empty()) closing_.push_back(enclosure->closing);
      return;
    }
    for (const auto& [name, system] : kSystems) {
      if (name == word) put(system);
    }
    take_special(word, end);
  }

  bool has_argument(std::size_t end) const {
    return at_ < end && !is_mdoc_word_macro(words_[at_]) && !closes_up(words_[at_]);
  }

  void take_special(std::string_view macro, std::size_t end) {
    if (macro == "Fl") {
      if (!has_argument(end)) open("-");  // "Fl Fl all" is --all
      while (has_argument(end)) put("-" + words_[at_++]);
    } else if (macro == "Nm" && !has_argument(end)) {
      put(page_name_);
    } else if (macro == "Ar" && !has_argument(end)) {
      put("file ...");
    } else if (macro == "Xr" && has_argument(end)) {
      put(words_[at_++]);
      if (has_argument(end)) close("(" + words_[at_++] + ")");
    } else if (macro == "Fn" || macro == "Fo") {
      take_function(macro == "Fn", end);
    } else if (macro == "Fc") {
      close(")");
    } else if (macro == "In" && has_argument(end)) {
      put("<" + words_[at_++] + ">");
    } else if (macro == "Ns") {
      tight_ = true;
    } else if (macro == "Pf" && at_ < end) {
      put(words_[at_++]);
      tight_ = true;
    } else if (macro == "Ap") {
      close("'");
      tight_ = true;
    } else if (macro == "Ex" || macro == "Rv") {
      at_ = end;
      put(macro == "Ex" ? "The utility exits 0 on success, and >0 if an error occurs."
                        : "Returns 0 on success, -1 otherwise, with errno set.");
    } else if (macro == "Sm" || macro == "Bk") {
      at_ = end;  // settings, not words
    }
  }

  void take_function(bool whole, std::size_t end) {
    if (!has_argument(end)) return;
    put(words_[at_++]);
    close("(");
    tight_ = true;
    for (bool first = true; whole && has_argument(end); first = false) {
      if (!first) close(",");
      put(words_[at_++]);
    }
    if (whole) close(")");
  }

  void put(std::string_view word) {
    if (!out_.empty() && !tight_ && !word.empty()) out_ += ' ';
    tight_ = word == "(" || word == "[";
    out_ += word;
  }

  void open(std::string_view mark) {
    put(mark);
    tight_ = true;
  }

  void close(std::string_view mark) {
    out_ += mark;
    tight_ = false;
  }

  const std::vector<std::string>& words_;
  std::string_view page_name_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<std::string_view> closing_;
  bool tight_ = false;  // no space before the next word
};

}  // namespace

bool is_mdoc_word_macro(std::string_view name) {
  if (lists(kPlain, name) || lists(kSpecial, name) || enclosure_of(name) != nullptr) return true;
  return std::any_of(kSystems.begin(), kSystems.end(),
                     [&](const auto& system) { return system.first == name; });
}

std::string mdoc_words(const std::vector<std::string>& words, std::string_view page_name) {
  return MdocLine(words, page_name).run();
}

}  // namespace parley::retrieval::documents

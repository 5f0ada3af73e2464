#include "retrieval/documents/source_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::retrieval::documents {

namespace {

struct SourceName {
  std::string_view names;  // each between spaces
  std::string_view media_type;
};

constexpr std::array kByExtension = {
    SourceName{" c h ", "text/x-c"},
    SourceName{" cc cpp cxx hh hpp hxx ipp inl cu cuh ", "text/x-c++"},
    SourceName{" py pyi pyx pxd ", "text/x-python"},
    SourceName{" js mjs cjs jsx ", "text/javascript"},
    SourceName{" ts tsx mts cts ", "text/x-typescript"},
    SourceName{" java ", "text/x-java"},
    SourceName{" kt kts ", "text/x-kotlin"},
    SourceName{" scala sbt ", "text/x-scala"},
    SourceName{" go ", "text/x-go"},
    SourceName{" rs ", "text/x-rust"},
    SourceName{" rb ", "text/x-ruby"},
    SourceName{" pl pm t ", "text/x-perl"},
    SourceName{" php ", "text/x-php"},
    SourceName{" cs ", "text/x-csharp"},
    SourceName{" swift ", "text/x-swift"},
    SourceName{" m mm ", "text/x-objective-c"},
    SourceName{" hs lhs ", "text/x-haskell"},
    SourceName{" ml mli ", "text/x-ocaml"},
    SourceName{" el lisp scm clj cljs ", "text/x-lisp"},
    SourceName{" erl hrl ex exs ", "text/x-erlang"},
    SourceName{" lua ", "text/x-lua"},
    SourceName{" r jl ", "text/x-r"},
    SourceName{" f f90 f95 for ", "text/x-fortran"},
    SourceName{" pas adb ads ", "text/x-pascal"},
    SourceName{" s asm ", "text/x-asm"},
    SourceName{" sh bash zsh ksh fish ps1 bat cmd tcl awk sed ", "text/x-script"},
    SourceName{" sql ", "text/x-sql"},
    SourceName{" css scss sass less ", "text/css"},
    SourceName{" vue svelte ", "text/x-component"},
    SourceName{" xml xsl xsd xslt dtd rng plist ui ", "application/xml"},
    SourceName{" yaml yml ", "application/yaml"},
    SourceName{" toml ini cfg conf properties desktop service env ", "text/x-config"},
    SourceName{" cmake mk am m4 ac in gradle bazel ninja ", "text/x-build"},
    SourceName{" proto thrift graphql idl ", "text/x-schema"},
    SourceName{" tex sty cls bib texi texinfo ", "text/x-tex"},
    SourceName{" diff patch ", "text/x-diff"},
    SourceName{" po pot ", "text/x-gettext"},
    SourceName{" vim nix tf hcl dart zig nim d v vhd vhdl sv ", "text/x-source"},
};

constexpr std::string_view kByWholeName =
    " Makefile makefile GNUmakefile Dockerfile Containerfile CMakeLists.txt Rakefile Gemfile Jenkinsfile "
    "Vagrantfile "
    ".gitignore .gitattributes .editorconfig ";

bool lists_name(std::string_view list, std::string_view name) {
  for (std::size_t at = list.find(name); at != list.npos; at = list.find(name, at + 1)) {
    if (at > 0 && list[at - 1] == ' ' && at + name.size() < list.size() && list[at + name.size()] == ' ')
      return true;
  }
  return false;
}

}  // namespace

std::string_view source_media_type(std::string_view extension, std::string_view file_name) {
  if (!file_name.empty() && lists_name(kByWholeName, file_name)) return "text/x-build";
  if (extension.empty()) return "";
  for (const SourceName& source : kByExtension) {
    if (lists_name(source.names, extension)) return source.media_type;
  }
  return "";
}

bool is_perl_name(std::string_view extension) {
  return extension == "pl" || extension == "pm" || extension == "t" || extension == "plx";
}

}  // namespace parley::retrieval::documents

#pragma once
// Words of the template language that the fuzz test puts together.

#include <string>
#include <vector>

namespace parley::orchestration::jinja {

// One word a line would be five pages.
// clang-format off
// Of whole templates.
inline const std::vector<std::string> kFuzzPieces = {
    "{{ ", " }}", "{% ", " %}", "{%- ", "-}}", "{#", "#}", "{% if ", "{% else %}", "{% endif %}",
    "{% for m in messages %}", "{% endfor %}", "{% set x = ", "{% endset %}", "{% macro f(a, b=1) %}",
    "{% endmacro %}", "{{ f(", "{% call f() %}", "{% endcall %}", "{% break %}", "{% raw %}",
    "{% endraw %}", "{% filter upper %}", "{% endfilter %}", "{% set ns.x = ", "namespace(x=1)",
    "messages", "tools", ".role", ".content", "['content']", "[::-1]", "[1:]", "[-1]", "[0]", "|tojson",
    "|trim", "|length", "|list", "|join(', ')", "|first", "|last", "|map('upper')", "|selectattr('role')",
    "|sort", "|string", "|int", "|default('')", "|replace('a', 'b')", "|indent(2)", ".split('a')",
    ".items()", " is defined", " is string", " is not none", " in ", " and ", " or ", " not ", " if ",
    " else ", " == ", " + ", " ~ ", " * ", " // ", " % ", " ** ", "(", ")", "[", "]", "{", "}", ",", ":",
    "'", "\"", "\\", "1", "0", "-1", "99999999999", "1.5", "none", "true", "loop.index", "loop.last",
    "range(5)", "'text'", "'é😀'", "\n", "  ", "*", "**", "=", ".", "|", "\xff", "raise_exception('x')"};

// Of expressions: what they begin with, and what may follow.
inline const std::vector<std::string> kFuzzOperands = {
    "messages", "tools", "messages[0]", "'tExt é'", "5", "-2", "1.5", "none", "[1, 'a', none]",
    "{'k': 'v', 1: 2}", "missing", "true", "(1, 2)", "''"};

inline const std::vector<std::string> kFuzzSuffixes = {
    "|tojson", "|trim('t')", "|length", "|list", "|join('-')", "|first", "|last", "|sort", "|unique|list",
    "|string", "|int", "|float", "|default('d', true)", "|replace('t', 'é')", "|indent(1, true)", "|title",
    "|capitalize", "|map('string')|list", "|select('string')|list", "|reject('none')|list",
    "|selectattr('role')|list", "|map(attribute='role')|list", "|dictsort", "|items|list",
    "|batch(2)|list", "|round(1)", "|abs", "|sum", "|min", "|max", "|e", "|wordcount", "|reverse|list",
    "[0]", "[-1]", "[::-2]", "[1:9]", ".role", "['content']", ".split()", ".split('t', 1)",
    ".rsplit(none, 1)", ".strip()", ".items()|list", ".get('k')", ".upper()", ".find('t')",
    ".splitlines()", ".partition('t')", ".title()", ".center(9)", ".zfill(5)", ".isalpha()",
    ".startswith('t')", ".count('t')", ".pop()", " is defined", " is sequence", " is iterable",
    " is mapping", " is odd", " is upper", " is sameas none", " ~ 'x'", " + 1", " * 2", " % 3", " // 2",
    " ** 2", " / 2", " == none", " < 3", " in [1]", " in 'abc'", " and 1", " or 2", " if tools else 3",
    " - 0.5"};
// clang-format on

}  // namespace parley::orchestration::jinja

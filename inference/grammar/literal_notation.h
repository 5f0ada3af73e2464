#pragma once
// Arguments as literals: those of Python, f(a='x', b=[True, None], c={'d': 1}), and Gemma's objects whose
// keys are bare and whose strings stand between marks of their own, {a:<|"|>x<|"|>,b:[true,null],c:{d:1}}.
// JSON's own spelling of a value is one of Python's here: our reader takes both.

#include <memory>
#include <string_view>

#include "inference/grammar/notation.h"

namespace parley::inference::grammar {

// Of the outermost object the brackets are left out: they are the call's.
std::unique_ptr<Notation> make_python_notation(GrammarBuilder& builder);
std::unique_ptr<Notation> make_bare_key_notation(std::string_view quote, GrammarBuilder& builder,
                                                 const VocabularyIndex& vocabulary);

}  // namespace parley::inference::grammar

#pragma once
// Words of questions that say nothing about what is asked: articles, pronouns, auxiliaries, question words.
// Pure, any thread.

#include <string_view>

namespace parley::retrieval::search {

// Of a word in lower case; English. Words of other languages that say as little are weighed low by how many
// passages they are in.
bool is_stop_word(std::string_view word);

}  // namespace parley::retrieval::search

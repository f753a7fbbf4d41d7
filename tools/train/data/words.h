// Sentences as numbers of their words.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace plumb::tools {

// What stands between spaces.
using Sentence = std::vector<std::string>;
Sentence WordsOf(const std::string& line);
// The lines of a text.
std::vector<Sentence> SentencesOf(std::istream& text);

// How often each word occurs.
using WordCounts = std::map<std::string, int64_t>;
void Count(const Sentence& words, WordCounts& counts);

// Numbers from `first` on by frequency, of equals by the alphabet; all that would not be below `below` share the last.
using Vocabulary = std::map<std::string, int32_t>;
Vocabulary NumberWords(const WordCounts& counts, int64_t first, int64_t below);

// The numbers of so many words; 0 stands behind those that there are. The sentence has no more than `steps`.
std::vector<int32_t> Filled(const Sentence& words, const Vocabulary& vocabulary, int64_t steps);

// A row of a batch: what a writer is to write, and what it has before it, which is the same shifted by a word with 0 in
// front. Both go on behind the row.
void PutWritten(const std::vector<int32_t>& sentence, int32_t*& before, int32_t*& target);

}  // namespace plumb::tools

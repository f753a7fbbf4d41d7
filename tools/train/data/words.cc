#include "tools/train/data/words.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace plumb::tools {

Sentence WordsOf(const std::string& line) {
  std::istringstream in(line);
  Sentence words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

std::vector<Sentence> SentencesOf(std::istream& text) {
  std::vector<Sentence> sentences;
  for (std::string line; std::getline(text, line);) sentences.push_back(WordsOf(line));
  return sentences;
}

void Count(const Sentence& words, WordCounts& counts) {
  for (const std::string& word : words) ++counts[word];
}

Vocabulary NumberWords(const WordCounts& counts, int64_t first, int64_t below) {
  std::vector<std::pair<int64_t, std::string>> order;
  for (const auto& [word, count] : counts) order.emplace_back(-count, word);
  std::sort(order.begin(), order.end());
  Vocabulary number;
  for (const auto& [count, word] : order) {
    number[word] = static_cast<int32_t>(std::min<int64_t>(first + std::ssize(number), below - 1));
  }
  return number;
}

std::vector<int32_t> Filled(const Sentence& words, const Vocabulary& vocabulary, int64_t steps) {
  std::vector<int32_t> filled(static_cast<size_t>(steps), 0);
  std::transform(words.begin(), words.end(), filled.begin(),
                 [&](const std::string& word) { return vocabulary.at(word); });
  return filled;
}

void PutWritten(const std::vector<int32_t>& sentence, int32_t*& before, int32_t*& target) {
  *before++ = 0;
  before = std::copy(sentence.begin(), sentence.end() - 1, before);
  target = std::copy(sentence.begin(), sentence.end(), target);
}

}  // namespace plumb::tools

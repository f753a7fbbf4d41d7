// Where the words of one file stand in another.
#include <map>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/text_lines.h"

namespace plumb::reference {
namespace {

// Of which the first `wanted` count, or all (-1).
std::vector<std::string> WordsIn(const OpContext& c, int input, std::string_view what, int64_t wanted) {
  const Tensor& name = c.tensor(input);
  Require(name.rank() == 0, what, " must be a scalar, not of shape ", name.shape().ToString());
  const std::string& path = name.scalar<std::string>();
  Require(!path.empty(), what, " is empty");
  return LinesToRead(path, wanted);
}

void GenerateVocabRemapping(OpContext& c) {
  const auto offset = c.attr<int64_t>("new_vocab_offset"), count = c.attr<int64_t>("num_new_vocab");
  const std::vector<std::string> words = WordsIn(c, 0, "new_vocab_file", -1);
  for (const std::string& word : words) Require(!word.empty(), "a line of new_vocab_file is empty");
  Require(offset <= std::ssize(words) && count <= std::ssize(words) - offset, "new_vocab_file has ", words.size(),
          " lines, and none of the number ", offset, " + ", count);

  const auto wanted = c.attr<int64_t>("old_vocab_size");
  const std::vector<std::string> old_words = WordsIn(c, 1, "old_vocab_file", wanted);
  std::map<std::string, int64_t> places;
  for (int64_t i = 0; i < std::ssize(old_words) && (wanted < 0 || i < wanted); ++i) {
    Require(!old_words[i].empty(), "line ", i, " of old_vocab_file is empty");
    if (!places.emplace(old_words[i], i).second) {
      throw FailedPrecondition("old_vocab_file has the word '", old_words[i], "' twice");
    }
  }
  Require(wanted <= std::ssize(old_words), "old_vocab_size is ", wanted, ", but the file has ", old_words.size(),
          " lines");

  Tensor remapping(DType::kInt64, Shape({count}));
  int32_t present = 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto found = places.find(words[static_cast<size_t>(offset + i)]);
    remapping.mutable_data<int64_t>()[i] = found == places.end() ? -1 : found->second;
    present += found == places.end() ? 0 : 1;
  }
  c.Output(0, std::move(remapping));
  c.Output(1, MakeScalar(present));
}

constexpr KernelRow kRows[] = {
    {"GenerateVocabRemapping", GenerateVocabRemapping},
};

}  // namespace

namespace topics {
std::span<const KernelRow> CheckpointVocabRemapping() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

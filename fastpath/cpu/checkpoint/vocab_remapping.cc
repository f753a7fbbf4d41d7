// Where the words of one file stand in another.
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/text_lines.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class VocabRemappingKernel final : public Kernel {
 public:
  explicit VocabRemappingKernel(const Node& node)
      : offset_(GetAttr<int64_t>(node.attrs, "new_vocab_offset")),
        count_(GetAttr<int64_t>(node.attrs, "num_new_vocab")),
        old_size_(GetAttr<int64_t>(node.attrs, "old_vocab_size")) {}

  void Run(KernelContext& context) override {
    const std::vector<std::string> words = Lines(context.input(0), -1);
    const auto there = static_cast<int64_t>(words.size());
    for (const std::string& word : words) RequireWord(word, "new");
    Require(offset_ <= there && count_ <= there - offset_, "the new vocabulary has ", there, " words, and not ", count_,
            " behind the first ", offset_);
    const std::vector<std::string> old_words = Lines(context.input(1), old_size_);
    const auto places = PlacesIn(old_words);
    const auto to = context.AllocateOutput(0, DType::kInt64, Shape({count_})).mutable_data<int64_t>();
    int32_t present = 0;
    for (int64_t i = 0; i < count_; ++i) {
      const auto found = places.find(words[static_cast<size_t>(offset_ + i)]);
      to[i] = found == places.end() ? -1 : found->second;
      if (found != places.end()) ++present;
    }
    context.AllocateOutput(1, DType::kInt32, Shape()).mutable_data<int32_t>()[0] = present;
  }

 private:
  // Of which the first `wanted` count, or all (-1).
  std::vector<std::string> Lines(const Tensor& name, int64_t wanted) const {
    Require(name.rank() == 0, "the name of a vocabulary is one string, not of shape ", Printed(name.shape()));
    const std::string& path = name.data<std::string>()[0];
    Require(!path.empty(), "the name of a vocabulary is empty");
    return SplitFile(path, wanted);
  }
  void RequireWord(const std::string& word, const char* which) const {
    Require(!word.empty(), "a line of the ", which, " vocabulary is empty");
  }

  // Where the old words stand that count.
  absl::flat_hash_map<std::string_view, int64_t> PlacesIn(const std::vector<std::string>& words) const {
    const auto there = static_cast<int64_t>(words.size()), count = old_size_ < 0 ? there : std::min(old_size_, there);
    absl::flat_hash_map<std::string_view, int64_t> places;
    for (int64_t i = 0; i < count; ++i) {
      const std::string& word = words[static_cast<size_t>(i)];
      RequireWord(word, "old");
      if (places.emplace(word, i).second) continue;
      throw FailedPrecondition("the old vocabulary has the word '", word, "' twice");
    }
    Require(old_size_ <= there, "the old vocabulary has ", there, " words, fewer than ", old_size_);
    return places;
  }

  const int64_t offset_, count_, old_size_;
};

constexpr KernelRow kRows[] = {
    {"GenerateVocabRemapping", Make<VocabRemappingKernel>},
};

}  // namespace

std::span<const KernelRow> CheckpointVocabRemapping() { return kRows; }

}  // namespace plumb::fast::cpu

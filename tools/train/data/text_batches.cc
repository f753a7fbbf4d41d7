#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "tools/train/data/learner_batches.h"
#include "tools/train/data/words.h"

namespace plumb::tools {
namespace {

using models::Learner;

Sentence WordsIn(const std::string& folder) {
  for (const char* const name : {"train.txt", "ptb.train.txt"}) {
    std::ifstream file(std::filesystem::path(folder) / name);
    Sentence words;
    for (Sentence& sentence : SentencesOf(file)) {
      std::move(sentence.begin(), sentence.end(), std::back_inserter(words));
      words.emplace_back("<eos>");
    }
    if (!words.empty()) return words;
  }
  throw NotFound("there is no text in '", folder, "': --data wants a folder with ",
                 FilesOf(models::LearnerData::kText));
}

std::vector<int32_t> Numbered(const Sentence& words, int64_t below) {
  WordCounts counts;
  Count(words, counts);
  return Filled(words, NumberWords(counts, 0, below), std::ssize(words));
}

// Both inputs hold words: rows of them, and those that follow; or single ones, and one near each.
class TextOfLearner final : public Batches {
 public:
  TextOfLearner(const Learner& learner, const ModelData& data)
      : Batches(learner, data.seed), words_(Numbered(WordsIn(data.folder), learner.inputs[0].below)) {
    const Shape& shape = ShapeOf(0);
    steps_ = shape.rank() == 2 ? shape.dim(1) : 0;
    const int64_t fewest = steps_ > 0 ? steps_ : 2 * kReach;
    Require(std::ssize(words_) > fewest, "the text in '", data.folder, "' has ", words_.size(),
            " words; the model wants more than ", fewest);
  }

  std::vector<FeedValue> Next() override {
    std::vector<Tensor> batch = NewBatch();
    int32_t *word = batch[0].mutable_data<int32_t>().data(), *target = batch[1].mutable_data<int32_t>().data();
    for (int64_t row = 0; row < ShapeOf(0).dim(0); ++row) {
      if (steps_ > 0) {
        const auto first = words_.begin() + Below(std::ssize(words_) - steps_);
        word = std::copy_n(first, steps_, word);
        target = std::copy_n(first + 1, steps_, target);
      } else {
        const int64_t at = kReach + Below(std::ssize(words_) - 2 * kReach), away = 1 + Below(kReach);
        *word++ = words_[static_cast<size_t>(at)];
        *target++ = words_[static_cast<size_t>(Below(2) == 0 ? at - away : at + away)];
      }
    }
    return Feeds(std::move(batch));
  }

 private:
  static constexpr int64_t kReach = 5;  // how far a neighbour may be

  const std::vector<int32_t> words_;
  int64_t steps_ = 0;
};

}  // namespace

std::shared_ptr<Batches> TextFor(const Learner& learner, const ModelData& data) {
  return std::make_shared<TextOfLearner>(learner, data);
}

}  // namespace plumb::tools

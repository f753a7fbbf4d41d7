#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "tools/train/data/learner_batches.h"
#include "tools/train/data/words.h"

namespace plumb::tools {
namespace {

using models::Learner;

std::vector<Sentence> SentencesIn(const std::string& folder, const char* name) {
  std::ifstream file(std::filesystem::path(folder) / name);
  if (!file) {
    throw NotFound("there is no ", name, " in '", folder, "': --data wants a folder with ",
                   FilesOf(models::LearnerData::kTranslations));
  }
  return SentencesOf(file);
}

class TranslationsOfLearner final : public Batches {
 public:
  TranslationsOfLearner(const Learner& learner, const ModelData& data, bool is_one_vocabulary)
      : Batches(learner, data.seed) {
    const auto sources = SentencesIn(data.folder, "train.source"), targets = SentencesIn(data.folder, "train.target");
    Require(sources.size() == targets.size(), "train.source in '", data.folder, "' has ", sources.size(),
            " lines and train.target ", targets.size(), ": a line of each is a pair");
    WordCounts of_sources, of_targets;
    WordCounts& of_others = is_one_vocabulary ? of_sources : of_targets;
    for (const Sentence& sentence : sources) Count(sentence, of_sources);
    for (const Sentence& sentence : targets) Count(sentence, of_others);
    const Vocabulary source_numbers = NumberWords(of_sources, 1, learner.inputs[0].below);
    const Vocabulary target_numbers = NumberWords(of_others, 1, learner.inputs[2].below);
    const int64_t read = ShapeOf(0).dim(1), written = ShapeOf(2).dim(1);
    for (size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].empty() || targets[i].empty()) continue;
      if (std::ssize(sources[i]) > read || std::ssize(targets[i]) >= written) continue;
      pairs_.push_back({Filled(sources[i], source_numbers, read), Filled(targets[i], target_numbers, written)});
    }
    Require(!pairs_.empty(), "no pair of lines in '", data.folder, "' has from 1 to ", read,
            " words in train.source and from", " 1 to ", written - 1,
            " in train.target, which is what the model reads and writes");
    LeaveOut(std::ssize(sources) - std::ssize(pairs_), "pairs of lines (empty, or of too many words)");
  }

  std::vector<FeedValue> Next() override {
    std::vector<Tensor> batch = NewBatch();
    int32_t *source = batch[0].mutable_data<int32_t>().data(), *before = batch[1].mutable_data<int32_t>().data(),
            *target = batch[2].mutable_data<int32_t>().data();
    for (int64_t row = 0; row < ShapeOf(0).dim(0); ++row) {
      const Pair& pair = pairs_[static_cast<size_t>(Below(std::ssize(pairs_)))];
      source = std::copy(pair.source.begin(), pair.source.end(), source);
      PutWritten(pair.target, before, target);
    }
    return Feeds(std::move(batch));
  }

 private:
  struct Pair {
    std::vector<int32_t> source, target;  // filled up
  };

  std::vector<Pair> pairs_;
};

}  // namespace

std::shared_ptr<Batches> TranslationsFor(const Learner& learner, const ModelData& data, bool is_one_vocabulary) {
  return std::make_shared<TranslationsOfLearner>(learner, data, is_one_vocabulary);
}

}  // namespace plumb::tools

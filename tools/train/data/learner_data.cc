#include "tools/train/data/learner_data.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <sstream>

#include "spec/formats/idx.h"
#include "tools/train/data/digit_training.h"
#include "tools/train/data/saved_engine.h"

namespace plumb::tools {
namespace {

using models::Learner;

Shape ShapeOf(const Learner::Input& input) {
  const PartialShape shape = input.place.shape();
  return Shape(std::vector<int64_t>(shape.dims().begin(), shape.dims().end()));
}

class Batches {
 public:
  Batches(const Learner& learner, uint64_t seed) : learner_(learner), random_(seed) {}
  virtual ~Batches() = default;
  virtual std::vector<FeedValue> Next() = 0;

  void Save(const StateWriter& writer) const { SaveEngine(writer, random_); }
  void Restore(const StateReader& reader) { RestoreEngine(reader, random_); }

 protected:
  const Learner& learner() const { return learner_; }
  int64_t Below(int64_t limit) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(limit)); }
  float Part() { return static_cast<float>(random_() >> 40) / 0x1p24f; }

 private:
  const Learner learner_;
  std::mt19937_64 random_;
};

class DigitsOfLearner final : public Batches {
 public:
  DigitsOfLearner(const Learner& learner, const std::string& folder, uint64_t seed)
      : Batches(learner, seed), digits_(ToDigitSet(ReadMnist(folder).train)) {
    const Shape images = ShapeOf(learner.inputs[0]);
    Require(images.rank() == 2 && images.dim(1) == digits_.images.dim(1), "the digits in '", folder, "' have ",
            digits_.images.dim(1), " pixels, but the model reads the shape ", images.ToString(),
            ": leave --small or --data out");
  }

  std::vector<FeedValue> Next() override {
    std::vector<int64_t> rows(static_cast<size_t>(ShapeOf(learner().inputs[0]).dim(0)));
    for (int64_t& row : rows) row = Below(digits_.size());
    std::vector<FeedValue> feeds;
    for (const Learner::Input& input : learner().inputs) {
      feeds.emplace_back(input.place, input.below > 0 ? Labels(rows) : feeds.empty() ? Images(rows) : Numbers(input));
    }
    return feeds;
  }

 private:
  Tensor Images(const std::vector<int64_t>& rows) const {
    const int64_t pixels = digits_.images.dim(1);
    Tensor images(DType::kFloat, {std::ssize(rows), pixels});
    auto to = images.mutable_data<float>().begin();
    for (const int64_t row : rows) to = std::copy_n(digits_.images.data<float>().begin() + row * pixels, pixels, to);
    return images;
  }
  Tensor Labels(const std::vector<int64_t>& rows) const {
    Tensor labels(DType::kInt32, {std::ssize(rows)});
    auto to = labels.mutable_data<int32_t>().begin();
    for (const int64_t row : rows) *to++ = digits_.labels.data<int32_t>()[static_cast<size_t>(row)];
    return labels;
  }
  Tensor Numbers(const Learner::Input& input) {
    Tensor numbers(DType::kFloat, ShapeOf(input));
    for (float& number : numbers.mutable_data<float>()) number = Part();
    return numbers;
  }

  const DigitSet digits_;
};

// The lines of a text as words.
std::vector<std::vector<std::string>> SentencesOf(std::istream& text) {
  std::vector<std::vector<std::string>> sentences;
  for (std::string line; std::getline(text, line);) {
    std::istringstream in(line);
    std::vector<std::string>& words = sentences.emplace_back();
    for (std::string word; in >> word;) words.push_back(std::move(word));
  }
  return sentences;
}

std::vector<std::string> WordsIn(const std::string& folder) {
  for (const char* const name : {"train.txt", "ptb.train.txt"}) {
    std::ifstream file(std::filesystem::path(folder) / name);
    std::vector<std::string> words;
    for (std::vector<std::string>& sentence : SentencesOf(file)) {
      std::move(sentence.begin(), sentence.end(), std::back_inserter(words));
      words.emplace_back("<eos>");
    }
    if (!words.empty()) return words;
  }
  throw NotFound("there is no text in '", folder, "': --data wants a folder with train.txt or ptb.train.txt");
}

void Count(const std::vector<std::string>& words, std::map<std::string, int64_t>& counts) {
  for (const std::string& word : words) ++counts[word];
}

// Numbers from `first` on by frequency, of equals by the alphabet.
std::map<std::string, int32_t> Vocabulary(const std::map<std::string, int64_t>& counts, int64_t first, int64_t below) {
  std::vector<std::pair<int64_t, std::string>> order;
  for (const auto& [word, count] : counts) order.emplace_back(-count, word);
  std::sort(order.begin(), order.end());
  std::map<std::string, int32_t> number;
  for (const auto& [count, word] : order) {
    number[word] = static_cast<int32_t>(std::min<int64_t>(first + std::ssize(number), below - 1));
  }
  return number;
}

std::vector<int32_t> Numbered(const std::vector<std::string>& words, int64_t below) {
  std::map<std::string, int64_t> counts;
  Count(words, counts);
  const std::map<std::string, int32_t> number = Vocabulary(counts, 0, below);
  std::vector<int32_t> numbers;
  for (const std::string& word : words) numbers.push_back(number.at(word));
  return numbers;
}

// Both inputs hold words: rows of them, and those that follow; or single ones, and one near each.
class TextOfLearner final : public Batches {
 public:
  TextOfLearner(const Learner& learner, const std::string& folder, uint64_t seed)
      : Batches(learner, seed), words_(Numbered(WordsIn(folder), learner.inputs[0].below)) {
    const Shape shape = ShapeOf(learner.inputs[0]);
    steps_ = shape.rank() == 2 ? shape.dim(1) : 0;
    const int64_t fewest = steps_ > 0 ? steps_ : 2 * kReach;
    Require(std::ssize(words_) > fewest, "the text in '", folder, "' has ", words_.size(),
            " words; the model wants more than ", fewest);
  }

  std::vector<FeedValue> Next() override {
    const Shape shape = ShapeOf(learner().inputs[0]);
    Tensor words(DType::kInt32, shape), targets(DType::kInt32, shape);
    int32_t *word = words.mutable_data<int32_t>().data(), *target = targets.mutable_data<int32_t>().data();
    for (int64_t row = 0; row < shape.dim(0); ++row) {
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
    return {{learner().inputs[0].place, std::move(words)}, {learner().inputs[1].place, std::move(targets)}};
  }

 private:
  static constexpr int64_t kReach = 5;  // how far a neighbour may be

  const std::vector<int32_t> words_;
  int64_t steps_ = 0;
};

std::vector<std::vector<std::string>> SentencesIn(const std::string& folder, const char* name) {
  std::ifstream file(std::filesystem::path(folder) / name);
  if (!file) {
    throw NotFound("there is no ", name, " in '", folder, "': --data wants a folder with train.source and ",
                   "train.target, whose lines are translations of each other");
  }
  return SentencesOf(file);
}

class TranslationsOfLearner final : public Batches {
 public:
  TranslationsOfLearner(const Learner& learner, const std::string& folder, uint64_t seed, bool is_one_vocabulary)
      : Batches(learner, seed) {
    const auto sources = SentencesIn(folder, "train.source"), targets = SentencesIn(folder, "train.target");
    Require(sources.size() == targets.size(), "train.source in '", folder, "' has ", sources.size(),
            " lines and train.target ", targets.size(), ": a line of each is a pair");
    std::map<std::string, int64_t> of_sources, of_targets;
    std::map<std::string, int64_t>& of_others = is_one_vocabulary ? of_sources : of_targets;
    for (const auto& sentence : sources) Count(sentence, of_sources);
    for (const auto& sentence : targets) Count(sentence, of_others);
    const auto source_numbers = Vocabulary(of_sources, 1, learner.inputs[0].below);
    const auto target_numbers = Vocabulary(of_others, 1, learner.inputs[2].below);
    const int64_t read = Steps(0), written = Steps(2);
    for (size_t i = 0; i < sources.size(); ++i) {
      if (sources[i].empty() || targets[i].empty()) continue;
      if (std::ssize(sources[i]) > read || std::ssize(targets[i]) >= written) continue;
      pairs_.push_back({Filled(sources[i], source_numbers, read), Filled(targets[i], target_numbers, written)});
    }
    Require(!pairs_.empty(), "no pair of lines in '", folder, "' has from 1 to ", read,
            " words in train.source and from", " 1 to ", written - 1,
            " in train.target, which is what the model reads and writes");
  }

  std::vector<FeedValue> Next() override {
    std::vector<Tensor> batch;
    for (const Learner::Input& input : learner().inputs) batch.emplace_back(DType::kInt32, ShapeOf(input));
    int32_t *source = batch[0].mutable_data<int32_t>().data(), *before = batch[1].mutable_data<int32_t>().data(),
            *target = batch[2].mutable_data<int32_t>().data();
    for (int64_t row = 0; row < ShapeOf(learner().inputs[0]).dim(0); ++row) {
      const Pair& pair = pairs_[static_cast<size_t>(Below(std::ssize(pairs_)))];
      source = std::copy(pair.source.begin(), pair.source.end(), source);
      *before++ = 0;
      before = std::copy(pair.target.begin(), pair.target.end() - 1, before);
      target = std::copy(pair.target.begin(), pair.target.end(), target);
    }
    std::vector<FeedValue> feeds;
    for (size_t i = 0; i < batch.size(); ++i) feeds.emplace_back(learner().inputs[i].place, std::move(batch[i]));
    return feeds;
  }

 private:
  struct Pair {
    std::vector<int32_t> source, target;  // filled up
  };
  int64_t Steps(size_t input) const { return ShapeOf(learner().inputs[input]).dim(1); }
  static std::vector<int32_t> Filled(const std::vector<std::string>& words,
                                     const std::map<std::string, int32_t>& numbers, int64_t steps) {
    std::vector<int32_t> filled(static_cast<size_t>(steps), 0);
    std::transform(words.begin(), words.end(), filled.begin(),
                   [&](const std::string& word) { return numbers.at(word); });
    return filled;
  }

  std::vector<Pair> pairs_;
};

std::shared_ptr<Batches> BatchesOf(models::LearnerData data, const Learner& learner, const std::string& folder,
                                   uint64_t seed) {
  switch (data) {
    case models::LearnerData::kDigits:
      return std::make_shared<DigitsOfLearner>(learner, folder, seed);
    case models::LearnerData::kText:
      return std::make_shared<TextOfLearner>(learner, folder, seed);
    default:
      return std::make_shared<TranslationsOfLearner>(learner, folder, seed, data == models::LearnerData::kTranslations);
  }
}

}  // namespace

TrainedModel BuildOnFiles(Scope& scope, Optimizer& optimizer, const models::LearnerEntry& entry,
                          models::LearnerSize size, const std::string& folder, uint64_t seed) {
  Require(entry.data != models::LearnerData::kNone, "there is no reader of files for ", entry.name,
          " yet: leave --data out, and one batch is made up");
  const Learner learner = entry.build(scope, optimizer, size);
  const std::shared_ptr<Batches> batches = BatchesOf(entry.data, learner, folder, seed);
  TrainedModel trained{learner.loss, learner.train, learner.init, "what lies in " + folder};
  trained.kind_of_data = "files";
  trained.next = [batches] { return batches->Next(); };
  trained.save = [batches](const StateWriter& writer) { batches->Save(writer); };
  trained.restore = [batches](const StateReader& reader) { batches->Restore(reader); };
  return trained;
}

}  // namespace plumb::tools

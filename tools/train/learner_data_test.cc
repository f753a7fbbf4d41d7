// Batches of models that are no classifiers of images, from files.
#include "tools/train/learner_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "spec/core/status_testing.h"
#include "spec/files/temporary_folder.h"
#include "tools/train/make_data.h"

namespace plumb::tools {
namespace {

using models::LearnerData;
using models::LearnerEntry;
using models::LearnerSize;

// Words of three letters in a row, and what follows each.
models::Learner ReadsWords(Scope& scope, Optimizer&, LearnerSize) {
  models::Learner model;
  model.FeedIds(scope, {2, 3}, 3, "words");
  model.FeedIds(scope, {2, 3}, 3, "targets");
  return model;
}
models::Learner ReadsDigits(Scope& scope, Optimizer&, LearnerSize size) {
  models::Learner model;
  model.FeedNumbers(scope, {4, size == LearnerSize::kSmall ? 9 : 784}, "images");
  model.FeedIds(scope, {4}, 10, "labels");
  model.FeedNumbers(scope, {4, 2}, "noise");
  return model;
}
constexpr LearnerEntry kWords = {"words", "", ReadsWords, LearnerData::kText};
constexpr LearnerEntry kDigits = {"digits", "", ReadsDigits, LearnerData::kDigits};

std::vector<FeedValue> FirstBatch(const LearnerEntry& entry, const std::string& folder, uint64_t seed = 1,
                                  LearnerSize size = LearnerSize::kFull) {
  Scope scope;
  return BuildOnFiles(scope, *Sgd({}), entry, size, folder, seed).next();
}

// a comes most often and b next; the end of a line and c share the last number.
TEST(LearnerData, TextsAreNumberedByFrequency) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/train.txt") << "a a a b\na a c b\n" << std::string(20, ' ') << "a a b b\n";
  const std::vector<int32_t> text = {0, 0, 0, 1, 2, 0, 0, 2, 1, 2, 0, 0, 1, 1, 2};
  const std::vector<FeedValue> batch = FirstBatch(kWords, folder.path());
  ASSERT_EQ(batch.size(), 2U);
  const auto words = batch[0].second.data<int32_t>(), targets = batch[1].second.data<int32_t>();
  for (size_t row = 0; row < 2; ++row) {
    std::vector<int32_t> seen(words.begin() + 3 * row, words.begin() + 3 * (row + 1));
    seen.push_back(targets[3 * row + 2]);
    EXPECT_NE(std::search(text.begin(), text.end(), seen.begin(), seen.end()), text.end())
        << testing::PrintToString(seen);
    EXPECT_EQ(targets[3 * row], words[3 * row + 1]);
  }
  EXPECT_TRUE(FirstBatch(kWords, folder.path())[0].second.BitwiseEquals(batch[0].second));
}

TEST(LearnerData, ImagesComeWithTheirLabels) {
  const TemporaryFolder folder;
  MakeDigits({.folder = folder.path(), .train = 30, .test = 1});
  const std::vector<FeedValue> batch = FirstBatch(kDigits, folder.path());
  ASSERT_EQ(batch.size(), 3U);
  EXPECT_EQ(batch[0].second.shape(), Shape({4, 784}));
  for (const int32_t label : batch[1].second.data<int32_t>()) EXPECT_TRUE(label >= 0 && label < 10);
  for (const float number : batch[2].second.data<float>()) EXPECT_TRUE(number >= 0 && number < 1);
  EXPECT_FALSE(FirstBatch(kDigits, folder.path(), 2)[0].second.BitwiseEquals(batch[0].second));
}

TEST(LearnerData, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  const auto code = [&](const LearnerEntry& entry, LearnerSize size = LearnerSize::kFull) {
    return StatusOf([&] { FirstBatch(entry, folder.path(), 1, size); }).code();
  };
  EXPECT_EQ(code(kWords), Code::kNotFound);
  EXPECT_EQ(code(kDigits), Code::kNotFound);
  EXPECT_EQ(code({"neither", "", ReadsWords}), Code::kInvalidArgument);
  std::ofstream(folder.path() + "/train.txt") << "too short\n";
  EXPECT_EQ(code(kWords), Code::kInvalidArgument);
  MakeDigits({.folder = folder.path(), .train = 30, .test = 1});
  EXPECT_EQ(code(kDigits, LearnerSize::kSmall), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::tools

// Batches of models that are no classifiers of images, from files.
#include "tools/train/data/learner_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "tools/train/data/learner_batches_testing.h"
#include "tools/train/data/make_data.h"

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
models::Learner Translates(Scope& scope, Optimizer&, LearnerSize) {
  models::Learner model;
  model.FeedIds(scope, {8, 3}, 5, "source");
  model.FeedIds(scope, {8, 4}, 4, "written");
  model.FeedIds(scope, {8, 4}, 4, "targets");
  return model;
}
constexpr LearnerEntry kPairs = {"pairs", "", Translates, LearnerData::kTranslationsOfTwoVocabularies};
constexpr LearnerEntry kPairsOfOneVocabulary = {"pairs", "", Translates, LearnerData::kTranslations};
constexpr LearnerEntry kWords = {"words", "", ReadsWords, LearnerData::kText};
constexpr LearnerEntry kDigits = {"digits", "", ReadsDigits, LearnerData::kDigits};

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

void WritePairs(const TemporaryFolder& folder, const std::string& sources, const std::string& targets) {
  std::ofstream(folder.path() + "/train.source") << sources;
  std::ofstream(folder.path() + "/train.target") << targets;
}

// a is 1 and b is 2; what is too long is left out, though it counts. Of the other language x is 1, y 2 and z, w 3.
TEST(LearnerData, SentencesComeWithTheirTranslations) {
  const TemporaryFolder folder;
  WritePairs(folder, "a b a\n\na b a c\na a a\n", "x y z\nx\nw\nx x y x\n");
  const std::vector<FeedValue> batch = FirstBatch(kPairs, folder.path());
  ASSERT_EQ(batch.size(), 3U);
  using Rows = std::set<std::vector<double>>;
  EXPECT_THAT(SourceOf(kPairs, folder.path()),
              testing::EndsWith(" but for 3 of the pairs of lines (empty, or of too many words)"));
  EXPECT_EQ(RowsOf(batch[0]), (Rows{{1, 2, 1}}));
  EXPECT_EQ(RowsOf(batch[1]), (Rows{{0, 1, 2, 3}}));
  EXPECT_EQ(RowsOf(batch[2]), (Rows{{1, 2, 3, 0}}));
  WritePairs(folder, "b\na\n", "x\ny x\n");
  const std::vector<FeedValue> two = FirstBatch(kPairs, folder.path());
  const auto sources = two[0].second.data<int32_t>(), targets = two[2].second.data<int32_t>();
  for (size_t row = 0; row < 8; ++row) EXPECT_EQ(sources[3 * row] == 1, targets[4 * row + 1] == 1) << "are pairs";
  EXPECT_EQ(RowsOf(two[0]), (Rows{{1, 0, 0}, {2, 0, 0}}));
  EXPECT_EQ(SourceOf(kPairs, folder.path()), "what lies in " + folder.path());
  EXPECT_TRUE(FirstBatch(kPairs, folder.path())[0].second.BitwiseEquals(two[0].second));
}

TEST(LearnerData, LanguagesMayShareOneVocabulary) {
  const TemporaryFolder folder;
  WritePairs(folder, "a b\n", "b a a\n");
  const std::vector<FeedValue> batch = FirstBatch(kPairsOfOneVocabulary, folder.path());
  EXPECT_EQ(RowsOf(batch[0]), (std::set<std::vector<double>>{{1, 2, 0}}));
  EXPECT_EQ(RowsOf(batch[2]), (std::set<std::vector<double>>{{2, 1, 1, 0}}));
}

TEST(LearnerData, RefusesPairsThatAreNone) {
  const TemporaryFolder folder;
  const auto refused = [&] { return StatusOf([&] { FirstBatch(kPairs, folder.path()); }); };
  std::ofstream(folder.path() + "/train.source") << "a\n";
  EXPECT_EQ(refused().code(), Code::kNotFound);
  EXPECT_THAT(refused().message(), testing::HasSubstr("there is no train.target in '" + folder.path() + "'"));
  WritePairs(folder, "a\nb\n", "x\n");
  EXPECT_THAT(refused().message(), testing::HasSubstr("has 2 lines and train.target 1"));
  WritePairs(folder, "a\na a a a\n\n", "x x x x\nx\nx\n");
  EXPECT_EQ(refused().code(), Code::kInvalidArgument);
  EXPECT_THAT(refused().message(), testing::HasSubstr("no pair of lines"));
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

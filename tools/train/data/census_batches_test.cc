// UCI's census data, as wide and deep models read it.
#include <gmock/gmock.h>

#include <cmath>

#include "tools/train/data/learner_batches_testing.h"

namespace plumb::tools {
namespace {

using testing::HasSubstr;

template <int64_t kFields, int64_t kNumbers>
models::Learner Judges(Scope& scope, Optimizer&, models::LearnerSize) {
  models::Learner model;
  model.FeedIds(scope, {32, kFields}, 100, "categories");
  model.FeedNumbers(scope, {32, kNumbers}, "numbers");
  model.FeedIds(scope, {32}, 2, "labels");
  return model;
}
constexpr models::LearnerEntry kJudges = {"judges", "", Judges<2, 6>, models::LearnerData::kCensus};

const std::string kPoor = "20, Private, 77516, HS-grad, 9, Never-married, Sales, Own-child, White, Male, 0, 0, 40, ?";
const std::string kRich = "60, ?, 83311, Masters, 14, Divorced, Sales, Husband, White, Male, 99, 0, 40, Cuba";

// Three people: the number of each category follows how many have it, that of each number from where it stands.
TEST(CensusBatches, AreRowsOfLines) {
  const TemporaryFolder folder;
  Files().Write(folder.path() + "/adult.data", kPoor + ", <=50K\n" + kRich + ", >50K\n" + kPoor + ", <=50K\n\n");
  const std::vector<FeedValue> batch = FirstBatch(kJudges, folder.path());
  ASSERT_EQ(batch.size(), 3U);
  // Private and HS-grad come twice; of what comes once, the field of the first class stands first.
  EXPECT_EQ(RowsOf(batch[0]), (std::set<std::vector<double>>{{0, 1}, {2, 3}}));
  const std::vector<double> categories = Numbers(batch[0].second), numbers = Numbers(batch[1].second),
                            labels = Numbers(batch[2].second);
  const double poor = -std::sqrt(0.5), rich = std::sqrt(2);  // of two that are alike and one that is not
  for (size_t row = 0; row < 32; ++row) {
    EXPECT_EQ(labels[row] == 1, categories[2 * row] == 2);
    const double wanted = labels[row] == 1 ? rich : poor;
    for (const size_t number : {0, 1, 2, 5}) {  // age, years of education, gain, and the logarithm of the age
      EXPECT_FLOAT_EQ(numbers[6 * row + number], static_cast<float>(wanted)) << number;
    }
    for (const size_t number : {3, 4}) EXPECT_EQ(numbers[6 * row + number], 0) << "all have the same";
  }
}

TEST(CensusBatches, FillTheWholeModel) {
  const TemporaryFolder folder;
  Files().Write(folder.path() + "/train.csv",
                "age,b,c,d,e,f,g,h,i,j,k,l,m,n,income\n" + kPoor + ",<=50K\n" + kRich + ",>50K\n");
  constexpr models::LearnerEntry kWhole = {"whole", "", Judges<26, 13>, models::LearnerData::kCensus};
  const std::vector<FeedValue> batch = FirstBatch(kWhole, folder.path());
  const std::set<std::vector<double>> categories = RowsOf(batch[0]), numbers = RowsOf(batch[1]);
  ASSERT_EQ(categories.size(), 2U);
  for (const std::vector<double>& row : categories) {
    EXPECT_EQ(std::set<double>(row.begin(), row.end()).size(), row.size()) << "each field has its own categories";
  }
  for (const std::vector<double>& row : numbers) EXPECT_EQ(std::vector(row.end() - 3, row.end()), std::vector(3, 0.0));
  constexpr models::LearnerEntry kMore = {"more", "", Judges<27, 1>, models::LearnerData::kCensus};
  EXPECT_THAT(RefusalOf(kMore, folder.path()).message(), HasSubstr("reads 27 categories"));
}

TEST(CensusBatches, RefuseLinesThatAreNone) {
  const TemporaryFolder folder;
  EXPECT_EQ(RefusalOf(kJudges, folder.path()).code(), Code::kNotFound);
  const auto refused = [&](const std::string& line) {
    Files().Write(folder.path() + "/adult.data", kPoor + ", <=50K\n\n" + line + "\n");
    const Status status = RefusalOf(kJudges, folder.path());
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << line;
    EXPECT_THAT(status.message(), HasSubstr("line 3 of '" + folder.path() + "/adult.data': ")) << line;
    return std::string(status.message());
  };
  refused(kRich);
  refused(kRich + ", >50K, 7");
  EXPECT_THAT(refused(kRich + ", rich"), HasSubstr("the last column is 'rich'"));
  EXPECT_THAT(refused("x" + kRich + ", >50K"), HasSubstr("'x60' is not a number from 0 on"));
  EXPECT_THAT(refused("-" + kRich + ", >50K"), HasSubstr("'-60' is not a number from 0 on"));
  Files().Write(folder.path() + "/adult.data", "\n");
  EXPECT_THAT(RefusalOf(kJudges, folder.path()).message(), HasSubstr("there is nobody in"));
}

TEST(CensusBatches, TrainAWideAndDeepModel) {
  const TemporaryFolder folder;
  Files().Write(folder.path() + "/adult.data", kPoor + ", <=50K\n" + kRich + ", >50K\n");
  for (const char* const backend : {"reference", "cpu"}) ExpectLearns(backend, "wide-and-deep", folder.path());
}

}  // namespace
}  // namespace plumb::tools

// Points and the places of those to be chosen, as pointer networks read them.
#include <gmock/gmock.h>

#include "tools/train/data/learner_batches_testing.h"

namespace plumb::tools {
namespace {

using testing::HasSubstr;

models::Learner Chooses(Scope& scope, Optimizer&, models::LearnerSize) {
  models::Learner model;
  model.FeedNumbers(scope, {16, 4, 2}, "points");
  model.FeedIds(scope, {16, 4}, 4, "places");
  return model;
}
constexpr models::LearnerEntry kChooses = {"chooses", "", Chooses, models::LearnerData::kPlaces};

// One has fewer points than the model reads, one is a way over all of them, in two files; one is too long.
TEST(PlaceBatches, AreRowsOfLines) {
  const TemporaryFolder folder;
  Files().Write(folder.path() + "/hull_train.txt",
                "0.25 0.5 1 0 0.75 1 output 2 3 1 2 \r\n\n1 1 1 1 1 1 1 1 1 1 output 1 2 1\n");
  Files().Write(folder.path() + "/tsp_4_train.txt", "1 2 3 4 5 6 7 8.5e0 output 1 3 2 4 1");
  Files().Write(folder.path() + "/hull_test.txt", "none of these");
  const std::vector<FeedValue> batch = FirstBatch(kChooses, folder.path());
  ASSERT_EQ(batch.size(), 2U);
  EXPECT_EQ(batch[0].second.shape(), Shape({16, 4, 2}));
  using Rows = std::set<std::vector<double>>;
  EXPECT_EQ(RowsOf(batch[0]), (Rows{{0.25, 0.5, 1, 0, 0.75, 1, 0, 0}, {1, 2, 3, 4, 5, 6, 7, 8.5}}));
  EXPECT_EQ(RowsOf(batch[1]), (Rows{{1, 2, 0, 1}, {0, 2, 1, 3}}));
  const std::vector<double> points = Numbers(batch[0].second), places = Numbers(batch[1].second);
  for (size_t row = 0; row < 16; ++row) EXPECT_EQ(points[8 * row] == 1, places[4 * row] == 0) << "are of one line";
  EXPECT_THAT(SourceOf(kChooses, folder.path()), HasSubstr(" but for 1 of the lines (of too many points or places)"));
}

TEST(PlaceBatches, RefuseLinesThatAreNone) {
  const TemporaryFolder folder;
  EXPECT_EQ(RefusalOf(kChooses, folder.path()).code(), Code::kNotFound);
  const auto refused = [&](const std::string& line) {
    Files().Write(folder.path() + "/train.txt", "0 0 1 1 output 1 2 1\n\n" + line + "\n");
    const Status status = RefusalOf(kChooses, folder.path());
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << line;
    EXPECT_THAT(status.message(), HasSubstr("line 3 of '" + folder.path() + "/train.txt': ")) << line;
    return std::string(status.message());
  };
  EXPECT_THAT(refused("0 0 1 1"), HasSubstr("no 'output'"));
  EXPECT_THAT(refused("0 0 1 output 1"), HasSubstr("3 coordinates are not two of each point"));
  EXPECT_THAT(refused("output 1"), HasSubstr("0 coordinates"));
  EXPECT_THAT(refused("0 x output 1"), HasSubstr("'x' is not a number"));
  EXPECT_THAT(refused("0 nan output 1"), HasSubstr("not finite"));
  EXPECT_THAT(refused("0 0 output"), HasSubstr("no place stands behind"));
  EXPECT_THAT(refused("0 0 output 1.5"), HasSubstr("'1.5' is not a number of a point"));
  for (const int place : {0, 2, -1}) {
    EXPECT_THAT(refused(Str("0 0 output ", place)), HasSubstr(Str("there is no point ", place, " among 1")));
  }
  Files().Write(folder.path() + "/train.txt", "1 1 1 1 1 1 1 1 1 1 output 1 2 1\n");
  EXPECT_THAT(RefusalOf(kChooses, folder.path()).message(), HasSubstr("up to 4 points and up to 4 places"));
}

TEST(PlaceBatches, TrainAPointerNetwork) {
  const TemporaryFolder folder;
  Files().Write(folder.path() + "/tsp_train.txt", "0 0 1 1 0 1 output 1 2 3 1\n0.5 0.5 1 0 0 1 1 1 output 2 4 3 2\n");
  for (const char* const backend : {"reference", "cpu"}) ExpectLearns(backend, "pointer-network", folder.path());
}

}  // namespace
}  // namespace plumb::tools

#include "client/training/checkpoint_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "spec/core/status_testing.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST(CheckpointScores, AreReadAsTheyWereWritten) {
  const TemporaryFolder folder;
  EXPECT_THAT(ReadCheckpointScores(Files(), folder.path()), IsEmpty());
  const std::map<std::string, double> scores = {{"m-1", 0.1}, {"m 2", -1e300}};
  WriteCheckpointScores(Files(), folder.path(), scores);
  EXPECT_EQ(ReadCheckpointScores(Files(), folder.path()), scores);
}

TEST(CheckpointScores, LinesThatCannotBeReadSayNothing) {
  const TemporaryFolder folder;
  Files().Write(folder.path() + "/checkpoint.scores", "\ngood m-1\n0.7\n0.8 m-5\n0.9\tm-6\n0.25 m-7");
  EXPECT_THAT(ReadCheckpointScores(Files(), folder.path()), ElementsAre(Pair("m-5", 0.8), Pair("m-7", 0.25)));
}

TEST(CheckpointScores, MoreThanScoresTakeIsNotRead) {
  constexpr uintmax_t kMost = 1 << 26;
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/checkpoint.scores";
  Files().Write(path, "0.5 m-1\n");
  std::filesystem::resize_file(path, kMost);
  EXPECT_THAT(ReadCheckpointScores(Files(), folder.path()), ElementsAre(Pair("m-1", 0.5)));
  std::filesystem::resize_file(path, kMost + 1);
  const Status status = StatusOf([&] { ReadCheckpointScores(Files(), folder.path()); });
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("checkpoint.scores"));
}

}  // namespace
}  // namespace plumb

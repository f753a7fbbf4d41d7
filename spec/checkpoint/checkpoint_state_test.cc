#include "spec/checkpoint/checkpoint_state.h"

#include <gmock/gmock.h>

#include "spec/core/status_testing.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using testing::ElementsAre;

// Z60.
TEST(CheckpointState, IsTextOfPaths) {
  const TemporaryFolder folder;
  const std::string& at = folder.path();
  EXPECT_EQ(ReadCheckpointState(Files(), at), std::nullopt);
  WriteCheckpointState(Files(), at, {.latest = at + "/m-2", .all = {at + "/m-1", at + "/m-2"}});
  EXPECT_EQ(Files().Read(at + "/checkpoint"), "model_checkpoint_path: \"" + at +
                                                  "/m-2\"\nall_model_checkpoint_paths: \"" + at +
                                                  "/m-1\"\nall_model_checkpoint_paths: \"" + at + "/m-2\"\n");
  EXPECT_EQ(LatestCheckpoint(Files(), at), std::nullopt);
  Files().Write(at + "/m-2.index", "");
  EXPECT_EQ(LatestCheckpoint(Files(), at), at + "/m-2");
}

TEST(CheckpointState, PathsMayBeRelative) {
  const TemporaryFolder folder;
  const std::string& at = folder.path();
  Files().Write(at + "/checkpoint",
                "model_checkpoint_path: \"m-2\"\nall_model_checkpoint_paths: \"/old/m-1\"\n"
                "all_model_checkpoint_paths: \"m-2\"\nall_model_checkpoint_timestamps: 1.5\n"
                "all_model_checkpoint_timestamps: 2.5\nlast_preserved_timestamp: 0.5\n");
  const auto state = ReadCheckpointState(Files(), at).value();
  EXPECT_EQ(state.latest, at + "/m-2");
  EXPECT_THAT(state.all, ElementsAre("/old/m-1", at + "/m-2"));
  EXPECT_THAT(state.times, ElementsAre(1.5, 2.5));
  EXPECT_EQ(state.last_preserved_time, 0.5);
  const auto confined = ConfinedFiles(at);
  confined->MakeFolder("d");
  WriteCheckpointState(*confined, "d", {.latest = "d/m", .all = {"d/m"}});
  EXPECT_EQ(confined->Read("d/checkpoint"), "model_checkpoint_path: \"m\"\nall_model_checkpoint_paths: \"m\"\n");
  EXPECT_EQ(ReadCheckpointState(*confined, "d")->latest, "d/m");
}

TEST(CheckpointState, MoreThanAStateHoldsIsNotRead) {
  const TemporaryFolder folder;
  std::string text = "model_checkpoint_path: \"m\"";
  text.resize(size_t{1} << 26, '\n');
  Files().Write(folder.path() + "/checkpoint", text);
  EXPECT_EQ(ReadCheckpointState(Files(), folder.path())->latest, folder.path() + "/m");
  Files().Write(folder.path() + "/checkpoint", text + '\n');
  EXPECT_FALSE(StatusOf([&] { ReadCheckpointState(Files(), folder.path()); }).ok());
}

TEST(CheckpointState, BrokenTextIsNone) {
  const TemporaryFolder folder;
  Files().Write(folder.path() + "/checkpoint", "model_checkpoint_path = m");
  EXPECT_EQ(ReadCheckpointState(Files(), folder.path()), std::nullopt);
  Files().Write(folder.path() + "/checkpoint", "");
  EXPECT_EQ(StatusOf([&] { ReadCheckpointState(Files(), folder.path()); }).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb

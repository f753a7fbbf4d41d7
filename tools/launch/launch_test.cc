// Runs of many ranks: which one failed, restarts, stops, and that nothing is left behind. `sh` stands in for mpirun.
#include "tools/launch/launch.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "spec/checkpoint/checkpoint_state.h"
#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"
#include "tools/launch/launch_failure.h"
#include "tools/launch/launch_options.h"
#include "tools/launch/launch_process.h"

namespace plumb::tools {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

constexpr milliseconds kLong = std::chrono::minutes(1), kShort{200};

TEST(LostRanks, AreToldByMpirun) {
  const auto killed =
      FindLostRank("mpirun noticed that process rank 2 with PID 71 on node left exited on\nsignal 9 (Killed).\n");
  ASSERT_TRUE(killed.has_value());
  EXPECT_EQ(killed->rank, 2);
  EXPECT_EQ(killed->how, "was killed on left by signal 9 (Killed)");
  const auto failed =
      FindLostRank("The first process to do so was:\n\n  Process name: [[57712,1],3]\n  Exit code:    4\n");
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->rank, 3);
  EXPECT_EQ(failed->how, "ended with exit code 4");
  EXPECT_FALSE(FindLostRank("process rank two").has_value());
}

TEST(Checkpoints, OfACommandLine) {
  EXPECT_EQ(CheckpointFolderOf({"plumb", "train", "--checkpoint", "a b"}), "a b");
  EXPECT_EQ(CheckpointFolderOf({"plumb", "--checkpoint=c"}), "c");
  EXPECT_FALSE(CheckpointFolderOf({"plumb", "--checkpoints=c", "--checkpoint"}).has_value());
  EXPECT_EQ(StepOfCheckpoint("a-1/model.ckpt-60"), 60);
  EXPECT_FALSE(StepOfCheckpoint("a-1/model.ckpt").has_value());
}

Ended RunShell(const std::string& script, int ranks = 1, milliseconds grace = kLong) {
  return RunUntilEnd({"sh", "-c", script}, ranks, grace);
}

// Waits until a script has written its process id there.
pid_t Written(const std::string& file) {
  for (auto waited = milliseconds(0); waited < kLong; waited += milliseconds(5)) {
    if (std::filesystem::exists(file)) {
      if (const std::string text = ReadFile(file); text.ends_with('\n')) return std::stoi(text);
    }
    std::this_thread::sleep_for(milliseconds(5));
  }
  throw Error(Code::kDeadlineExceeded, Str("nothing was written to ", file));
}

bool IsThere(pid_t process) { return kill(process, 0) == 0; }

TEST(RunUntilEnd, TellsHowACommandEnded) {
  testing::internal::CaptureStderr();
  const Ended ended = RunShell("echo so it goes >&2; exit 3");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "so it goes\n") << "it is passed on";
  EXPECT_EQ(ended.errors, "so it goes\n");
  EXPECT_EQ(ended.code, 3);
  EXPECT_FALSE(ended.was_stopped);
  EXPECT_EQ(RunShell("kill -9 $$").code, 128 + SIGKILL);
}

TEST(RunUntilEnd, LeavesNoOrphan) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/orphan";
  EXPECT_EQ(RunShell("setsid sh -c 'trap \"\" TERM; echo $$ > " + file + "; exec sleep 1000' & while [ ! -s " + file +
                     " ]; do sleep 0.01; done; exit 5")
                .code,
            5);
  EXPECT_FALSE(IsThere(Written(file)));
}

// Runs the script, and asks this process to stop when it has written the file.
Ended StopWhenWritten(const std::string& script, const std::string& file, int ranks, milliseconds grace) {
  std::thread stops([&] {
    Written(file);
    kill(getpid(), SIGTERM);
  });
  const Ended ended = RunShell(script, ranks, grace);
  stops.join();
  return ended;
}

TEST(RunUntilEnd, PassesAStopOnToTheRanks) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/rank";
  const std::string rank =
      "OMPI_COMM_WORLD_RANK=0 sh -c 'trap \"exit 7\" TERM; echo $$ > " + file + "; while true; do sleep 0.01; done'";
  const Ended ended = StopWhenWritten("trap 'exit 9' TERM; " + rank + "; exit $?", file, /*ranks=*/1, kLong);
  EXPECT_TRUE(ended.was_stopped);
  EXPECT_EQ(ended.code, 7) << "the rank's own end, and not that of what started it";
}

TEST(RunUntilEnd, AsksTheCommandWhereRanksAreElsewhere) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/started";
  const std::string script = "trap 'exit 9' TERM; echo $$ > " + file + "; while true; do sleep 0.01; done";
  EXPECT_EQ(StopWhenWritten(script, file, /*ranks=*/2, kLong).code, 9);
}

TEST(RunUntilEnd, StopsWhatNeverFallsSilent) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/loud";
  testing::internal::CaptureStderr();
  const Ended ended =
      StopWhenWritten("printf 'y\\ny\\n' >&2; echo $$ > " + file + "; exec yes >&2", file, /*ranks=*/2, kLong);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("y\ny\n"));
  EXPECT_TRUE(ended.was_stopped);
  EXPECT_EQ(ended.code, 128 + SIGTERM);
}

TEST(RunUntilEnd, KnowsOfAStopWhileTheCommandEnds) { EXPECT_TRUE(RunShell("kill -TERM $PPID").was_stopped); }

TEST(RunUntilEnd, KillsWhatDoesNotStop) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/deaf";
  const std::string script = "trap '' TERM; echo $$ > " + file + "; while true; do sleep 0.01; done";
  EXPECT_EQ(StopWhenWritten(script, file, /*ranks=*/1, kShort).code, 128 + SIGKILL);
}

TEST(LaunchDefaults, LetRanksRunWhereverTheyAreStarted) {
  const auto defaults = [](int ranks, const std::vector<std::string>& options, const Launcher& launcher) {
    Launch launch;
    launch.ranks = ranks;
    launch.mpirun_options = options;
    return DefaultsOf(launch, launcher);
  };
  const Launcher user{.cores = 4}, root{.cores = 4, .is_root = true};
  EXPECT_THAT(defaults(4, {}, user).options, ElementsAre("--bind-to", "none"));
  EXPECT_THAT(defaults(4, {}, user).notes, IsEmpty());
  const LaunchDefaults many = defaults(5, {}, user);
  EXPECT_THAT(many.options, ElementsAre("--bind-to", "none", "--oversubscribe"));
  EXPECT_THAT(many.notes, ElementsAre(HasSubstr("5 ranks take turns on 4 cores")));
  EXPECT_THAT(defaults(5, {"--hostfile", "hosts"}, user).options, ElementsAre("--bind-to", "none"));
  EXPECT_THAT(defaults(5, {"-H", "left,right"}, user).notes, IsEmpty());
  EXPECT_THAT(defaults(5, {}, {.cores = 4, .is_in_a_job = true}).notes, IsEmpty());
  EXPECT_THAT(defaults(5, {"--oversubscribe", "--bind-to", "core"}, user).options, IsEmpty());
  EXPECT_THAT(defaults(1, {"--map-by", "core:PE=2"}, user).options, IsEmpty());
  EXPECT_THAT(defaults(1, {"--mca", "hwloc_base_binding_policy", "core"}, user).options, IsEmpty());
  const LaunchDefaults allowed = defaults(1, {}, root);
  EXPECT_THAT(allowed.environment,
              ElementsAre(Pair("OMPI_ALLOW_RUN_AS_ROOT", "1"), Pair("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")));
  EXPECT_THAT(allowed.notes, ElementsAre(HasSubstr("OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")));
  EXPECT_THAT(defaults(1, {}, {.cores = 4, .is_root = true, .may_run_as_root = true}).environment, IsEmpty());
  EXPECT_GE(ThisLauncher().cores, 1);
}

class Launches : public testing::Test {
 protected:
  // What is said on the error output when this script stands in for mpirun; $FOLDER is a folder of its own.
  std::string Run(const std::string& script, int restarts) {
    const std::string mpirun = folder_.path() + "/mpirun";
    WriteFile(mpirun, "#!/bin/sh\nFOLDER=" + folder_.path() + "\n" + script + "\n");
    std::filesystem::permissions(mpirun, std::filesystem::perms::owner_all);
    Launch launch;
    launch.ranks = 3;
    launch.restarts = restarts;
    launch.mpirun = mpirun;
    launch.mpirun_options = {"--oversubscribe", "--tag-output"};
    launch.command = {"plumb", "train", "--checkpoint", folder_.path() + "/saved"};
    testing::internal::CaptureStderr();
    code_ = RunWithRestarts(launch);
    return testing::internal::GetCapturedStderr();
  }

  const TemporaryFolder folder_;
  int code_ = -1;
};

constexpr char kDiesOnce[] =
    "[ -e $FOLDER/again ] && exit 0\n"
    "touch $FOLDER/again\n"
    "echo 'mpirun noticed that process rank 1 with PID 7 on node left exited on signal 9 (Killed).' >&2\n"
    "exit 137";

TEST_F(Launches, StartAgainFromTheLastCheckpoint) {
  const std::string saved = folder_.path() + "/saved";
  std::filesystem::create_directories(saved);
  WriteFile(saved + "/model.ckpt-60.index", "");
  WriteCheckpointState(Files(), saved, {.latest = saved + "/model.ckpt-60", .all = {saved + "/model.ckpt-60"}});
  EXPECT_THAT(Run(kDiesOnce, 2),
              HasSubstr("rank 1 was killed on left by signal 9 (Killed); restart 1 of 2 goes on from step 60"));
  EXPECT_EQ(code_, 0);
}

TEST_F(Launches, BeginAnewWhereNothingIsSaved) {
  EXPECT_THAT(Run(kDiesOnce, 1), HasSubstr("begins anew: there is no checkpoint in '"));
  EXPECT_EQ(code_, 0);
}

TEST_F(Launches, SayWhatTheyCannotGoOnFrom) {
  Files().MakeFolders(folder_.path() + "/saved");
  WriteFile(folder_.path() + "/saved/checkpoint", "");
  EXPECT_THAT(Run(kDiesOnce, 1), HasSubstr("does not go on: '"));
}

TEST_F(Launches, EndAfterTooManyFailures) {
  EXPECT_THAT(Run("echo once >> $FOLDER/runs; exit 4", 2), HasSubstr("exit code 4, after 2 restarts"));
  EXPECT_EQ(code_, 4);
  EXPECT_EQ(ReadFile(folder_.path() + "/runs"), "once\nonce\nonce\n");
}

TEST_F(Launches, HandOptionsAndCommandToMpirun) {
  EXPECT_THAT(Run("printf '%s ' \"$@\" >&2", 0),
              HasSubstr("-n 3 --bind-to none --oversubscribe --tag-output plumb train --checkpoint "));
}

TEST_F(Launches, AllowRootToMpirun) {
  Run("echo $OMPI_ALLOW_RUN_AS_ROOT$OMPI_ALLOW_RUN_AS_ROOT_CONFIRM > $FOLDER/allowed", 0);
  if (geteuid() == 0) {
    EXPECT_EQ(ReadFile(folder_.path() + "/allowed"), "11\n");
  }
}

TEST_F(Launches, SayNothingWhenAllIsWell) {
  Run("exit 0", 0);  // what root is allowed is said once
  EXPECT_THAT(Run("exit 0", 0), Not(HasSubstr("plumb launch")));
}

TEST(LaunchRefusals, SayWhatToDo) {
  const auto refused = [](const Launch& launch) { return StatusOf([&] { RunWithRestarts(launch); }); };
  const Status missing = refused({.mpirun = "/nowhere/mpirun", .command = {"true"}});
  EXPECT_EQ(missing.code(), Code::kNotFound);
  EXPECT_THAT(missing.message(), HasSubstr("/nowhere/mpirun"));
  EXPECT_THAT(missing.message(), HasSubstr("openmpi-bin"));
  EXPECT_THAT(refused({}).message(), HasSubstr("nothing to launch"));
  EXPECT_THAT(refused({.ranks = 0, .command = {"true"}}).message(), HasSubstr("at least 1"));
}

}  // namespace
}  // namespace plumb::tools

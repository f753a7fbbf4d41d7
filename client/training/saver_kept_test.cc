// Which checkpoints a saver keeps: the newest or the best, and one of each few hours, also of savers before it.
#include <cmath>

#include "client/program.h"
#include "client/testing.h"
#include "client/training/checkpoint_files.h"
#include "client/training/saver.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class SaverKeeps : public OnEachBackend {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  Program NewProgram() { return Program(scope_, OpenSession(GetParam())); }
  std::vector<std::string> Names() const { return Files().List(folder_.path()); }
  // Of the checkpoints "m-STEP", those that are there.
  std::vector<int> Steps(int end) const {
    std::vector<int> steps;
    for (int step = 0; step < end; ++step) {
      if (CheckpointExists(Files(), Path(Str("m-", step)))) steps.push_back(step);
    }
    return steps;
  }

  TemporaryFolder folder_;
};

TEST_P(SaverKeeps, TheNewestAreKeptAndOneEveryFewHours) {
  double now = 0;
  MakeVariable(scope_, Float(1), {.name = "a"});
  Saver saver(scope_, SavedByName(scope_), {.max_to_keep = 2, .keep_every_n_hours = 1, .now = [&now] { return now; }});
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  for (int step = 0; step < 6; ++step) {  // at 0, 40, 80, … minutes
    saver.Save(program, Path("m"), {.step = step});
    now += 2400;
  }
  EXPECT_THAT(saver.checkpoints(), ElementsAre(Path("m-4"), Path("m-5")));
  EXPECT_THAT(Names(),
              ElementsAre("checkpoint", "m-2.data-00000-of-00001", "m-2.index", "m-2.meta", "m-4.data-00000-of-00001",
                          "m-4.index", "m-4.meta", "m-5.data-00000-of-00001", "m-5.index", "m-5.meta"));
  EXPECT_EQ(LatestCheckpoint(Files(), folder_.path()), Path("m-5"));
}

// Of four: as many of the newest as are to be kept, and all of them where no number above 0 is said, whatever their
// scores. A saver that goes on in the folder knows those that are there.
TEST_P(SaverKeeps, AsManyAsAreAskedForOrAll) {
  struct Case {
    int max_to_keep, kept;
    bool keep_best;
  };
  constexpr int kSaves = 4;
  constexpr Case kCases[] = {{1, 1, false}, {3, 3, false},  {4, 4, false}, {5, 4, false},
                             {0, 4, false}, {-1, 4, false}, {0, 4, true}};
  for (const auto& [max_to_keep, kept, keep_best] : kCases) {
    const TemporaryFolder folder;
    const SaverOptions options = {.max_to_keep = max_to_keep, .keep_best = keep_best};
    Scope scope;
    MakeVariable(scope, Constant(scope, 1.0F), {.name = "a"});
    Saver saver(scope, SavedByName(scope), options), later(scope, SavedByName(scope), options);
    Program program(scope, OpenSession(GetParam()));
    program.Run(InitializeAll(scope));
    std::vector<std::string> all, there;
    for (int step = 0; step < kSaves; ++step) {
      all.push_back(saver.Save(program, folder.path() + "/m", {.step = step, .score = -step}));
    }
    for (const std::string& prefix : all) {
      if (CheckpointExists(Files(), prefix)) there.push_back(prefix);
    }
    EXPECT_EQ(there, std::vector<std::string>(all.end() - kept, all.end())) << max_to_keep;
    EXPECT_EQ(saver.checkpoints(), there) << max_to_keep;
    EXPECT_EQ(ReadCheckpointState(Files(), folder.path())->all, there) << max_to_keep;
    later.RestoreLatest(program, folder.path());
    EXPECT_EQ(later.checkpoints(), there) << max_to_keep;
  }
}

// At 0, 50, 100, … minutes. The hours are those of the clock, and do not begin anew with what stayed.
TEST_P(SaverKeeps, OneOfEachHourIsKept) {
  double now = 0;
  MakeVariable(scope_, Float(1), {.name = "a"});
  Saver saver(scope_, SavedByName(scope_), {.max_to_keep = 1, .keep_every_n_hours = 1, .now = [&now] { return now; }});
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  std::vector<bool> are_there;
  for (int step = 0; step < 5; ++step, now += 3000) saver.Save(program, Path("m"), {.step = step});
  for (int step = 0; step < 5; ++step) are_there.push_back(CheckpointExists(Files(), Path(Str("m-", step))));
  EXPECT_THAT(are_there, ElementsAre(false, false, true, true, true));
  EXPECT_EQ(ReadCheckpointState(Files(), folder_.path())->last_preserved_time, 7200);
}

// A run that goes on takes up when each was saved, not when it was found.
TEST_P(SaverKeeps, TimesOfEarlierSaversStay) {
  double now = 1000;
  MakeVariable(scope_, Float(1), {.name = "a"});
  const SaverOptions options = {.max_to_keep = 2, .keep_every_n_hours = 1, .now = [&now] { return now; }};
  Saver first(scope_, SavedByName(scope_), options);
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  for (const int step : {1, 2}) {
    first.Save(program, Path("m"), {.step = step});
    now += 1000;
  }
  Saver later(scope_, SavedByName(scope_), options);
  now += 10000;
  later.RestoreLatest(program, folder_.path());
  later.Save(program, Path("m"), {.step = 3});
  EXPECT_THAT(ReadCheckpointState(Files(), folder_.path())->times, ElementsAre(2000, now));
  EXPECT_FALSE(CheckpointExists(Files(), Path("m-1"))) << "it was of the first hour";
}

TEST_P(SaverKeeps, TheBestAreKeptWhereAsked) {
  MakeVariable(scope_, Float(1), {.name = "a"});
  Saver saver(scope_, SavedByName(scope_), {.max_to_keep = 2, .keep_best = true});
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  const double scores[] = {0.5, 0.9, 0.7, 0.1};
  for (int step = 0; step < 4; ++step) saver.Save(program, Path("m"), {.step = step, .score = scores[step]});
  EXPECT_THAT(saver.checkpoints(), ElementsAre(Path("m-1"), Path("m-3")));
}

// Two of the scores are those of savers before; the first checkpoint of the last one has none, and goes at once.
TEST_P(SaverKeeps, TheBestAreKeptByLaterSaversToo) {
  MakeVariable(scope_, Float(1), {.name = "a"});
  const SaverOptions options = {.max_to_keep = 2, .keep_best = true};
  Saver first(scope_, SavedByName(scope_), options);
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  first.Save(program, Path("m"), {.step = 1, .score = 0.9});
  first.Save(program, Path("m"), {.step = 2, .score = 0.1});
  Saver second(scope_, SavedByName(scope_), options);
  second.RestoreLatest(program, folder_.path());
  second.Save(program, Path("m"), {.step = 3, .score = 0.5});
  EXPECT_THAT(second.checkpoints(), ElementsAre(Path("m-1"), Path("m-3")));
  Saver third(scope_, SavedByName(scope_), options);
  third.RestoreLatest(program, folder_.path());
  third.Save(program, Path("m"), {.step = 4, .score = std::nan("")});
  EXPECT_THAT(third.checkpoints(), ElementsAre(Path("m-1"), Path("m-4")));
  third.Save(program, Path("m"), {.step = 5, .score = 0.7});
  EXPECT_THAT(third.checkpoints(), ElementsAre(Path("m-1"), Path("m-5")));
  EXPECT_EQ(Files().Read(Path("checkpoint.scores")), "0.9 m-1\n0.7 m-5\n");
  Files().Write(Path("checkpoint.scores"), "good m-1\n0.7\n0.8 m-5\n");
  third.RestoreLatest(program, folder_.path());
  third.Save(program, Path("m"), {.step = 6, .score = 0.1});
  EXPECT_THAT(third.checkpoints(), ElementsAre(Path("m-5"), Path("m-6"))) << "the first one's score cannot be read";
}

// Runs of 20 minutes, each of which saves twice. With hours that begin anew no checkpoint would ever be old enough.
TEST_P(SaverKeeps, OneOfEachHourHoweverShortTheRuns) {
  double now = 1000;
  MakeVariable(scope_, Float(1), {.name = "a"});
  const SaverOptions options = {.max_to_keep = 1, .keep_every_n_hours = 1, .now = [&now] { return now; }};
  const double start = now;
  constexpr int kRuns = 8, kSaves = 2 * kRuns;
  for (int run = 0; run < kRuns; ++run) {
    Saver saver(scope_, SavedByName(scope_), options);
    Program program = NewProgram();
    program.Run(InitializeAll(scope_));
    saver.RestoreLatest(program, folder_.path());
    for (int step = 2 * run; step < 2 * run + 2; ++step, now += 600) saver.Save(program, Path("m"), {.step = step});
  }
  EXPECT_THAT(Steps(kSaves), ElementsAre(7, 13, kSaves - 1)) << "the first after one hour, and after two";
  EXPECT_EQ(ReadCheckpointState(Files(), folder_.path())->last_preserved_time, start + 2 * 3600);
}

// A hundred hours lie between two runs: of the first checkpoints after them, one stays.
TEST_P(SaverKeeps, OneAfterALongPause) {
  double now = 1000;
  MakeVariable(scope_, Float(1), {.name = "a"});
  const SaverOptions options = {.max_to_keep = 1, .keep_every_n_hours = 1, .now = [&now] { return now; }};
  Saver first(scope_, SavedByName(scope_), options);
  Program program = NewProgram();
  program.Run(InitializeAll(scope_));
  first.Save(program, Path("m"), {.step = 0});
  now += 100 * 3600 - 1800;
  Saver later(scope_, SavedByName(scope_), options);
  Program resumed = NewProgram();
  later.RestoreLatest(resumed, folder_.path());
  for (int step = 1; step < 6; ++step, now += 60) later.Save(resumed, Path("m"), {.step = step});
  EXPECT_THAT(Steps(6), ElementsAre(1, 5));
}

// A clock that was put back, and a state file that tells no hours, as TensorFlow's Saver writes it.
TEST_P(SaverKeeps, TheHoursWhateverTheStateFileSays) {
  double now = 10000;
  MakeVariable(scope_, Float(1), {.name = "a"});
  const SaverOptions options = {.max_to_keep = 1, .keep_every_n_hours = 1, .now = [&now] { return now; }};
  for (const double told : {1e9, 0.0}) {
    Saver saver(scope_, SavedByName(scope_), options);
    Program program = NewProgram();
    program.Run(InitializeAll(scope_));
    saver.Save(program, Path("m"), {.step = 0});
    const std::string latest = Path("m-0");
    WriteCheckpointState(Files(), folder_.path(),
                         {.latest = latest, .all = {latest}, .times = {told}, .last_preserved_time = told});
    saver.RestoreLatest(program, folder_.path());
    const double start = now;
    for (int step = 1; step < 6; ++step) {
      now = start + 1200 * step;
      saver.Save(program, Path("m"), {.step = step});
    }
    EXPECT_THAT(Steps(6), ElementsAre(4, 5)) << told;
    for (const int step : Steps(6)) RemoveCheckpoint(Files(), Path(Str("m-", step)));
  }
}

PLUMB_ON_EACH_BACKEND(SaverKeeps);

}  // namespace
}  // namespace plumb

// A saver that ends at any change of a file, as by a crash: what was saved before is there, and nothing is there in
// part.
//
// The changes that count are those that take effect at once, a file renamed and a file removed. This program's own
// renameat and unlinkat, which the linker prefers to those of the library, end a forked process before the one asked
// for.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/program.h"
#include "client/testing.h"
#include "client/training/restore_graph.h"
#include "client/training/saver.h"
#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/checkpoint_state.h"
#include "spec/checkpoint/reserved.h"
#include "spec/files/temporary_folder.h"

namespace {

constexpr int kCrashed = 7;
int changes_left = -1;  // until the crash; below 0: none

void CountChange() {
  if (changes_left == 0) _exit(kCrashed);
  if (changes_left > 0) --changes_left;
}

}  // namespace

extern "C" int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  CountChange();
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
}
extern "C" int unlinkat(int folder, const char* name, int flags) noexcept {
  CountChange();
  return static_cast<int>(syscall(SYS_unlinkat, folder, name, flags));
}

namespace plumb {
namespace {

struct Way {
  std::string name;
  SaverOptions options;
  bool has_more = false;  // than variables
};

// Two variables on two devices, whose values are the step's number.
struct Counters {
  explicit Counters(const Way& way)
      : first(MakeVariable(scope, Constant(scope, 0.0F), {.name = "first", .device = "/device:CPU:0"})),
        second(MakeVariable(scope, Constant(scope, 0.0F), {.name = "second", .device = "/device:CPU:1"})),
        next(scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}})),
        assignments{scope.Add("Assign", {first.ref(), next}), scope.Add("Assign", {second.ref(), next})},
        saver(scope, SavedByName(scope), way.options),
        program(scope, OpenSession("reference", {.cpu_devices = 2})) {}

  Scope scope;
  Variable first, second;
  Output next;
  std::vector<NodeId> assignments;
  Saver saver;
  Program program;
};

// Saves steps [from, to], 40 minutes apart and each worse than the one before.
void SaveSteps(const std::string& folder, int from, int to, Way way) {
  int step = from;
  way.options.now = [&step] { return 2400.0 * step; };
  Counters counters(way);
  counters.program.Run(InitializeAll(counters.scope));
  counters.saver.RestoreLatest(counters.program, folder);
  for (; step <= to; ++step) {
    for (const NodeId assign : counters.assignments) {
      counters.program.Run(assign, {{counters.next, MakeScalar(static_cast<float>(step))}});
    }
    SaveOptions options = {.step = step};
    if (way.options.keep_best) options.score = -step;
    if (way.has_more) {
      options.beside = [&] {
        const std::string part = PartOfCheckpoint(Str(folder, "/m-", step), "state");
        BundleWriter writer(Files(), part);
        AddReserved(writer, "", {{"step", MakeScalar(static_cast<float>(step))}});
        writer.Finish();
        return std::vector<std::string>{part};
      };
    }
    counters.saver.Save(counters.program, folder + "/m", options);
  }
}

// The step that both variables are of, and what is beside them; -1: none.
float Restored(const std::string& folder, const Way& way) {
  Counters counters(way);
  const auto prefix = counters.saver.RestoreLatest(counters.program, folder);
  if (!prefix) return -1;
  const float step = counters.program.Fetch(counters.first).scalar<float>();
  EXPECT_EQ(counters.program.Fetch(counters.second).scalar<float>(), step) << way.name;
  if (way.has_more) {
    EXPECT_EQ(ReadReserved(Files(), *prefix, "").at("step").scalar<float>(), step) << way.name;
  }
  return step;
}

// What lies in the folder is whole, and what its state file names lies there.
void ExpectNoneInPart(const std::string& folder) {
  for (const std::string& name : Files().List(folder)) {
    if (!name.ends_with(".index")) continue;
    BundleReader reader(Files(), folder + "/" + name.substr(0, name.size() - 6));
    const auto on_heap = [](DType type, const Shape& shape) { return Tensor(type, shape); };
    for (const char* const variable : {"first", "second"}) {
      EXPECT_NO_THROW(reader.Read(reader.Find(variable), on_heap)) << name;
    }
  }
  const auto state = ReadCheckpointState(Files(), folder);
  ASSERT_TRUE(state);
  for (const std::string& prefix : state->all) EXPECT_TRUE(CheckpointExists(Files(), prefix)) << prefix;
}

// Whether the forked process came to the change at which it was to end.
bool CrashesAt(int change, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    changes_left = change;
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "by signal " << WTERMSIG(status);
  return WEXITSTATUS(status) == kCrashed;
}

class SaverCrash : public ::testing::TestWithParam<Way> {};

TEST_P(SaverCrash, AtAnyChangeOfAFileTheCheckpointBeforeIsThereAndNoneInPart) {
  const Way& way = GetParam();
  int changes = 0;
  for (bool crashed = true; crashed; ++changes) {
    SCOPED_TRACE(Str("a crash at change ", changes));
    const TemporaryFolder folder;
    SaveSteps(folder.path(), 1, 2, way);
    crashed = CrashesAt(changes, [&] { SaveSteps(folder.path(), 3, 3, way); });
    const float step = Restored(folder.path(), way);
    EXPECT_TRUE(step == 3 || (crashed && step == 2)) << "step " << step;
    ExpectNoneInPart(folder.path());
    SaveSteps(folder.path(), 4, 4, way);  // what the crash has left is in nobody's way
    EXPECT_EQ(Restored(folder.path(), way), 4);
    if (way.options.keep_best) {
      EXPECT_TRUE(CheckpointExists(Files(), folder.path() + "/m-1")) << "the best stays";
    }
  }
  EXPECT_GT(changes, 3) << "data, index and state were to be renamed";
}

INSTANTIATE_TEST_SUITE_P(All, SaverCrash,
                         ::testing::Values(Way{"OneKept", {.max_to_keep = 1}}, Way{"TwoKept", {.max_to_keep = 2}},
                                           Way{"OneOfEachHourKept", {.max_to_keep = 1, .keep_every_n_hours = 1}},
                                           Way{"TheBestKept", {.max_to_keep = 2, .keep_best = true}},
                                           Way{"Sharded", {.max_to_keep = 1, .sharded = true}},
                                           Way{"MoreThanVariables", {.max_to_keep = 1}, true},
                                           Way{"MoreThanVariablesSharded", {.max_to_keep = 1, .sharded = true}, true}),
                         [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace plumb

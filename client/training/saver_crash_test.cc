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

// Saves steps [first, last] of a counter that is the step's number; `path` has no step where it is saved again and
// again under one name.
void SaveSteps(const std::string& folder, int first, int last, const SaverOptions& options) {
  Scope scope;
  const Variable count = MakeVariable(scope, Constant(scope, 0.0F), {.name = "count"});
  const Output next = scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}});
  const NodeId assign = scope.Add("Assign", {count.ref(), next});
  Saver saver(scope, SavedByName(scope), options);
  Program program(scope, OpenSession("reference"));
  program.Run(InitializeAll(scope));
  saver.RestoreLatest(program, folder);
  for (int step = first; step <= last; ++step) {
    program.Run(assign, {{next, MakeScalar(static_cast<float>(step))}});
    saver.Save(program, folder + "/m", {.step = step});
  }
}

float Restored(const std::string& folder, const SaverOptions& options) {
  Scope scope;
  const Variable count = MakeVariable(scope, Constant(scope, 0.0F), {.name = "count"});
  Saver saver(scope, SavedByName(scope), options);
  Program program(scope, OpenSession("reference"));
  if (!saver.RestoreLatest(program, folder)) return -1;
  return program.Fetch(count).scalar<float>();
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

TEST(SaverCrash, AtAnyChangeOfAFileTheCheckpointBeforeIsThereAndNoneInPart) {
  for (const int kept : {1, 2}) {
    const SaverOptions options = {.max_to_keep = kept};
    int changes = 0;
    for (bool crashed = true; crashed; ++changes) {
      const TemporaryFolder folder;
      SaveSteps(folder.path(), 1, 2, options);
      crashed = CrashesAt(changes, [&] { SaveSteps(folder.path(), 3, 3, options); });
      const float step = Restored(folder.path(), options);
      EXPECT_TRUE(step == 3 || (crashed && step == 2)) << "step " << step << " after a crash at change " << changes;
      for (const std::string& name : Files().List(folder.path())) {
        if (!name.ends_with(".index")) continue;
        BundleReader reader(Files(), folder.path() + "/" + name.substr(0, name.size() - 6));
        const auto on_heap = [](DType type, const Shape& shape) { return Tensor(type, shape); };
        EXPECT_NO_THROW(reader.Read(reader.Find("count"), on_heap)) << name << " after a crash at change " << changes;
      }
    }
    EXPECT_GT(changes, 3) << "data, index and state were to be renamed";
  }
}

}  // namespace
}  // namespace plumb

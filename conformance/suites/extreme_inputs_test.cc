// Numbers at the ends of their types, as indices, sizes, axes and attributes: both sides refuse them with one code or
// answer alike, and nobody crashes, takes more memory than there is, or counts up to them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "conformance/process/forked.h"
#include "conformance/suites/trial_folders_testing.h"
#include "conformance/suites/wrong_cases_testing.h"
#include "conformance/suites/wrong_judge_testing.h"
#include "spec/core/little_memory_testing.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kSeed = 5;
constexpr auto kSilence = std::chrono::seconds(30);
constexpr char kDiffers[] = "differs: ";

// What fits into this beside what the process has is small: a result that counts up to an extreme does not. Threads
// would need some of it, too.
constexpr rlim_t kMemory = rlim_t{1} << 30;

// Says the number of each case before it is tried, and then what differs.
void Judge(const OpDef& op, const std::vector<SampledCase>& cases, size_t first, const TrialFolders& folders,
           const Answer& answer) {
  const LittleMemory memory(kMemory);
  for (size_t i = first; i < cases.size(); ++i) {
    answer(Str(i));
    folders.Empty();
    folders.EnterReference();
    Answers answers(MakeSingleNode(op, cases[i]));
    WrongJudge judge(op, answers, "cpu", {.threads = 1});
    judge.LetMemoryEnd();
    std::string difference = judge.Difference(folders);
    std::replace(difference.begin(), difference.end(), '\n', ' ');
    if (!difference.empty()) answer(kDiffers + difference);
  }
}

// What batches waits for a thread of its process, which a fork of it lacks, and is left out.
class ExtremesOf : public testing::TestWithParam<const char*> {};

TEST_P(ExtremesOf, AreRefusedOrAnsweredAlike) {
  const TemporaryTrialFolders folders;
  size_t tried = 0;
  for (const OpDef* op : OpsOf(GetParam())) {
    if (op->FindAttr("batch_timeout_micros") != nullptr) continue;
    const std::vector<SampledCase> cases = AllWrongInputs(*op, kSeed, ExtremeInputs);
    for (size_t next = 0; next < cases.size(); ++next) {
      const ForkedResult forked =
          RunForked([&](const Answer& answer) { Judge(*op, cases, next, *folders, answer); }, kSilence);
      for (const std::string& line : forked.answers) {
        if (!line.starts_with(kDiffers)) next = std::stoul(line);
        EXPECT_FALSE(line.starts_with(kDiffers)) << op->name << " on " << cases[next].label << "\n" << line;
      }
      EXPECT_EQ(forked.failure, "") << op->name << " on " << cases[next].label;
    }
    tried += cases.size();
  }
  RecordProperty("tried", static_cast<int>(tried));
}

// One suite for each family, as of other wrong inputs. Those that are left out have no integers but operands.
INSTANTIATE_TEST_SUITE_P(All, ExtremesOf,
                         testing::Values("array", "clustering", "convolution", "data_flow", "image", "linalg", "loss",
                                         "math", "matrix", "normalization", "optimizer", "parsing", "quantization",
                                         "ragged", "random", "reduction", "rnn", "set", "sparse", "spectral", "state",
                                         "string", "summary", "trees"),
                         [](const auto& family) { return std::string(family.param); });

}  // namespace
}  // namespace plumb::conformance

// Backends in shared libraries, before the court.
#include <gtest/gtest.h>

#include "backends/library/testing/testing.h"
#include "conformance/golden/opening.h"
#include "conformance/golden/run.h"
#include "conformance/suites/ops.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/record.h"

namespace plumb::conformance {
namespace {

using library::TestLibrary;

std::vector<OpResult> Tried(const std::string& backend, const OpsOptions& options) {
  return RunOps(FindBackend(backend), options, [](const OpResult&) {});
}
OpResult HostileOn(const std::string& filter) {
  const auto results = Tried(TestLibrary("hostile"),
                             {.filter = filter, .seed = 1, .rounds = 1, .silence = std::chrono::milliseconds(500)});
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
}

TEST(LibraryInTheCourt, ACrashOrAHangIsTheVerdictOnOneType) {
  for (const auto& [filter, end] :
       {std::pair("Neg/T=float32", "crashed: "), {"Square/T=float32", "hung: silent for 500 ms"}}) {
    const OpResult result = HostileOn(filter);
    EXPECT_EQ(result.outcome, Outcome::kFailed);
    EXPECT_EQ(result.gate, "crash");
    EXPECT_TRUE(result.detail.starts_with(end)) << result.detail;
    EXPECT_NE(result.reproduce.find("hostile.so --filter " + std::string(filter)), std::string::npos)
        << result.reproduce;
  }
}

TEST(LibraryInTheCourt, ACrashWhileItIsAskedForAKernelIsAVerdictToo) {
  EXPECT_EQ(HostileOn("Abs/T=float32").gate, "crash");
  EXPECT_NE(HostileOn("Sqrt/T=float32").detail.find("answered 7"), std::string::npos);
}

TEST(LibraryInTheCourt, RefusingWhatItDeclaresIsAFailure) {
  const OpResult refused = HostileOn("Relu/T=float32");
  EXPECT_EQ(refused.outcome, Outcome::kFailed);
  EXPECT_NE(refused.detail.find("refuses types that it declares"), std::string::npos) << refused.detail;
  EXPECT_EQ(HostileOn("Exp/T=float32").outcome, Outcome::kUnsupported);
}

TEST(LibraryInTheCourt, OtherValuesAreAFailure) {
  const OpResult other = HostileOn("Sign/T=float32");  // it answers {1, 2}
  EXPECT_EQ(other.outcome, Outcome::kFailed);
  EXPECT_EQ(other.gate, "type");
}

TEST(LibraryInTheCourt, OneThatCannotBeOpenedIsOneFailure) {
  for (const char* name : {"crashes_when_opened", "hangs_when_opened"}) {
    const auto results = Tried(TestLibrary(name), {.filter = "", .silence = std::chrono::milliseconds(500)});
    ASSERT_EQ(results.size(), 1u) << name;
    EXPECT_EQ(results[0].op, "opening");
    EXPECT_EQ(results[0].gate, "crash");
    EXPECT_TRUE(AttributesDrawn(results).missing.empty());
  }
  EXPECT_THROW(Tried(TestLibrary("other_version"), {}), Error);
}

TEST(LibraryInTheCourt, RecordedCasesGoOnWithTheOtherBackends) {
  const TemporaryFolder folder;
  RecordWriter(folder.path() + "/some.golden.gz", Compression::kGzip).Close();
  Ledger ledger;
  const GoldenOptions options{
      .folder = folder.path(), .backends = {TestLibrary("crashes_when_opened"), "reference"}, .worker = {}};
  const auto files = RunGolden(options, &ledger, [](const FileResults&) {});
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].file, "opening");
  EXPECT_EQ(TotalsOf(files).failed, 1);
  EXPECT_EQ(files[1].backend, "reference");
}

// What our own backend answers directly, it answers through the interface of libraries.
TEST(LibraryInTheCourt, OurOwnIsJudgedAsItIsDirectly) {
  for (const char* filter : {"Add/T=float32", "AddV2/T=string", "ConcatV2/T=int32*", "*VariableOp/dtype=float32"}) {
    const OpsOptions options{.filter = filter, .seed = 1, .rounds = 1};
    const auto directly = Tried("cpu", options), through = Tried(TestLibrary("own_cpu"), options);
    ASSERT_EQ(directly.size(), through.size()) << filter;
    for (size_t i = 0; i < directly.size(); ++i) {
      EXPECT_EQ(directly[i].outcome, through[i].outcome)
          << directly[i].op << " " << directly[i].type << ": " << through[i].detail;
      EXPECT_EQ(directly[i].compared, through[i].compared) << directly[i].op << " " << directly[i].type;
    }
  }
}

}  // namespace
}  // namespace plumb::conformance

#include "conformance/golden/tried_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"

namespace plumb::conformance {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::set<std::string> OpsIn(const std::string& source) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/a_test.cc", source);
  WriteFile(folder.path() + "/a.cc", R"(Run("AddN", {"x"});)");
  return OpsInTests(folder.path());
}

TEST(TriedOps, AreThoseThatTestsGiveInputs) {
  EXPECT_THAT(OpsIn(R"(Run("MatMul", {"x"});)"), ElementsAre("MatMul"));
  EXPECT_THAT(OpsIn("KernelCall{\n    \"Neg\", {x}}()"), ElementsAre("Neg"));
  EXPECT_THAT(OpsIn(R"(graph.Add("q // 1", "FIFOQueue", {}, types).Add("s", "QueueSize", {"q"});)"),
              ElementsAre("FIFOQueue", "QueueSize"));
  EXPECT_THAT(OpsIn(R"(harness.Run<float>("Conv2D", {x, y}))"), ElementsAre("Conv2D"));
}

// Quotes that are escaped end no text, and what looks like a comment there begins none.
TEST(TriedOps, AreFoundBehindTextsThatLookLikeComments) {
  EXPECT_THAT(OpsIn(R"re(x = "\" // "; Run("MatMul", {"x"});)re"), ElementsAre("MatMul"));
  EXPECT_THAT(OpsIn("x = 1;  // \"\nRun(\"Neg\", {x});"), ElementsAre("Neg"));
  EXPECT_THAT(OpsIn("x = '\"';\nRun(\"Abs\", {x});"), ElementsAre("Abs")) << "no text goes on in the next line";
  EXPECT_THAT(OpsIn("Run(\"Neg\", {x});  //"), ElementsAre("Neg"));
}

TEST(TriedOps, AreNotThoseThatAreOnlyMentioned) {
  for (const char* source : {
           R"(// Run("MatMul", {"x"});)",
           R"(x = 1;  // as Run("MatMul", {"x"}))",
           R"(for (const char* op : {"MatMul", "Neg"}))",
           R"(const Row rows[] = {{"MatMul", {1, 2}}, {"Neg", {1}}};)",
           R"(EXPECT_TRUE(GetOp("MatMul").samples.empty());)",
           R"(EXPECT_EQ(op, "MatMul");)",
           R"re("Run(MatMul, {x})")re",
       }) {
    EXPECT_THAT(OpsIn(source), IsEmpty()) << source;
  }
}

// What stands in tests of steps and sessions counts for the ops of passes alone.
TEST(TriedOps, OfPassesAreTriedInStepsAndSessions) {
  const TemporaryFolder root;
  for (const char* folder :
       {"conformance/golden/cases", "reference/ops", "reference/step", "fastpath/cpu", "backends"}) {
    std::filesystem::create_directories(root.path() + "/" + folder);
  }
  WriteFile(root.path() + "/reference/ops/a_test.cc", R"(Run("Neg", {"x"}))");
  WriteFile(root.path() + "/reference/step/a_test.cc",
            R"(graph.Add("s", "_SwitchN", {"x", "i"}).Add("m", "MatMul", {}))");
  WriteFile(root.path() + "/backends/a_test.cc", R"(MakeNode("r", "_HostRecv", {}))");
  const std::vector<std::string> untried = UntriedOps(root.path());
  for (const char* op : {"MatMul", "_Send", "_Arg"}) EXPECT_THAT(untried, Contains(op));
  for (const char* op : {"Neg", "_SwitchN", "_HostRecv"}) EXPECT_THAT(untried, Not(Contains(op)));
}

// An op that only our two implementations agree on may be wrong on both sides.
TEST(TriedOps, AreAllOpsOfTheCatalogue) {
  const char* root = std::getenv("PLUMB_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "run by ctest, or set PLUMB_SOURCE_DIR";
  EXPECT_THAT(UntriedOps(root), IsEmpty()) << "record a case, or compute a value by hand in a test beside the kernel";
}

}  // namespace
}  // namespace plumb::conformance

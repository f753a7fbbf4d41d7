#include "conformance/golden/tried_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "spec/formats/file.h"
#include "spec/formats/temporary_folder.h"

namespace plumb::conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TriedOps, AreThoseThatTestsNameAsTexts) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/a_test.cc", R"(Run("MatMul", {"x"}); // "Nothing", Conv2D)");
  WriteFile(folder.path() + "/a.cc", R"(Run("AddN"))");
  EXPECT_THAT(OpsInTests(folder.path()), ElementsAre("MatMul"));
}

// An op that only our two implementations agree on may be wrong on both sides.
TEST(TriedOps, AreAllOpsOfTheCatalogue) {
  const char* root = std::getenv("PLUMB_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "run by ctest, or set PLUMB_SOURCE_DIR";
  EXPECT_THAT(UntriedOps(root), IsEmpty()) << "record a case, or compute a value by hand in a test beside the kernel";
}

}  // namespace
}  // namespace plumb::conformance

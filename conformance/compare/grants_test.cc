// What the court grants an op is a decision: its class, and whether its shape rule counts. It stands in the op's row
// and in testdata/grants.txt, so that neither becomes laxer unseen. Ops of which nothing is granted may be left out.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

// As the rows write it: "Ulps(4, 0, 2)".
std::string Written(const Accuracy& accuracy) {
  const std::string ulps = Str(accuracy.ulps);
  switch (accuracy.kind) {
    case AccuracyClass::kExact:
      return accuracy.only_real ? "ExactIfReal()" : "Exact()";
    case AccuracyClass::kUlps:
      if (accuracy.scale_ulps == 0 && accuracy.narrow_ulps == 0.5) return "Ulps(" + ulps + ")";
      return Str("Ulps(", ulps, ", ", accuracy.scale_ulps, ", ", accuracy.narrow_ulps, ")");
    case AccuracyClass::kSummation:
      return "Summation()";
    case AccuracyClass::kComposed:
      return "Composed(" + ulps + ")";
    case AccuracyClass::kStatistical:
      return "Statistical(" + ulps + ")";
  }
  return "";
}

std::string Written(Strictness strictness) {
  switch (strictness) {
    case Strictness::kAsKernel:
      return "AsKernel";
    case Strictness::kStricterThanKernel:
      return "StricterThanKernel";
    case Strictness::kRepeatsDeclaration:
      return "RepeatsDeclaration";
  }
  return "";
}

std::string Written(const OpDef& op) { return Str(op.name, " ", Written(op.accuracy), " ", Written(op.strictness)); }

bool IsGrantedSomething(const OpDef& op) {
  return op.accuracy.kind != AccuracyClass::kExact || op.accuracy.only_real || op.strictness != Strictness::kAsKernel;
}

TEST(Grants, AreThoseThatWereDecided) {
  const char* root = std::getenv("PLUMB_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "run by ctest, or set PLUMB_SOURCE_DIR";
  std::ifstream file(Str(root, "/conformance/compare/testdata/grants.txt"));
  std::set<std::string> decided;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::string name = line.substr(0, line.find(' '));
    const OpDef* op = FindOp(name);
    ASSERT_NE(op, nullptr) << name;
    EXPECT_EQ(Written(*op), line) << "the row and the file disagree: whichever is right, write it in both";
    EXPECT_TRUE(decided.insert(name).second) << name << " stands there twice";
  }
  for (const OpDef* op : AllOps()) {
    EXPECT_TRUE(decided.contains(op->name) || !IsGrantedSomething(*op))
        << "testdata/grants.txt lacks the line: " << Written(*op);
  }
}

}  // namespace
}  // namespace plumb::conformance

// What the court grants an op is a decision: its class, and whether its shape rule counts. It stands in the op's row
// and in testdata/grants.txt, so that neither becomes laxer unseen.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
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

TEST(Grants, AreThoseThatWereDecided) {
  const char* root = std::getenv("PLUMB_SOURCE_DIR");
  ASSERT_NE(root, nullptr) << "run by ctest, or set PLUMB_SOURCE_DIR";
  std::ifstream file(Str(root, "/conformance/compare/testdata/grants.txt"));
  int known = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::string name = line.substr(0, line.find(' '));
    const OpDef* op = FindOp(name);
    ASSERT_NE(op, nullptr) << name;
    EXPECT_EQ(Str(name, " ", Written(op->accuracy), " ", Written(op->strictness)), line)
        << "the row and the file disagree: whichever is right, write it in both";
    ++known;
  }
  EXPECT_GT(known, 300);
}

}  // namespace
}  // namespace plumb::conformance

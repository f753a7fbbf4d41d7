#include "spec/graph/infer_attrs.h"

#include <gtest/gtest.h>

#include <vector>

#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

constexpr DType kString = DType::kString, kFloat = DType::kFloat, kInt64 = DType::kInt64;

AttrMap Inferred(const char* op, const std::vector<DType>& types, AttrMap attrs = {}) {
  InferAttrs(GetOp(op), types, attrs);
  return attrs;
}

TEST(InferAttrs, OneOpenLengthIsWhatTheOthersLeaveOver) {
  EXPECT_EQ(GetAttr<int64_t>(Inferred("AddN", {kFloat, kFloat, kFloat}), "N"), 3);
  EXPECT_EQ(GetAttr<DType>(Inferred("AddN", {kFloat, kFloat, kFloat}), "T"), kFloat);
  // Serialized, names, a sparse key and two dense keys, and a default for each of these.
  const std::vector<DType> types = {kString, kString, kString, kString, kString, kFloat, kInt64};
  const AttrMap attrs = Inferred("ParseExample", types, {{"Nsparse", 1}, {"Ndense", 2}});
  EXPECT_EQ(GetAttr<std::vector<DType>>(attrs, "Tdense"), (std::vector<DType>{kFloat, kInt64}));
}

// What is left could be divided between two of them in many ways.
TEST(InferAttrs, TwoOpenLengthsAreNotGuessed) {
  const std::vector<DType> types = {kString, kString, kString, kString, kString, kFloat, kInt64};
  EXPECT_THROW(Inferred("ParseExample", types), Error);
  EXPECT_THROW(Inferred("ParseExample", types, {{"Nsparse", 1}}), Error);
  EXPECT_THROW(Inferred("ParseExample", types, {{"Ndense", 2}}), Error);
}

TEST(InferAttrs, InputsDivideIntoArguments) {
  EXPECT_THROW(Inferred("Neg", {}), Error);
  EXPECT_THROW(Inferred("Neg", {kFloat, kFloat}), Error);
  EXPECT_THROW(Inferred("ParseExample", {kString, kString}, {{"Nsparse", 1}, {"Ndense", 0}}), Error);
}

}  // namespace
}  // namespace plumb

#include "spec/ops/traits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> OpsWith(Trait trait) {
  std::vector<std::string> ops;
  for (const OpDef* op : AllOps()) {
    if (Has(*op, trait)) ops.push_back(op->name);
  }
  return ops;
}

TEST(Traits, AreWordsBehindTheFlagsOfASignature) {
  EXPECT_EQ(ParseTrait("batches"), Trait::kBatches);
  EXPECT_EQ(ParseTrait("counts_turns"), Trait::kCountsTurns);
  EXPECT_EQ(ParseTrait("differentiates_body"), Trait::kDifferentiatesBody);
  EXPECT_EQ(ParseTrait("differentiates_first"), Trait::kDifferentiatesFirst);
  EXPECT_EQ(ParseTrait("may_be_singular"), Trait::kMayBeSingular);
  EXPECT_EQ(ParseTrait("meets_group"), Trait::kMeetsGroup);
  EXPECT_EQ(ParseTrait("names_target"), Trait::kNamesTarget);
  for (const char* word : {"", "stateful", "batch", "batches "}) EXPECT_FALSE(ParseTrait(word)) << word;
}

TEST(Traits, AreThoseOfTheRows) {
  EXPECT_THAT(OpsWith(Trait::kBatches), ElementsAre("BatchFunction"));
  EXPECT_THAT(OpsWith(Trait::kCountsTurns), ElementsAre("For"));
  EXPECT_THAT(OpsWith(Trait::kNamesTarget), ElementsAre("RemoteCall"));
  EXPECT_THAT(OpsWith(Trait::kDifferentiatesBody),
              ElementsAre("PartitionedCall", "StatefulPartitionedCall", "SymbolicGradient"));
  EXPECT_THAT(OpsWith(Trait::kDifferentiatesFirst),
              ElementsAre("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"));
  EXPECT_THAT(OpsWith(Trait::kMeetsGroup),
              ElementsAre("CollectiveBcastRecv", "CollectiveBcastSend", "CollectiveGather", "CollectiveReduce"));
  EXPECT_THAT(OpsWith(Trait::kMayBeSingular), testing::Contains("MatrixSolve"));
  EXPECT_THAT(OpsWith(Trait::kMayBeSingular), testing::Not(testing::Contains("MatMul")));
}

// A flag of TensorFlow's beside it stays one.
TEST(Traits, TakeNothingFromTheFlags) {
  EXPECT_TRUE(GetOp("RemoteCall").is_stateful);
  EXPECT_FALSE(GetOp("For").is_stateful);
}

TEST(Traits, OfAFunctionOfAGraphThereAreNone) {
  OpDef function = GetOp("RemoteCall");
  function.name = "MyRemoteCall";
  EXPECT_FALSE(Has(function, Trait::kNamesTarget));
}

TEST(Traits, AnythingElseBehindASignatureIsRefused) {
  EXPECT_THROW(ParseOpRow({.signature = "F() -> () stateful counts"}), Error);
  EXPECT_NO_THROW(ParseOpRow({.signature = "F() -> () stateful counts_turns"}));
}

}  // namespace
}  // namespace plumb

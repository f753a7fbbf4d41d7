#include "spec/ops/traits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "spec/ops/catalogue.h"
#include "spec/samples/sample.h"

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
  EXPECT_EQ(ParseTrait("adds"), Trait::kAdds);
  EXPECT_EQ(ParseTrait("batches"), Trait::kBatches);
  EXPECT_EQ(ParseTrait("counts_turns"), Trait::kCountsTurns);
  EXPECT_EQ(ParseTrait("differentiates_body"), Trait::kDifferentiatesBody);
  EXPECT_EQ(ParseTrait("differentiates_first"), Trait::kDifferentiatesFirst);
  EXPECT_EQ(ParseTrait("draws_numbers"), Trait::kDrawsNumbers);
  EXPECT_EQ(ParseTrait("gives_back"), Trait::kGivesBack);
  EXPECT_EQ(ParseTrait("hands_on"), Trait::kHandsOn);
  EXPECT_EQ(ParseTrait("may_be_singular"), Trait::kMayBeSingular);
  EXPECT_EQ(ParseTrait("meets_group"), Trait::kMeetsGroup);
  EXPECT_EQ(ParseTrait("names_target"), Trait::kNamesTarget);
  EXPECT_EQ(ParseTrait("sets"), Trait::kSets);
  EXPECT_EQ(ParseTrait("subtracts"), Trait::kSubtracts);
  EXPECT_EQ(ParseTrait("updates_rows"), Trait::kUpdatesRows);
  EXPECT_EQ(ParseTrait("updates_slices"), Trait::kUpdatesSlices);
  EXPECT_EQ(ParseTrait("updates_whole"), Trait::kUpdatesWhole);
  for (const Trait trait : {Trait::kAdds, Trait::kMeetsGroup, Trait::kUpdatesWhole}) {
    EXPECT_EQ(ParseTrait(TraitName(trait)), trait) << TraitName(trait);
  }
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

TEST(Traits, AreListedInTheirOrder) {
  EXPECT_THAT(TraitsOf(GetOp("AssignSub")), ElementsAre(Trait::kSubtracts, Trait::kUpdatesWhole));
  EXPECT_THAT(TraitsOf(GetOp("MatMul")), ElementsAre());
}

// What draws from a stream has the attributes that begin one, and keeps it; a queue that shuffles keeps more.
TEST(Traits, ThatDrawNumbersHaveSeedsAndState) {
  const auto leads = [](const ArgDef& arg) { return !arg.handle.empty(); };
  for (const OpDef* op : AllOps()) {
    const bool is_seeded = op->FindAttr("seed") != nullptr && op->FindAttr("seed2") != nullptr;
    const bool draws = is_seeded && op->is_stateful && std::none_of(op->outputs.begin(), op->outputs.end(), leads);
    EXPECT_EQ(Has(*op, Trait::kDrawsNumbers), draws) << op->name;
  }
}

// How the inputs of an update stand: who fills them goes by this.
TEST(Traits, OfUpdatesSayHowTheirInputsStand) {
  using enum Trait;
  for (const OpDef* op : AllOps()) {
    const int parts = Has(*op, kUpdatesWhole) + Has(*op, kUpdatesRows) + Has(*op, kUpdatesSlices);
    EXPECT_LE(parts, 1) << op->name;
    EXPECT_LE(Has(*op, kAdds) + Has(*op, kSets) + Has(*op, kSubtracts), parts) << op->name;
    if (parts == 0) continue;
    const ArgDef &variable = op->inputs.front(), &numbers = op->inputs.back();
    EXPECT_TRUE(variable.is_ref || variable.handle == "Variable") << op->name;
    EXPECT_FALSE(numbers.type_attr.empty()) << op->name;
    for (const SampledCase& sample : SampleInputs(*op, {}, /*seed=*/1)) {
      const Shape& shape = sample.inputs.front().shape();
      if (!Has(*op, kUpdatesWhole)) {
        EXPECT_EQ(op->inputs.size(), 3) << op->name;
        EXPECT_TRUE(IsInteger(sample.inputs[1].dtype())) << op->name;
        continue;
      }
      for (size_t i = 1; i + 1 < op->inputs.size(); ++i) EXPECT_EQ(sample.inputs[i].shape(), Shape()) << op->name;
      const auto* const validates =
          sample.attrs.contains("validate_shape") ? sample.attrs.at("validate_shape").Get<bool>() : nullptr;
      const bool fits = sample.inputs.back().shape() == shape;
      EXPECT_TRUE(fits || (validates != nullptr && !*validates)) << op->name;
    }
  }
}

// What hands on or gives back does so with values of the types that came in.
TEST(Traits, OfAliasesSayWhatComesOut) {
  EXPECT_THAT(OpsWith(Trait::kHandsOn), testing::IsSupersetOf({"Identity", "Reshape", "Pack", "Slice", "Sum", "Tile"}));
  EXPECT_THAT(OpsWith(Trait::kHandsOn), testing::Not(testing::Contains("AddV2")));
  EXPECT_THAT(OpsWith(Trait::kGivesBack), testing::IsSupersetOf({"StackPopV2", "TensorArrayReadV3", "QueueDequeueV2"}));
  for (const OpDef* op : AllOps()) {
    EXPECT_FALSE(Has(*op, Trait::kHandsOn) && (op->inputs.empty() || op->outputs.empty())) << op->name;
    if (!Has(*op, Trait::kGivesBack)) continue;
    EXPECT_FALSE(op->inputs.front().handle.empty() || op->outputs.empty()) << op->name;
    for (const SampledCase& sample : SampleInputs(*op, {}, /*seed=*/1)) EXPECT_FALSE(sample.StandsAlone()) << op->name;
  }
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

// Which ops the generators of programs with state reach: all rows with the traits that they draw by.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "property-tests/generators/handed_on.h"
#include "property-tests/generators/random_aliases.h"
#include "property-tests/generators/random_session.h"
#include "property-tests/generators/random_updates.h"
#include "property-tests/generators/updates.h"

namespace plumb::property {
namespace {

using ::testing::IsSupersetOf;

using Names = std::set<std::string>;

// The ops of the graphs that `draw` makes of many tapes.
template <class Draw>
Names OpsOf(int tapes, const Draw& draw) {
  std::mt19937_64 random(1);
  Names ops;
  for (int i = 0; i < tapes; ++i) {
    std::vector<uint64_t> words(400);
    for (uint64_t& word : words) word = random();
    Tape tape(std::move(words));
    const GraphDef graph = draw(tape);
    for (const NodeDef& node : graph.nodes) ops.insert(node.op);
  }
  return ops;
}

Names UpdateNames(std::initializer_list<bool> is_ref, DType dtype, std::initializer_list<UpdatedPart> parts,
                  UpdateKind kind) {
  Names names;
  for (const bool ref : is_ref) {
    for (const UpdatedPart part : parts) {
      for (const OpDef* op : UpdatesOf(ref, dtype, part, kind)) names.insert(op->name);
    }
  }
  return names;
}

Names NamesOf(std::span<const HandingRow> rows) {
  Names names;
  for (const HandingRow& row : rows) names.insert(row.op->name);
  return names;
}

constexpr std::initializer_list<bool> kBothForms = {true, false};
constexpr std::initializer_list<UpdatedPart> kBothParts = {UpdatedPart::kWhole, UpdatedPart::kRows};

TEST(DrawnOps, OfCommutingUpdatesAreAllThatSum) {
  const Names ops = OpsOf(400, [](Tape& tape) { return RandomCommutingUpdates(tape).graph; });
  const Names sums = UpdateNames(kBothForms, DType::kFloat, kBothParts, UpdateKind::kSum);
  EXPECT_THAT(sums, IsSupersetOf({"AssignAdd", "AssignSub", "AssignAddVariableOp", "AssignSubVariableOp",
                                  "ApplyGradientDescent", "ResourceApplyGradientDescent", "ScatterAdd", "ScatterSub",
                                  "ResourceScatterAdd", "ResourceScatterSub", "ScatterNdAdd", "ResourceScatterNdSub"}));
  EXPECT_THAT(ops, IsSupersetOf(sums));
  EXPECT_FALSE(ops.contains("ScatterMul"));
}

TEST(DrawnOps, OfSessionsAreAllUpdatesOfWholeVariables) {
  const Names ops = OpsOf(400, [](Tape& tape) { return RandomSteps(tape).graph; });
  const Names updates = UpdateNames(kBothForms, DType::kFloat, {UpdatedPart::kWhole}, UpdateKind::kAny);
  EXPECT_THAT(updates, IsSupersetOf({"Assign", "AssignAdd", "AssignVariableOp", "AssignAddVariableOp",
                                     "ApplyGradientDescent", "ResourceApplyProximalGradientDescent"}));
  EXPECT_THAT(ops, IsSupersetOf(updates));
}

TEST(DrawnOps, AmongAliasesAreAllThatHandOnOrGiveBackAndAllExactUpdates) {
  const Names ops = OpsOf(3000, [](Tape& tape) { return RandomAliases(tape).graph; });
  const Names hand_on = NamesOf(RowsThatHandOn()), give_back = NamesOf(RowsThatGiveBack());
  EXPECT_THAT(hand_on,
              IsSupersetOf({"Identity",      "StopGradient", "Reshape", "ExpandDims",  "Squeeze",
                            "CheckNumerics", "Cast",         "AddN",    "Pack",        "Tile",
                            "Sum",           "Transpose",    "Split",   "SplitV",      "Unpack",
                            "Slice",         "StridedSlice", "Bitcast", "BroadcastTo", "PlaceholderWithDefault"}));
  EXPECT_FALSE(hand_on.contains("Mean")) << "the mean of whole numbers is none";
  EXPECT_THAT(give_back, IsSupersetOf({"StackPopV2", "TensorArrayReadV3", "QueueDequeueV2"}));
  const Names updates = UpdateNames(kBothForms, DType::kFloat, kBothParts, UpdateKind::kExact);
  EXPECT_THAT(updates, IsSupersetOf({"Assign", "AssignAdd", "AssignSub", "ScatterAdd", "ApplyGradientDescent",
                                     "AssignAddVariableOp", "ScatterNdMax"}));
  EXPECT_FALSE(updates.contains("ScatterDiv"));
  for (const Names& drawn : {hand_on, give_back, updates}) EXPECT_THAT(ops, IsSupersetOf(drawn));
  EXPECT_TRUE(ops.contains("AddV2"));
}

// What is handed on are mostly aliases as they come: of as many elements as a sample asks for.
TEST(DrawnOps, AmongAliasesHaveCasesForTheSizesOfVariables) {
  std::mt19937_64 random(1);
  for (const int64_t elements : {16, 24, 64, 256}) {
    int fits = 0, drawn = 0;
    for (int i = 0; i < 300; ++i) {
      Tape tape({random(), random(), random()});
      const HandedCase handed = AnyHanded(tape, RowsThatHandOn(), elements, elements);
      drawn += handed.op != nullptr;
      fits += handed.op != nullptr && MostElements(*handed.sample) == elements;
    }
    EXPECT_GT(2 * fits, drawn) << elements;
    EXPECT_GT(2 * drawn, 300) << elements;
  }
}

}  // namespace
}  // namespace plumb::property

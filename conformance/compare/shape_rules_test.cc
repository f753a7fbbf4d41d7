// Law: the shape rules of the catalogue allow what the reference's kernels give. And a wrong rule is found.
#include "conformance/compare/shape_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/backends.h"
#include "conformance/suites/single_node.h"
#include "spec/files/working_folder_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/equivalence.h"

namespace plumb::conformance {
namespace {

using ::testing::HasSubstr;
using Shapes = std::vector<PartialShape>;

// One step of `op` on sampled inputs, seen by `observer`.
Status Observed(const OpDef& op, const SampledCase& sampled, std::function<void(const reference::NodeRun&)> observer) {
  const SingleNode single = MakeSingleNode(op, sampled);
  reference::ReferenceSession session;
  Status status = session.Extend(single.graph);
  reference::Mode mode;
  mode.observer = std::move(observer);
  for (const StepRequest* step : {&single.initialize, &single.run}) {
    const std::vector<reference::ValueFeed> feeds(step->feeds.begin(), step->feeds.end());
    std::vector<reference::Value> values;
    const bool empty = step->fetches.empty() && step->targets.empty();
    if (status.ok() && !empty) status = session.RunValues(feeds, step->fetches, step->targets, &values, mode);
  }
  return status;
}

// What the check says when the row is replaced by another one.
Status JudgedBy(const OpDef& op, const OpDef& mutant, const char* type_attr = "T") {
  ShapeRules rules;
  return Observed(op, SampleInputs(op, {{type_attr, DType::kFloat}}, 1).at(0), [&](const reference::NodeRun& run) {
    Node node = run.node;
    if (node.op == &op) node.op = &mutant;
    rules.Check({run.step_node, node, run.configuration, run.frame, run.iteration, run.dead, run.inputs, run.outputs});
  });
}
// The same of a row that claims the shapes of `pattern`.
Status JudgedWith(const char* name, const char* pattern) {
  OpDef mutant = GetOp(name);
  mutant.shape_fn = nullptr;
  mutant.shape_pattern = pattern;
  return JudgedBy(GetOp(name), mutant);
}

TEST(ShapeRules, AWrongRuleIsFound) {
  EXPECT_TRUE(JudgedWith("MatMul", "[m k] [k n] -> [m n]").ok());
  const Status transposed = JudgedWith("MatMul", "[m k] [k n] -> [n m]");
  EXPECT_EQ(transposed.code(), Code::kInternal);
  EXPECT_THAT(transposed.message(), HasSubstr("the shape rule of MatMul gives"));
  EXPECT_EQ(JudgedWith("MatMul", "[m k] [k n] -> [m n 1]").code(), Code::kInternal);
  const Status strict = JudgedWith("MatMul", "[m k] [m n] -> [m n]");
  EXPECT_THAT(strict.message(), HasSubstr("refuses what its kernel did"));
}

PartialShape OfProduct(const ShapeContext& c) { return {c.input(0).dim(0), c.input(1).dim(1)}; }

// Graphs are built before values are known, and before shapes are: a rule must not claim more then.
TEST(ShapeRules, AreAskedWithLessKnowledgeToo) {
  OpDef mutant = GetOp("MatMul");
  mutant.shape_fn = [](const ShapeContext& c) -> Shapes { return {OfProduct(c)}; };
  EXPECT_EQ(JudgedBy(GetOp("MatMul"), mutant).ToString(), "OK");
  mutant.shape_fn = [](const ShapeContext& c) -> Shapes {
    return {c.constant(0) == nullptr ? PartialShape{1} : OfProduct(c)};
  };
  EXPECT_EQ(JudgedBy(GetOp("MatMul"), mutant).code(), Code::kInternal) << "wrong where values are open";
  mutant.shape_fn = [](const ShapeContext& c) -> Shapes {
    return {c.input(0).has_rank() ? OfProduct(c) : PartialShape{1}};
  };
  EXPECT_EQ(JudgedBy(GetOp("MatMul"), mutant).code(), Code::kInternal) << "wrong where shapes are open";
}

TEST(ShapeRules, AreToldOfVariablesBehindHandles) {
  OpDef mutant = GetOp("ReadVariableOp");
  mutant.strictness = Strictness::kAsKernel;
  mutant.shape_fn = [](const ShapeContext& c) -> Shapes {
    const std::optional<VariableType> variable = c.variable(0);
    return {variable ? variable->shape : PartialShape::Unknown()};
  };
  EXPECT_EQ(JudgedBy(GetOp("ReadVariableOp"), mutant, "dtype").ToString(), "OK");
  mutant.shape_fn = [](const ShapeContext& c) -> Shapes {
    return {c.variable(0) ? PartialShape{1, 2, 3, 4, 5} : PartialShape::Unknown()};
  };
  EXPECT_EQ(JudgedBy(GetOp("ReadVariableOp"), mutant, "dtype").code(), Code::kInternal) << "wrong where it is known";
}

// R1: of the same container and name on two devices, these are two variables.
TEST(ShapeRules, TellVariablesApartByTheirDevices) {
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  const auto add = [&](const std::string& device, const std::string& number, const Tensor& value) {
    const AttrMap type = {{"dtype", DType::kFloat}};
    AttrMap handle = type, constant = type;
    handle["shape"] = PartialShape(value.shape());
    handle["shared_name"] = "same";
    constant["value"] = value;
    graph.nodes.push_back({"v" + number, "VarHandleOp", {}, device, handle, ""});
    graph.nodes.push_back({"c" + number, "Const", {}, device, constant, ""});
    graph.nodes.push_back({"set" + number, "AssignVariableOp", {"v" + number, "c" + number}, device, type, ""});
    graph.nodes.push_back({"read" + number, "ReadVariableOp", {"v" + number, "^set0", "^set1"}, device, type, ""});
  };
  add("/cpu:0", "0", Tensor(DType::kFloat, Shape({2})));
  add("/cpu:1", "1", Tensor(DType::kFloat, Shape({3, 1})));
  SessionOptions options;
  options.cpu_devices = 2;
  Oracle oracle(graph, Limits::kSound, options);
  std::vector<reference::Value> values;
  const Status status = oracle.Run({{}, {"read0", "read1"}, {}}, &values);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(values.at(0).tensor.shape(), Shape({2}));
  EXPECT_EQ(values.at(1).tensor.shape(), Shape({3, 1}));
}

TEST(ShapeRules, LeaveAPredicateThatIsNoScalarToItsSwitch) {
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  const Tensor both = MakeTensor<bool>({2}, {true, false});
  graph.nodes.push_back({"both", "Const", {}, "", {{"dtype", DType::kBool}, {"value", both}}, ""});
  graph.nodes.push_back({"loop", "LoopCond", {"both"}, "", {}, ""});
  graph.nodes.push_back({"branch", "Switch", {"both", "loop"}, "", {{"T", DType::kBool}}, ""});
  Oracle oracle(graph, Limits::kSound, SessionOptions());
  std::vector<reference::Value> values;
  EXPECT_EQ(oracle.Run({{}, {"loop"}, {}}, &values).code(), Code::kOk);
  EXPECT_EQ(oracle.Run({{}, {"branch:1"}, {}}, &values).code(), Code::kInvalidArgument);
}

// As TensorFlow's do.
TEST(ShapeRules, LeaveTheLastElementOfAListAsItIs) {
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  const auto constant = [&](const char* name, const Tensor& value) {
    graph.nodes.push_back({name, "Const", {}, "", {{"dtype", value.dtype()}, {"value", value}}, ""});
  };
  constant("elements", MakeVector<float>({1, 2}));
  constant("scalars", MakeVector<int32_t>({}));
  constant("pairs", MakeVector<int32_t>({2}));
  const AttrMap floats = {{"element_dtype", DType::kFloat}};
  AttrMap made = floats;
  made["shape_type"] = DType::kInt32;
  graph.nodes.push_back({"list", "TensorListFromTensor", {"elements", "scalars"}, "", made, ""});
  graph.nodes.push_back({"last", "TensorListPopBack", {"list", "pairs"}, "", floats, ""});
  Oracle oracle(graph, Limits::kSound, SessionOptions());
  std::vector<reference::Value> values;
  const Status status = oracle.Run({{}, {"last:1"}, {}}, &values);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(values.at(0).tensor.scalar<float>(), 2);
}

// Whether a handle goes in or comes out that leads to anything but a variable.
bool ConcernsAContainer(const OpDef& op) {
  const auto leads = [](const ArgDef& arg) { return LeadsSomewhere(arg) && arg.handle != "Variable"; };
  return std::any_of(op.inputs.begin(), op.inputs.end(), leads) ||
         std::any_of(op.outputs.begin(), op.outputs.end(), leads);
}

// With every shape and value known a rule leaves nothing open, but for these, as in TensorFlow: values that the rule
// does not count (Where, Unique, ListDiff, DynamicPartition, BroadcastGradientArgs, what CTC decodes, the pieces,
// characters and bytes of strings, what files hold, elements of sparse and ragged tensors and of sparse matrices, their
// orders, rows of segments and of batches), what a list knows of its elements and an attribute leaves open
// (OptionalGetValue), what only a GPU fills (FusedBatchNormV3), the rank of a variable (VariableShape), and older names
// of linear algebra, of which TensorFlow's registry says nothing. What stacks, tensor arrays, queues and tables give
// back hangs on what went in before, so their ops are left out, as are the handles of old stacks.
TEST(ShapeRules, AreExactWhenAllIsKnown) {
  const TemporaryWorkingFolder folder;  // where some ops write their files
  ShapeRules rules;
  for (const OpDef* op : AllOps()) {
    if (!CanSample(*op) || !IsImplemented("reference", op->name)) continue;
    for (const SampledCase& sampled : SampleInputs(*op, {}, 1)) {
      const Status status = Observed(*op, sampled, [&](const reference::NodeRun& run) { rules.Check(run); });
      EXPECT_NE(status.code(), Code::kInternal) << op->name << ", " << sampled.label << ": " << status.message();
    }
  }
  std::set<std::string> open = rules.open();
  std::erase_if(open, [](const std::string& op) { return ConcernsAContainer(GetOp(op)); });
  EXPECT_THAT(open, ::testing::ContainerEq(std::set<std::string>{"_ArrayToList",
                                                                 "_ListToArray",
                                                                 "AddManySparseToTensorsMap",
                                                                 "Batch",
                                                                 "BatchCholesky",
                                                                 "BatchCholeskyGrad",
                                                                 "BatchMatrixBandPart",
                                                                 "BatchMatrixDeterminant",
                                                                 "BatchMatrixDiag",
                                                                 "BatchMatrixDiagPart",
                                                                 "BatchMatrixInverse",
                                                                 "BatchMatrixSetDiag",
                                                                 "BatchMatrixSolve",
                                                                 "BatchMatrixSolveLs",
                                                                 "BatchMatrixTriangularSolve",
                                                                 "BatchSelfAdjointEig",
                                                                 "BatchSelfAdjointEigV2",
                                                                 "BatchSvd",
                                                                 "BroadcastGradientArgs",
                                                                 "BoostedTreesCalculateBestGainsPerFeature",
                                                                 "CSRSparseMatrixToSparseTensor",
                                                                 "DecodeWav",
                                                                 "OptionalGetValue",
                                                                 "CTCBeamSearchDecoder",
                                                                 "CTCGreedyDecoder",
                                                                 "CompositeTensorVariantToComponents",
                                                                 "ComputeAccidentalHits",
                                                                 "DecodeAndCropJpeg",
                                                                 "DecodeBmp",
                                                                 "DecodeGif",
                                                                 "DecodeImage",
                                                                 "DecodeJpeg",
                                                                 "DecodePng",
                                                                 "DecodeRaw",
                                                                 "DenseCountSparseOutput",
                                                                 "DenseToDenseSetOperation",
                                                                 "DenseToSparseSetOperation",
                                                                 "DeserializeManySparse",
                                                                 "DeserializeSparse",
                                                                 "DynamicPartition",
                                                                 "FusedBatchNormV3",
                                                                 "GetSessionTensor",
                                                                 "ListDiff",
                                                                 "MapPeek",
                                                                 "MapUnstage",
                                                                 "MapUnstageNoKey",
                                                                 "MatchingFiles",
                                                                 "NonMaxSuppression",
                                                                 "NonMaxSuppressionV2",
                                                                 "NonMaxSuppressionV3",
                                                                 "NonMaxSuppressionV4",
                                                                 "NonMaxSuppressionV5",
                                                                 "NonMaxSuppressionWithOverlaps",
                                                                 "OrderedMapPeek",
                                                                 "OrderedMapUnstage",
                                                                 "OrderedMapUnstageNoKey",
                                                                 "ParseExample",
                                                                 "ParseExampleV2",
                                                                 "ParseSequenceExample",
                                                                 "ParseSequenceExampleV2",
                                                                 "ParseSingleExample",
                                                                 "ParseSingleSequenceExample",
                                                                 "ParseTensor",
                                                                 "RaggedBincount",
                                                                 "RaggedCross",
                                                                 "RaggedGather",
                                                                 "RaggedRange",
                                                                 "RaggedTensorFromVariant",
                                                                 "RaggedTensorToTensor",
                                                                 "RecordInput",
                                                                 "Restore",
                                                                 "RestoreSlice",
                                                                 "RestoreV2",
                                                                 "SegmentMax",
                                                                 "SegmentMean",
                                                                 "SegmentMin",
                                                                 "SegmentProd",
                                                                 "SegmentSum",
                                                                 "SerializeManySparse",
                                                                 "SetSize",
                                                                 "Skipgram",
                                                                 "SparseAdd",
                                                                 "SparseCountSparseOutput",
                                                                 "SparseCross",
                                                                 "SparseCrossV2",
                                                                 "SparseFillEmptyRows",
                                                                 "SparseMatrixOrderingAMD",
                                                                 "SparseReduceMaxSparse",
                                                                 "SparseReduceSumSparse",
                                                                 "SparseSegmentMean",
                                                                 "SparseSegmentSqrtN",
                                                                 "SparseSegmentSum",
                                                                 "SparseSlice",
                                                                 "SparseSparseMaximum",
                                                                 "SparseSparseMinimum",
                                                                 "SparseSplit",
                                                                 "SparseToSparseSetOperation",
                                                                 "StagePeek",
                                                                 "StringNGrams",
                                                                 "StringSplit",
                                                                 "StringSplitV2",
                                                                 "TakeManySparseFromTensorsMap",
                                                                 "TensorListConcat",
                                                                 "TensorListConcatV2",
                                                                 "TensorListElementShape",
                                                                 "TensorListGather",
                                                                 "TensorListStack",
                                                                 "Unbatch",
                                                                 "UnbatchGrad",
                                                                 "UnicodeDecode",
                                                                 "UnicodeDecodeWithOffsets",
                                                                 "Unique",
                                                                 "UniqueV2",
                                                                 "UniqueWithCounts",
                                                                 "UniqueWithCountsV2",
                                                                 "Unstage",
                                                                 "VariableShape",
                                                                 "Where"}));
}

}  // namespace
}  // namespace plumb::conformance

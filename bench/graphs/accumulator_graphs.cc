// A graph for each op that collects tensors over steps, or keeps them for later ones: accumulators of gradients, and
// maps of sparse tensors.
#include "bench/graphs/named.h"

namespace plumb::bench {
namespace {

constexpr char kAccumulators[] = "data_flow";
constexpr int64_t kNumbers = 1000, kRows = 100, kWidth = 16;
constexpr int64_t kNever = int64_t{1} << 60;  // a step that no gradient is too old for
const AttrMap kOfFloats = {{"dtype", DType::kFloat}};

AttrMap Shaped(const PartialShape& shape) { return {{"dtype", DType::kFloat}, {"shape", shape}}; }

NodeId Take(Scope& scope, const std::string& op, const Output& accumulator) {
  return scope.Add(op, {accumulator, Constant(scope, kCalls)}, kOfFloats);
}

BenchGraph Applying() {
  Scope scope;
  const Output sum = scope.Call("ConditionalAccumulator", {}, Shaped({kNumbers}));
  const Output gradient = Floats(scope, {kNumbers}), step = Constant(scope, kNever);
  std::vector<NodeId> nodes = {Take(scope, "AccumulatorTakeGradient", sum)};
  for (int i = 0; i < kCalls; ++i) {
    nodes.push_back(scope.Add("AccumulatorApplyGradient", {sum, step, gradient}, kOfFloats));
  }
  return Named("AccumulatorApplyGradient", kAccumulators, scope, scope.Group(nodes), kCalls);
}

// Every gradient has a tenth of the rows, the others different ones.
BenchGraph ApplyingRows() {
  Scope scope;
  constexpr int64_t kParts = 10;
  const Output sum = scope.Call("SparseConditionalAccumulator", {}, Shaped({kRows * kParts, kWidth}));
  const Output rows = Floats(scope, {kRows, kWidth}), step = Constant(scope, kNever);
  const Output shape = Constant(scope, {kRows * kParts, kWidth});
  std::vector<NodeId> nodes = {Take(scope, "SparseAccumulatorTakeGradient", sum)};
  for (int64_t call = 0; call < kCalls; ++call) {
    const Output indices = Values<int64_t>(scope, kRows, [&](int64_t i) { return i * kParts + call % kParts; });
    nodes.push_back(scope.Add("SparseAccumulatorApplyGradient", {sum, step, indices, rows, shape},
                              {{"dtype", DType::kFloat}, {"has_known_shape", true}}));
  }
  return Named("SparseAccumulatorApplyGradient", kAccumulators, scope, scope.Group(nodes), kCalls);
}

BenchGraph AskingSum(const std::string& op, bool with_step) {
  Scope scope;
  std::vector<Output> inputs = {scope.Call("ConditionalAccumulator", {}, Shaped({kNumbers}))};
  if (with_step) inputs.push_back(Constant<int64_t>(scope, 5));
  return Beside(op, kAccumulators, scope, inputs);
}

constexpr int64_t kEach = 4;  // numbers of a sparse row
const AttrMap kMap = {{"T", DType::kFloat}, {"shared_name", std::string("map")}};

// So many rows, each with its numbers at every other place.
std::vector<Output> SparseRows(Scope& scope, int64_t rows) {
  Tensor indices(DType::kInt64, {rows * kEach, 2});
  for (int64_t i = 0; i < rows * kEach; ++i) {
    indices.mutable_data<int64_t>()[2 * i] = i / kEach;
    indices.mutable_data<int64_t>()[2 * i + 1] = i % kEach * 2;
  }
  return {Constant(scope, indices), Floats(scope, {rows * kEach}), Constant(scope, {rows, 2 * kEach})};
}

NodeId TakeKept(Scope& scope, const Output& handles) {
  return scope.Add("TakeManySparseFromTensorsMap", {handles},
                   {{"dtype", DType::kFloat}, {"shared_name", std::string("map")}});
}

BenchGraph KeepingRows() {
  Scope scope;
  const Output handles = scope.Call("AddManySparseToTensorsMap", SparseRows(scope, kNumbers), kMap);
  return Named("AddManySparseToTensorsMap", "sparse", scope, TakeKept(scope, handles), kNumbers);
}

BenchGraph KeepingEach() {
  Scope scope;
  const std::vector<Output> kept = SparseRows(scope, kRows);
  std::vector<Output> handles;
  for (int i = 0; i < kCalls; ++i) handles.push_back(scope.Call("AddSparseToTensorsMap", kept, kMap));
  return Named("AddSparseToTensorsMap", "sparse", scope, TakeKept(scope, scope.Call("Pack", handles)), kCalls);
}

}  // namespace

std::vector<BenchGraph> AccumulatorGraphs() {
  return {Applying(),
          ApplyingRows(),
          AskingSum("AccumulatorNumAccumulated", false),
          AskingSum("AccumulatorSetGlobalStep", true),
          KeepingRows(),
          KeepingEach()};
}

}  // namespace plumb::bench

// A graph for each op on what lives for a step and holds tensors: tensor arrays, stacks, lists, optionals.
#include "bench/graphs/named.h"

namespace plumb::bench {
namespace {

constexpr char kArrays[] = "data_flow";
constexpr int64_t kRows = 1000, kRow = 100;
const AttrMap kHoldsFloats = {{"dtype", DType::kFloat}}, kListOfFloats = {{"element_dtype", DType::kFloat}};

struct Array {
  Output handle, flow;
};
Array MakeArray(Scope& scope, int64_t size, bool reads_often = false) {
  const NodeId array = scope.Add("TensorArrayV3", {Constant(scope, static_cast<int32_t>(size))},
                                 {{"dtype", DType::kFloat}, {"clear_after_read", !reads_often}});
  return {OutputOf(scope, array, 0), OutputOf(scope, array, 1)};
}

Output Write(Scope& scope, const Array& array, int index, const Output& element, const Output& flow) {
  return scope.Call("TensorArrayWriteV3", {array.handle, Constant(scope, index), element, flow});
}

// Elements are written one after the other, as in a loop, and then read.
BenchGraph WritingEach() {
  Scope scope;
  const Array array = MakeArray(scope, kCalls);
  const Output element = Floats(scope, {kRow});
  Output flow = array.flow;
  for (int i = 0; i < kCalls; ++i) flow = Write(scope, array, i, element, flow);
  std::vector<NodeId> read;
  for (int i = 0; i < kCalls; ++i) {
    read.push_back(scope.Add("TensorArrayReadV3", {array.handle, Constant(scope, i), flow}, kHoldsFloats));
  }
  return Named("TensorArrayWriteV3", kArrays, scope, scope.Group(read), kCalls);
}

// The gradients of elements that were read twice: each is the sum of two.
BenchGraph AddingEach() {
  Scope scope;
  const Array array = MakeArray(scope, kCalls, true);
  const Output element = Floats(scope, {kRow});
  Output flow = array.flow;
  for (int i = 0; i < kCalls; ++i) flow = Write(scope, array, i, element, flow);
  const NodeId gradient = scope.Add("TensorArrayGradV3", {array.handle, flow}, {{"source", std::string("gradients")}});
  const Array sums = {OutputOf(scope, gradient, 0), OutputOf(scope, gradient, 1)};
  flow = sums.flow;
  for (int i = 0; i < 2 * kCalls; ++i) flow = Write(scope, sums, i % kCalls, element, flow);
  return Named("TensorArrayGradV3", kArrays, scope, flow.node(), kCalls);
}

Output Order(Scope& scope) {
  return Values<int32_t>(scope, kRows, [](int64_t i) { return static_cast<int32_t>(i * 7 % kRows); });
}

BenchGraph ScatteringRows() {
  Scope scope;
  const Array array = MakeArray(scope, kRows);
  const Output order = Order(scope);
  const Output flow =
      scope.Call("TensorArrayScatterV3", {array.handle, order, Floats(scope, {kRows, kRow}), array.flow});
  const NodeId gathered = scope.Add("TensorArrayGatherV3", {array.handle, order, flow}, kHoldsFloats);
  return Named("TensorArrayScatterV3", kArrays, scope, gathered, kRows);
}

// Pieces of one to three rows.
Output Lengths(Scope& scope) {
  return Values<int64_t>(scope, kRows / 2, [](int64_t i) { return 1 + (i % 2) * 2; });
}

BenchGraph SplittingRows() {
  Scope scope;
  const Array array = MakeArray(scope, kRows / 2);
  const Output rows = Floats(scope, {kRows, kRow});
  const Output flow = scope.Call("TensorArraySplitV3", {array.handle, rows, Lengths(scope), array.flow});
  const NodeId joined = scope.Add("TensorArrayConcatV3", {array.handle, flow}, kHoldsFloats);
  return Named("TensorArraySplitV3", kArrays, scope, joined, kRows);
}

BenchGraph AskingArray() {
  Scope scope;
  const Array array = MakeArray(scope, kRows);
  return Beside("TensorArraySizeV3", kArrays, scope, {array.handle, array.flow});
}

BenchGraph Piling() {
  Scope scope;
  const AttrMap of_floats = {{"elem_type", DType::kFloat}};
  const Output stack = scope.Call("StackV2", {Constant(scope, -1)}, of_floats), element = Floats(scope, {kRow});
  ChainBuilder builder(scope);
  for (int i = 0; i < kCalls; ++i) builder.Add("StackPushV2", {stack, element});
  for (int i = 0; i < kCalls; ++i) builder.Add("StackPopV2", {stack}, of_floats);
  return Named("StackPushV2", kArrays, scope, builder.last(), kCalls);
}

Output Shapeless(Scope& scope) { return Constant(scope, -1); }

BenchGraph PushingBack() {
  Scope scope;
  const Output shape = Shapeless(scope), element = Floats(scope, {kRow});
  Output list = scope.Call("EmptyTensorList", {shape, Constant(scope, -1)}, kListOfFloats);
  for (int i = 0; i < kCalls; ++i) list = scope.Call("TensorListPushBack", {list, element});
  for (int i = 0; i < kCalls; ++i) list = scope.Call("TensorListPopBack", {list, shape}, kListOfFloats);
  return Named("TensorListPushBack", kArrays, scope, list.node(), kCalls);
}

BenchGraph SettingItems() {
  Scope scope;
  const Output shape = Shapeless(scope), element = Floats(scope, {kRow});
  Output list = scope.Call("TensorListReserve", {shape, Constant(scope, kCalls)}, kListOfFloats);
  for (int i = 0; i < kCalls; ++i) list = scope.Call("TensorListSetItem", {list, Constant(scope, i), element});
  std::vector<NodeId> items;
  for (int i = 0; i < kCalls; ++i) {
    items.push_back(scope.Add("TensorListGetItem", {list, Constant(scope, i), shape}, kListOfFloats));
  }
  return Named("TensorListSetItem", kArrays, scope, scope.Group(items), kCalls);
}

Output ListOfRows(Scope& scope) {
  return scope.Call("TensorListFromTensor", {Floats(scope, {kRows, kRow}), Shapeless(scope)});
}

BenchGraph StackingList() {
  Scope scope;
  const NodeId stacked = scope.Add("TensorListStack", {ListOfRows(scope), Shapeless(scope)}, kListOfFloats);
  return Named("TensorListStack", kArrays, scope, stacked, kRows);
}

BenchGraph GatheringList() {
  Scope scope;
  const Output order = Order(scope), shape = Shapeless(scope);
  const Output list =
      scope.Call("TensorListScatterV2", {Floats(scope, {kRows, kRow}), order, shape, Constant<int32_t>(scope, kRows)});
  const NodeId gathered = scope.Add("TensorListGather", {list, order, shape}, kListOfFloats);
  return Named("TensorListScatterV2", kArrays, scope, gathered, kRows);
}

BenchGraph JoiningList() {
  Scope scope;
  const Output shape = Constant(scope, {-1, static_cast<int32_t>(kRow)});
  const Output list = scope.Call("TensorListSplit", {Floats(scope, {kRows, kRow}), shape, Lengths(scope)});
  const Output none = Constant(scope, Zeros(DType::kInt64, {0}));
  const NodeId joined = scope.Add("TensorListConcatV2", {list, shape, none}, kListOfFloats);
  return Named("TensorListSplit", kArrays, scope, joined, kRows);
}

using More = std::function<std::vector<Output>(Scope&)>;

// A list that stays as it is, and more inputs: each call gives another list, or what is asked.
BenchGraph OnList(const std::string& op, const More& more, const AttrMap& attrs = {}) {
  Scope scope;
  std::vector<Output> inputs = {ListOfRows(scope)};
  for (const Output& input : more(scope)) inputs.push_back(input);
  return Beside(op, kArrays, scope, inputs, attrs);
}

std::vector<Output> NoMore(Scope&) { return {}; }
std::vector<Output> AnotherList(Scope& scope) { return {ListOfRows(scope)}; }
std::vector<Output> HalfTheSize(Scope& scope) { return {Constant<int32_t>(scope, kRows / 2)}; }
std::vector<Output> RowsInOrder(Scope& scope) { return {Floats(scope, {kRows, kRow}), Order(scope)}; }

BenchGraph PushingBatches() {
  Scope scope;
  const Output shape = Shapeless(scope), rows = Floats(scope, {kCalls, kRow});
  const Output empty = scope.Call("EmptyTensorList", {shape, Constant(scope, -1)}, kListOfFloats);
  Output lists = scope.Call("Pack", std::vector<Output>(kCalls, empty));
  for (int i = 0; i < kCalls; ++i) lists = scope.Call("TensorListPushBackBatch", {lists, rows});
  return Named("TensorListPushBackBatch", kArrays, scope, lists.node(), kCalls);
}

BenchGraph Wrapping() {
  Scope scope;
  const std::vector<DType> types = {DType::kFloat};
  const std::vector<PartialShape> shapes = {PartialShape({kRow})};
  Output element = Floats(scope, {kRow});
  for (int i = 0; i < kCalls; ++i) {
    const Output optional = scope.Call("OptionalFromValue", {element}, {{"Toutput_types", types}});
    element = scope.Call("OptionalGetValue", {optional}, {{"output_types", types}, {"output_shapes", shapes}});
  }
  return Named("OptionalFromValue", kArrays, scope, element.node(), kCalls);
}

// The metadata say that there are two components.
BenchGraph WrappingSeveral() {
  Scope scope;
  const AttrMap attrs = {{"metadata", std::string("\n\2\10\2")}, {"Tcomponents", std::vector<DType>(2, DType::kFloat)}};
  Output element = Floats(scope, {kRow});
  for (int i = 0; i < kCalls; ++i) {
    const Output composed = scope.Call("CompositeTensorVariantFromComponents", {element, element}, attrs);
    element = OutputOf(scope, scope.Add("CompositeTensorVariantToComponents", {composed}, attrs), 0);
  }
  return Named("CompositeTensorVariantFromComponents", kArrays, scope, element.node(), kCalls);
}

// By Snappy, a megabyte that is easily compressed.
BenchGraph Compressing() {
  Scope scope;
  const std::vector<DType> types = {DType::kFloat};
  const std::vector<PartialShape> shapes = {PartialShape::Unknown()};
  const Output numbers =
      Values<float>(scope, 1 << 18, [](int64_t i) { return static_cast<float>(i / 16 * 7919 % 1000); });
  const Output compressed = scope.Call("CompressElement", {numbers}, {{"input_types", types}});
  const NodeId back =
      scope.Add("UncompressElement", {compressed}, {{"output_types", types}, {"output_shapes", shapes}});
  return Named("CompressElement", kArrays, scope, back);
}

}  // namespace

std::vector<BenchGraph> TensorArrayGraphs() {
  return {WritingEach(),
          AddingEach(),
          ScatteringRows(),
          SplittingRows(),
          AskingArray(),
          Piling(),
          PushingBack(),
          SettingItems(),
          StackingList(),
          GatheringList(),
          JoiningList(),
          OnList("TensorListLength", NoMore),
          OnList("TensorListElementShape", NoMore, {{"shape_type", DType::kInt32}}),
          OnList("TensorListResize", HalfTheSize),
          OnList("TensorListConcatLists", AnotherList, kListOfFloats),
          OnList("TensorListScatterIntoExistingList", RowsInOrder),
          PushingBatches(),
          Wrapping(),
          WrappingSeveral(),
          Compressing()};
}

}  // namespace plumb::bench

// Lists of tensors made of one tensor, and one tensor made of the elements of a list.
#include <algorithm>

#include "spec/ops/data_flow/tensor_list_shapes.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes StackShapes(const ShapeContext& c) { return {Join({c.attr<int64_t>("num_elements")}, ElementShape(c, 1))}; }

Shapes GatherShapes(const ShapeContext& c) {
  const PartialShape element = ElementShape(c, 2);
  const PartialShape& indices = c.input(1);
  if (!indices.has_rank() || indices.rank() != 1) return {PartialShape::Unknown()};
  return {Join(indices, element)};
}

// The shape of elements that have any number of rows. Those that are scalars are the kernel's to refuse.
PartialShape WithAnyRows(const PartialShape& element) {
  const bool has_rows = element.rank() > 0;
  return has_rows ? WithDim(element, 0, -1) : element;
}

PartialShape JoinedShape(const PartialShape& element) {
  const bool is_scalar = element.rank() == 0;
  return is_scalar ? PartialShape::OfRank(1) : WithAnyRows(element);
}

Shapes ConcatShapes(const ShapeContext& c) { return {JoinedShape(ElementShape(c, 1)), PartialShape::OfRank(1)}; }

Shapes ConcatV1Shapes(const ShapeContext& c) {
  return {JoinedShape(c.attr<PartialShape>("element_shape")), PartialShape::OfRank(1)};
}

// The rows of a tensor become elements. A scalar, which has none, is the kernel's to refuse.
Shapes FromTensorShapes(const ShapeContext& c) {
  const PartialShape element = ElementShape(c, 1);
  const PartialShape& tensor = c.input(0);
  if (tensor.has_rank()) MergeShapes(c, Part(tensor, std::min(1, tensor.rank())), element);
  return {Shape()};
}

// Whether the rows fit is the kernel's affair.
Shapes ScatterShapes(const ShapeContext& c) {
  ElementShape(c, 2);
  return {Shape()};
}

Shapes SplitShapes(const ShapeContext& c) {
  const PartialShape& tensor = WithRankAtLeast(c, 0, 1);
  WithRank(c, 2, 1);
  MergeShapes(c, WithAnyRows(tensor), WithAnyRows(ElementShape(c, 1)));
  return {Shape()};
}

AttrMap Elements(DType dtype) { return {{"element_dtype", dtype}}; }

Endpoint ElementShapeOf(Gradient& g, Endpoint list) {
  return g.Call("TensorListElementShape", {list}, {{"shape_type", DType::kInt32}});
}
// The shape of the rows of a tensor.
Endpoint RowShape(Gradient& g, Endpoint tensor) {
  return g.Call("Slice", {g.ShapeOf(tensor), g.Int32s({1}), g.Int32s({-1})});
}
// The static shape of the rows as a shape tensor: -1 where it is open.
Endpoint StaticRowShape(Gradient& g, Endpoint tensor) {
  const PartialShape& shape = g.shape(tensor);
  if (!shape.has_rank() || shape.rank() == 0) return g.Scalar(-1, DType::kInt32);
  return g.Int32s(std::vector<int32_t>(shape.dims().begin() + 1, shape.dims().end()));
}

Values StackGradient(Gradient& g) {
  return {g.Call("TensorListFromTensor", {g.dy(), StaticRowShape(g, g.dy())}), GradientValue::None()};
}

Values FromTensorGradient(Gradient& g) {
  const DType dtype = g.dtype(g.x(0));
  const PartialShape& shape = g.shape(g.x(0));
  AttrMap attrs = Elements(dtype);
  if (shape.rank() > 0) attrs["num_elements"] = shape.dim(0);
  const Endpoint list =
      g.has_dy() ? g.dy()
                 : g.Call("EmptyTensorList", {ElementShapeOf(g, g.y()), g.Scalar(-1, DType::kInt32)}, Elements(dtype));
  return {g.Call("TensorListStack", {list, RowShape(g, g.x(0))}, std::move(attrs)), GradientValue::None()};
}

Values GatherGradient(Gradient& g) {
  const Endpoint length = g.Call("TensorListLength", {g.x(0)});
  const Endpoint list =
      g.Call("TensorListReserve", {ElementShapeOf(g, g.x(0)), length}, Elements(g.attr<DType>("element_dtype")));
  return {g.Call("TensorListScatterIntoExistingList", {list, g.dy(), g.x(1)}), GradientValue::None(),
          GradientValue::None()};
}

// The elements of the list `dlist` that the rows of `tensor` were put at `indices` of.
Endpoint GatherRows(Gradient& g, Endpoint tensor, Endpoint indices) {
  return g.Call("TensorListGather", {g.dy(), indices, RowShape(g, tensor)}, Elements(g.dtype(tensor)));
}

Values ScatterGradient(Gradient& g) {
  Values gradients(g.num_inputs());
  gradients[0] = GatherRows(g, g.x(0), g.x(1));
  return gradients;
}

Values ScatterIntoExistingListGradient(Gradient& g) {
  const Endpoint tensor = GatherRows(g, g.x(1), g.x(2));
  const Endpoint list = g.Call("TensorListScatterIntoExistingList", {g.dy(), g.ZerosLike(g.x(1)), g.x(2)});
  return {list, tensor, GradientValue::None()};
}

Values ConcatGradient(Gradient& g) {
  Values gradients(g.num_inputs());
  gradients[0] = g.Call("TensorListSplit", {g.dy(0), ElementShapeOf(g, g.x(0)), g.y(1)});
  return gradients;
}

Values SplitGradient(Gradient& g) {
  const Endpoint shape = Concat(g, {g.Int32s({-1}), RowShape(g, g.x(0))});
  return {g.Call("TensorListConcatV2", {g.dy(), shape, g.x(2)}, Elements(g.dtype(g.x(0)))), GradientValue::None(),
          GradientValue::None()};
}

}  // namespace

std::span<const OpRow> DataFlowTensorListPack() {
  static const OpRow rows[] = {
      {.signature =
           "TensorListFromTensor(tensor: element_dtype, element_shape: shape_type) -> (output_handle: variant)",
       .attrs = "element_dtype: type; shape_type: type in [int32, int64]",
       .doc = "The list of the slices of tensor along its first dimension.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape_fn = FromTensorShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = FromTensorGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"[n b] -1; s = TensorListStack element_dtype=$element_dtype: this {b}",
                   "[3 2 b] {2, -1}; s = TensorListGetItem element_dtype=$element_dtype: this 1 -1"}},
      {.signature = "TensorListStack(input_handle: variant, element_shape: int32) -> (tensor: element_dtype)",
       .attrs = "element_dtype: type; num_elements: int = -1",
       .doc = "The elements joined along a new first dimension; those without a value are zeros.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape_fn = StackShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = StackGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = TensorListFromTensor element_dtype=$element_dtype shape_type=int32: [3 b] -1; "
                   "num_elements=-1/3: l {b}",
                   "l = TensorListReserve element_dtype=$element_dtype shape_type=int32: {-1} 3; "
                   "s = TensorListSetItem element_dtype=$element_dtype: l 1 [b]; num_elements=-1/3: s -1"}},
      {.signature = "TensorListGather(input_handle: variant, indices: int32, element_shape: int32) -> (values: "
                    "element_dtype)",
       .attrs = "element_dtype: type",
       .doc = "The elements at the indices joined along a new first dimension; those without a value are zeros.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape_fn = GatherShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = GatherGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = TensorListFromTensor element_dtype=$element_dtype shape_type=int32: [4 b] -1; l {2, 0} {b}",
                   "l = TensorListFromTensor element_dtype=$element_dtype shape_type=int32: [4 2 3] {2, -1}; "
                   "r = TensorListResize: l 6; r {5, 1, 3} {-1, 3}"}},
      {.signature = "TensorListScatter(tensor: element_dtype, indices: int32, element_shape: shape_type) -> "
                    "(output_handle: variant)",
       .attrs = "element_dtype: type; shape_type: type in [int32, int64]",
       .doc = "A list with the slices of tensor at the indices, as long as the largest of them asks.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape_fn = ScatterShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ScatterGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"[3 b] {4, 0, 2} -1; s = TensorListStack element_dtype=$element_dtype: this {b}"}},
      {.signature =
           "TensorListScatterV2(tensor: element_dtype, indices: int32, element_shape: shape_type, num_elements: "
           "int32) -> (output_handle: variant)",
       .attrs = "element_dtype: type; shape_type: type in [int32, int64]",
       .doc =
           "A list of num_elements elements (-1: as the largest index asks) with the slices of tensor at the indices.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape_fn = ScatterShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ScatterGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"[3 b] {4, 0, 2} -1 6; s = TensorListStack element_dtype=$element_dtype: this {b}",
                   "[3 b] {1, 0, 2} -1 -1; s = TensorListStack element_dtype=$element_dtype: this {b}"}},
      {.signature =
           "TensorListScatterIntoExistingList(input_handle: variant, tensor: element_dtype, indices: int32) -> "
           "(output_handle: variant)",
       .attrs = "element_dtype: type",
       .doc = "The list with the slices of tensor at the indices, longer if they ask for it: by empty vectors where no "
              "slice goes.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape = "? [n d...] [n] -> []",
       .gradient = ScatterIntoExistingListGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = TensorListFromTensor element_dtype=$element_dtype shape_type=int32: [3 2] -1; "
                   "l [2 2] {3, 1}; s = TensorListStack element_dtype=$element_dtype: this {2}",
                   "l = TensorListFromTensor element_dtype=$element_dtype shape_type=int32: [3 2] -1; "
                   "l [2 2] {4, 1}; n = TensorListLength: this; "
                   "g = TensorListGetItem element_dtype=$element_dtype: this 3 -1"}},
      {.signature = "TensorListConcat(input_handle: variant) -> (tensor: element_dtype, lengths: int64)",
       .attrs = "element_dtype: type; element_shape: shape = ?",
       .doc =
           "The elements, which all have a value, joined along their first dimension, and their sizes in it. What is "
           "open of their other dimensions is read from the elements, unless the list says all of its shape.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape_fn = ConcatV1Shapes,
       .gradient = ConcatGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = TensorListSplit element_dtype=$element_dtype shape_type=int32: [5 b] {-1, b} {2, 0, 3}; l",
                   "l = TensorListFromTensor element_dtype=$element_dtype shape_type=int32: [3 4 2] {4, 2}; "
                   "element_shape=[4 2]: l"}},
      {.signature = "TensorListConcatV2(input_handle: variant, element_shape: shape_type, leading_dims: int64) -> "
                    "(tensor: element_dtype, lengths: int64)",
       .attrs = "element_dtype: type; shape_type: type in [int32, int64]",
       .doc = "The elements joined along their first dimension, and their sizes in it; leading_dims gives the sizes of "
              "those without a value.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape_fn = ConcatShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ConcatGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = TensorListSplit element_dtype=$element_dtype shape_type=int32: [5 b] {-1, b} {2, 0, 3}; "
                   "l {-1, b} {}",
                   "l = TensorListFromTensor element_dtype=$element_dtype shape_type=int32: [3 a 2] -1; "
                   "r = TensorListResize: l 4; r {-1, 2} {0, 0, 0, 2}"}},
      {.signature = "TensorListSplit(tensor: element_dtype, element_shape: shape_type, lengths: int64) -> "
                    "(output_handle: variant)",
       .attrs = "element_dtype: type; shape_type: type in [int32, int64]",
       .doc = "The list of the pieces of tensor along its first dimension that have the given lengths.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape_fn = SplitShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = SplitGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples =
           {"[5 b] {-1, b} {2, 0, 3}; c = TensorListConcatV2 element_dtype=$element_dtype shape_type=int32: this "
            "{-1, b} {}"}},
  };
  return rows;
}

}  // namespace plumb::topics

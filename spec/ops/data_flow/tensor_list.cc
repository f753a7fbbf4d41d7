// Lists of tensors as elements of variant tensors: made, asked, and changed an element at a time.
#include "spec/ops/data_flow/tensor_list_shapes.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes NewListShapes(const ShapeContext& c) {
  ElementShape(c, 0);
  return {Shape()};
}
Shapes PopBackShapes(const ShapeContext& c) { return {Shape(), ElementShapeIfValid(c, 1)}; }
Shapes GetItemShapes(const ShapeContext& c) { return {ElementShape(c, 2)}; }

AttrMap Elements(DType dtype) { return {{"element_dtype", dtype}}; }

Endpoint ElementShapeOf(Gradient& g, Endpoint list) {
  return g.Call("TensorListElementShape", {list}, {{"shape_type", DType::kInt32}});
}

Values PushBackGradient(Gradient& g) {
  const NodeId pop = g.Add("TensorListPopBack", {g.dy(), g.ShapeOf(g.x(1))}, Elements(g.attr<DType>("element_dtype")));
  return {Endpoint{pop, 0}, Endpoint{pop, 1}};
}

Values PopBackGradient(Gradient& g) {
  const DType dtype = g.attr<DType>("element_dtype");
  const Endpoint list = g.has_dy(0) ? g.dy(0)
                                    : g.Call("EmptyTensorList",
                                             {ElementShapeOf(g, g.y(0)), g.Scalar(-1, DType::kInt32)}, Elements(dtype));
  const Endpoint element = g.has_dy(1) ? g.dy(1) : g.ZerosLike(g.y(1));
  return {g.Call("TensorListPushBack", {list, element}), GradientValue::None()};
}

Values GetItemGradient(Gradient& g) {
  const Endpoint length = g.Call("TensorListLength", {g.x(0)});
  const Endpoint list =
      g.Call("TensorListReserve", {ElementShapeOf(g, g.x(0)), length}, Elements(g.attr<DType>("element_dtype")));
  return {g.Call("TensorListSetItem", {list, g.x(1), g.dy()}), GradientValue::None(), GradientValue::None()};
}

Values SetItemGradient(Gradient& g) {
  const Endpoint list = g.Call("TensorListSetItem", {g.dy(), g.x(1), g.ZerosLike(g.x(2))});
  const Endpoint item = g.Call("TensorListGetItem", {g.dy(), g.x(1), g.ShapeOf(g.x(2))}, Elements(g.dtype(g.x(2))));
  return {list, GradientValue::None(), item};
}

Values ResizeGradient(Gradient& g) {
  return {g.Call("TensorListResize", {g.dy(), g.Call("TensorListLength", {g.x(0)})}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> DataFlowTensorList() {
  static const OpRow rows[] = {
      {.signature = "EmptyTensorList(element_shape: shape_type, max_num_elements: int32) -> (handle: variant)",
       .attrs = "element_dtype: type; shape_type: type in [int32, int64]",
       .doc = "A list without elements, which takes those of a shape that element_shape describes (-1: open), and no "
              "more than max_num_elements (-1: any number).",
       .gpu = "element_dtype in [floats, complexes, bool, int64, variant]",
       .shape_fn = NewListShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"{-1} 5; p = TensorListPushBack element_dtype=$element_dtype: this [a]; "
                   "s = TensorListStack element_dtype=$element_dtype: p {-1}",
                   "{2, 3} -1; p = TensorListPushBack element_dtype=$element_dtype: this [2 3]; "
                   "s = TensorListStack element_dtype=$element_dtype: p -1"}},
      {.signature = "TensorListReserve(element_shape: shape_type, num_elements: int32) -> (handle: variant)",
       .attrs = "element_dtype: type; shape_type: type in [int32, int64]",
       .doc = "A list of num_elements elements that have no value yet and count as zeros of element_shape.",
       .gpu = "element_dtype in [floats, complexes, bool, int64, variant]",
       .shape_fn = NewListShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"{2} 3; s = TensorListSetItem element_dtype=$element_dtype: this 1 [2]; "
                   "t = TensorListStack element_dtype=$element_dtype: s {2}"}},
      {.signature = "TensorListPushBack(input_handle: variant, tensor: element_dtype) -> (output_handle: variant)",
       .attrs = "element_dtype: type",
       .doc = "The list with tensor after its last element.",
       .gpu = "element_dtype in [floats, complexes, bool, int64, variant]",
       .shape = "? ? -> []",
       .gradient = PushBackGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = EmptyTensorList element_dtype=$element_dtype shape_type=int32: -1 -1; "
                   "p = TensorListPushBack element_dtype=$element_dtype: l [a b]; "
                   "p [c]; n = TensorListLength: this; q = TensorListPopBack element_dtype=$element_dtype: this -1; "
                   "r = TensorListPopBack element_dtype=$element_dtype: q -1"}},
      {.signature =
           "TensorListPopBack(input_handle: variant, element_shape: int32) -> (output_handle: variant, tensor: "
           "element_dtype)",
       .attrs = "element_dtype: type",
       .doc = "The list without its last element, and that element; an empty list is an error.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64, variant]",
       .shape_fn = PopBackShapes,
       .strictness = Strictness::kRepeatsDeclaration,  // an element that has a value gives that, whatever was asked for
       .gradient = PopBackGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = EmptyTensorList element_dtype=$element_dtype shape_type=int32: {-1, 3} -1; "
                   "p = TensorListPushBack element_dtype=$element_dtype: l [a 3]; "
                   "q = TensorListPushBack element_dtype=$element_dtype: p [b 3]; "
                   "q -1; r = TensorListPopBack element_dtype=$element_dtype: this {-1, 3}"}},
      {.signature = "TensorListLength(input_handle: variant) -> (length: int32)",
       .doc = "How many elements the list has.",
       .gpu = "all",
       .shape = "? -> []",
       .gradient = BlocksGradient(),
       .samples = {"l = TensorListReserve element_dtype=float32 shape_type=int32: {2, 3} 3; l"}},
      {.signature = "TensorListElementShape(input_handle: variant) -> (element_shape: shape_type)",
       .attrs = "shape_type: type in [int32, int64]",
       .doc =
           "What the list knows of the shape of its elements: a vector with -1 for open dimensions, or the scalar -1.",
       .gpu = "all",
       .shape = "? -> ?",
       .gradient = BlocksGradient(),
       .samples = {"l = TensorListReserve element_dtype=float32 shape_type=int64: {2, -1} 3; l",
                   "l = EmptyTensorList element_dtype=float32 shape_type=int32: -1 4; l"}},
      {.signature = "TensorListGetItem(input_handle: variant, index: int32, element_shape: int32) -> (item: "
                    "element_dtype)",
       .attrs = "element_dtype: type",
       .doc = "The element at index; zeros for one without a value, in the shape that element_shape, the list and its "
              "other elements give.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape_fn = GetItemShapes,
       .strictness = Strictness::kRepeatsDeclaration,  // of an element that has a value, it is that value's shape
       .gradient = GetItemGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = TensorListReserve element_dtype=$element_dtype shape_type=int32: {-1} 3; "
                   "s = TensorListSetItem element_dtype=$element_dtype: l 1 [a]; s 1 {-1}",
                   "l = TensorListReserve element_dtype=$element_dtype shape_type=int32: -1 3; "
                   "s = TensorListSetItem element_dtype=$element_dtype: l 1 [a 2]; s 0 {-1, 2}"}},
      {.signature =
           "TensorListSetItem(input_handle: variant, index: int32, item: element_dtype) -> (output_handle: variant)",
       .attrs = "element_dtype: type",
       .doc = "The list with item in the place of the element at index.",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape = "? ? ? -> []",
       .gradient = SetItemGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = TensorListReserve element_dtype=$element_dtype shape_type=int32: {-1, 2} 3; "
                   "l 2 [a 2]; s = TensorListStack element_dtype=$element_dtype: this {-1, 2}"}},
      {.signature = "TensorListResize(input_handle: variant, size: int32) -> (output_handle: variant)",
       .doc = "The first elements of the list, or the list with elements without a value after it: size in all.",
       .gpu = "all",
       .shape = "? [] -> []",
       .gradient = ResizeGradient,
       .gradient_trial = {.untried = kListsAreInPrograms},
       .samples = {"l = TensorListFromTensor element_dtype=float32 shape_type=int32: [3 b] -1; l 2; "
                   "s = TensorListStack element_dtype=float32: this -1",
                   "l = TensorListFromTensor element_dtype=float32 shape_type=int32: [2 3] {3}; l 4; "
                   "s = TensorListStack element_dtype=float32: this {3}"}},
      {.signature = "TensorListConcatLists(input_a: variant, input_b: variant) -> (output: variant)",
       .attrs = "element_dtype: type",
       .doc = "The elements of the list in input_a and then those of the list in input_b, list by list.",
       .gpu = "element_dtype in [floats, complexes, bool, int64, variant]",
       .shape = "[d...] [d...] -> [d...]",
       .gradient = BlocksGradient(),
       .samples = {"l = EmptyTensorList element_dtype=$element_dtype shape_type=int32: {2} -1; "
                   "a = TensorListPushBack element_dtype=$element_dtype: l [2]; "
                   "b = TensorListPushBack element_dtype=$element_dtype: a [2]; "
                   "a b; s = TensorListStack element_dtype=$element_dtype: this {2}"}},
      {.signature =
           "TensorListPushBackBatch(input_handles: variant, tensor: element_dtype) -> (output_handles: variant)",
       .attrs = "element_dtype: type",
       .doc = "Each list of a vector with the row of tensor of its number after its last element.",
       .cpu = "element_dtype in [numbers, quantized, bool, string, variant]",
       .gpu = "element_dtype in [floats, complexes, bool, int64]",
       .shape = "[n] [n d...] -> [n]",
       .gradient = BlocksGradient(),
       .samples = {"l = EmptyTensorList element_dtype=$element_dtype shape_type=int32: {-1} -1; "
                   "v = Pack N=2 T=variant: (l l); v [2 b]; u = Unpack num=2 T=variant: this; "
                   "s = TensorListStack element_dtype=$element_dtype: u:0 -1; "
                   "t = TensorListStack element_dtype=$element_dtype: u:1 -1"}},
  };
  return rows;
}

}  // namespace plumb::topics

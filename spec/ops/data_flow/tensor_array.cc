#include "spec/ops/data_flow/step_handle.h"
#include "spec/ops/dims.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// What a pattern says, of ops whose first input is the handle of an array.
template <const char* pattern>
Shapes OnArray(const ShapeContext& c) {
  RequireStepHandle(c, 0);
  return InferByPattern(c, pattern);
}
constexpr char kGrad[] = "? ? -> [] []";
constexpr char kGradWithShape[] = "? ? ? -> [] []";
constexpr char kWrite[] = "? [] ? [] -> []";
constexpr char kRead[] = "? [] [] -> ?";
constexpr char kScatter[] = "? [n] [n d...] [] -> []";
constexpr char kConcat[] = "? [] -> ? [?]";
constexpr char kSplit[] = "? ? [n] [] -> []";
constexpr char kSize[] = "? ? -> []";
constexpr char kClose[] = "? ->";

Shapes TensorArrayGatherShapes(const ShapeContext& c) {
  RequireStepHandle(c, 0);
  RequireScalar(c, 2);
  return {Join(WithRank(c, 1, 1), c.attr<PartialShape>("element_shape"))};
}

// Which gradient computation this is: the name of `value` up to and including its last part that starts with
// "gradients", so that every call of Gradients has arrays of its own (rule D12).
std::string SourceOf(Gradient& g, Endpoint value) {
  for (std::string name : {g.builder().graph().node(value.node).name, g.builder().scope() + "/x"}) {
    for (size_t end = name.rfind('/'); end != std::string::npos; end = name.rfind('/')) {
      name.resize(end);
      const size_t start = name.rfind('/') == std::string::npos ? 0 : name.rfind('/') + 1;
      if (name.compare(start, 9, "gradients") == 0) return name;
    }
  }
  throw InvalidArgument("the gradient of '", g.op().name,
                        "' needs a name scope that starts with \"gradients\" to name its gradient array");
}

struct GradientArray {
  Endpoint handle;
  Endpoint flow;
};

// The gradient array of the op's array; `flow` orders it after what has to come before.
GradientArray ArrayFor(Gradient& g, Endpoint flow, Endpoint source_of) {
  const NodeId array = g.Add("TensorArrayGradV3", {g.x(0), flow}, {{"source", SourceOf(g, source_of)}});
  GraphBuilder::ControlScope after(g.builder(), {array});
  return {{array, 0}, g.Call("Identity", {flow})};
}

AttrMap Typed(DType dtype) { return {{"dtype", dtype}}; }

Values TensorArrayReadV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.x(2), g.dy());
  return {GradientValue::None(), GradientValue::None(),
          g.Call("TensorArrayWriteV3", {array.handle, g.x(1), g.dy(), array.flow})};
}

Values TensorArrayWriteV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.dy(), g.dy());
  const Endpoint value = g.Call("TensorArrayReadV3", {array.handle, g.x(1), array.flow}, Typed(g.dtype(g.x(2))));
  return {GradientValue::None(), GradientValue::None(), value, g.raw_dy()};
}

Values TensorArrayGatherV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.x(2), g.dy());
  return {GradientValue::None(), GradientValue::None(),
          g.Call("TensorArrayScatterV3", {array.handle, g.x(1), g.dy(), array.flow})};
}

Values TensorArrayScatterV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.dy(), g.dy());
  const Endpoint value = g.Call("TensorArrayGatherV3", {array.handle, g.x(1), array.flow}, Typed(g.dtype(g.x(2))));
  return {GradientValue::None(), GradientValue::None(), value, g.raw_dy()};
}

Values TensorArrayConcatV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.x(1), g.dy(0));
  return {GradientValue::None(), g.Call("TensorArraySplitV3", {array.handle, g.dy(0), g.y(1), array.flow})};
}

Values TensorArraySplitV3Gradient(Gradient& g) {
  const GradientArray array = ArrayFor(g, g.dy(), g.dy());
  const Endpoint value = g.Call("TensorArrayConcatV3", {array.handle, array.flow}, Typed(g.dtype(g.x(1))));
  return {GradientValue::None(), value, GradientValue::None(), g.raw_dy()};
}

}  // namespace

std::span<const OpRow> DataFlowTensorArray() {
  static const OpRow rows[] = {
      {.signature = "TensorArrayV3(size: int32) -> (handle: resource<TensorArray>, flow: float32) stateful",
       .attrs = "dtype: type; element_shape: shape = ?; dynamic_size: bool = false; clear_after_read: bool = "
                "true; identical_element_shapes: bool = false; tensor_array_name: string = ''",
       .doc = "An array of `size` tensors that lives for one step; its flow orders the ops on it (rules "
              "TA1–TA3).",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "[] -> [] []",
       .gradient = BlocksGradient(),
       .samples = {"dtype=float32: 3; n = TensorArraySizeV3: this this:1"}},
      {.signature = "TensorArrayGradV3(handle: resource<TensorArray>, flow_in: float32) -> (grad_handle: "
                    "resource<TensorArray>, flow_out: "
                    "float32) stateful",
       .attrs = "source: string",
       .doc = "The array of the gradients of a tensor array, one per `source` (rule TA7).",
       .gpu = "all",
       .shape_fn = OnArray<kGrad>,
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArrayV3 dtype=float32: 2; "
                   "w = TensorArrayWriteV3 T=float32: ta 0 [a] ta:1; "
                   "source='gradients': ta w; "
                   "g = TensorArrayWriteV3 T=float32: this 1 [a] this:1; "
                   "r = TensorArrayReadV3 dtype=float32: this 1 g",
                   "ta = TensorArrayV3 dtype=float32 dynamic_size=true: 2; "
                   "s = TensorArraySplitV3 T=float32: ta [5 b] {2, 3} ta:1; "
                   "w = TensorArrayWriteV3 T=float32: ta 2 [1 b] s; "
                   "source='gradients': ta w; "
                   "g = TensorArraySplitV3 T=float32: this [6 b] {2, 3, 1} this:1; "
                   "r = TensorArrayConcatV3 dtype=float32: this g"}},
      {.signature =
           "TensorArrayGradWithShape(handle: resource<TensorArray>, flow_in: float32, shape_to_prepend: int32) -> "
           "(grad_handle: resource<TensorArray>, flow_out: float32) stateful",
       .attrs = "source: string",
       .doc = "TensorArrayGradV3 whose elements have shape_to_prepend before the shape of the forward ones.",
       .gpu = "all",
       .shape_fn = OnArray<kGradWithShape>,
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArrayV3 dtype=float32: 2; "
                   "w = TensorArrayWriteV3 T=float32: ta 0 [a] ta:1; "
                   "source='gradients': ta w {2}; "
                   "g = TensorArrayWriteV3 T=float32: this 0 [2 a] this:1; "
                   "r = TensorArrayReadV3 dtype=float32: this 0 g"}},
      {.signature =
           "TensorArrayWriteV3(handle: resource<TensorArray>, index: int32, value: T, flow_in: float32) -> (flow_out: "
           "float32) stateful",
       .attrs = "T: type",
       .doc = "Writes value at index, once (rule TA2).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape_fn = OnArray<kWrite>,
       .gradient = TensorArrayWriteV3Gradient,
       .samples = {"ta = TensorArrayV3 dtype=$T: 2; ta 1 [a b] ta:1; r = TensorArrayReadV3 dtype=$T: ta 1 this"}},
      {.signature = "TensorArrayReadV3(handle: resource<TensorArray>, index: int32, flow_in: float32) -> (value: "
                    "dtype) stateful gives_back",
       .attrs = "dtype: type",
       .doc = "The value at index (rule TA4).",
       .cpu = "dtype in [numbers, bool, resource, string, variant]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape_fn = OnArray<kRead>,
       .gradient = TensorArrayReadV3Gradient,
       .samples = {"ta = TensorArrayV3 dtype=$dtype: 2; w = TensorArrayWriteV3 T=$dtype: ta 1 [a b] ta:1; ta 1 w"}},
      {.signature =
           "TensorArrayGatherV3(handle: resource<TensorArray>, indices: int32, flow_in: float32) -> (value: dtype) "
           "stateful",
       .attrs = "dtype: type; element_shape: shape = ?",
       .doc = "The values at the indices, stacked along a new first dimension (rule TA5).",
       .cpu = "dtype in [numbers, bool, qint32, qint8, quint8, string, variant]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape_fn = TensorArrayGatherShapes,
       .gradient = TensorArrayGatherV3Gradient,
       .samples = {"ta = TensorArrayV3 dtype=$dtype: 3; "
                   "w = TensorArrayScatterV3 T=$dtype: ta {0, 1, 2} [3 b] ta:1; "
                   "dtype in [numbers, bool, string]: ta {2, 0} w"}},
      {.signature =
           "TensorArrayScatterV3(handle: resource<TensorArray>, indices: int32, value: T, flow_in: float32) -> "
           "(flow_out: float32) stateful",
       .attrs = "T: type",
       .doc = "Writes the slices of value along its first dimension at the indices (rule TA5).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape_fn = OnArray<kScatter>,
       .gradient = TensorArrayScatterV3Gradient,
       .samples = {"ta = TensorArrayV3 dtype=$T: 3; "
                   "ta {2, 0} [2 b] ta:1; "
                   "r = TensorArrayGatherV3 dtype=$T: ta {0, 2} this"}},
      {.signature =
           "TensorArrayConcatV3(handle: resource<TensorArray>, flow_in: float32) -> (value: dtype, lengths: int64) "
           "stateful",
       .attrs = "dtype: type; element_shape_except0: shape = ?",
       .doc = "All values joined along their first dimension, and the sizes of that dimension (rule TA5).",
       .cpu = "dtype in [numbers, bool, qint32, qint8, quint8, string]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape_fn = OnArray<kConcat>,
       .gradient = TensorArrayConcatV3Gradient,
       .samples = {"ta = TensorArrayV3 dtype=$dtype: 2; "
                   "v = TensorArrayWriteV3 T=$dtype: ta 0 [a b] ta:1; "
                   "w = TensorArrayWriteV3 T=$dtype: ta 1 [c b] v; "
                   "dtype in [numbers, bool, string]: ta w"}},
      {.signature = "TensorArraySplitV3(handle: resource<TensorArray>, value: T, lengths: int64, flow_in: float32) -> "
                    "(flow_out: "
                    "float32) stateful",
       .attrs = "T: type",
       .doc = "Cuts value along its first dimension into pieces of the given lengths and writes them at 0, 1, "
              "… (rule TA5).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape_fn = OnArray<kSplit>,
       .gradient = TensorArraySplitV3Gradient,
       .samples = {"ta = TensorArrayV3 dtype=$T: 2; ta [5 b] {2, 3} ta:1; r = TensorArrayReadV3 dtype=$T: ta 1 this"}},
      {.signature = "TensorArraySizeV3(handle: resource<TensorArray>, flow_in: float32) -> (size: int32) stateful",
       .doc = "The length of the array (rule TA6).",
       .gpu = "all",
       .shape_fn = OnArray<kSize>,
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArrayV3 dtype=float32: 3; ta ta:1"}},
      {.signature = "TensorArrayCloseV3(handle: resource<TensorArray>) -> () stateful",
       .doc = "Frees the array; using it afterwards is an error (rule TA6).",
       .gpu = "all",
       .shape_fn = OnArray<kClose>,
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArrayV3 dtype=float32: 3; ta"}},
  };
  return rows;
}

}  // namespace plumb::topics

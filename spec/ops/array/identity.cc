#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Values IdentityGradient(Gradient& g) { return {g.raw_dy()}; }

Values PreventGradientGradient(Gradient& g) {
  throw InvalidArgument("the gradient of node '", g.op().name, "' was forbidden: ", g.attr<std::string>("message"));
}

Shapes EnsureShapeShapes(const ShapeContext& c) { return {MergeShapes(c, c.input(0), c.attr<PartialShape>("shape"))}; }

Shapes IdentityNShapes(const ShapeContext& c) {
  Shapes shapes;
  for (int i = 0; i < c.num_inputs(); ++i) shapes.push_back(c.input(i));
  return shapes;
}

Values IdentityNGradient(Gradient& g) {
  Values values;
  for (int i = 0; i < g.num_outputs(); ++i) values.push_back(g.raw_dy(i));
  return values;
}

// As in TensorFlow, whose optimizers take these ops away before it looks at shapes again.
Shapes UnknownShapes(const ShapeContext& c) { return Shapes(static_cast<size_t>(c.num_outputs())); }

std::optional<Tensor> FoldIdentity(const Folding& f) { return f.input(0); }

}  // namespace

std::span<const OpRow> ArrayIdentity() {
  static const OpRow rows[] = {
      {.signature = "Identity(input: T) -> (output: T) hands_on",
       .attrs = "T: type",
       .doc = "Gives its input.",
       .kind = OpKind::kIdentity,
       .shape = "[d...] -> [d...]",
       .fold = FromValues(FoldIdentity),
       .gradient = IdentityGradient},
      {.signature = "StopGradient(input: T) -> (output: T) hands_on",
       .attrs = "T: type",
       .doc = "Gives its input; as a constant in the eyes of a gradient.",
       .kind = OpKind::kIdentity,
       .shape = "[d...] -> [d...]",
       .gradient = BlocksGradient()},
      {.signature = "PreventGradient(input: T) -> (output: T) hands_on",
       .attrs = "T: type; message: string = ''",
       .doc = "Gives its input; asking for a gradient through it is an error with the text `message`.",
       .kind = OpKind::kIdentity,
       .shape = "[d...] -> [d...]",
       .gradient = PreventGradientGradient,
       .gradient_trial = {.untried = "it forbids gradients"}},
      {.signature = "IdentityN(input: list(T)) -> (output: list(T)) hands_on",
       .attrs = "T: list(type) >= 1",
       .doc = "Gives its inputs.",
       .gpu = "all",
       .shape_fn = IdentityNShapes,
       .gradient = IdentityNGradient,
       .samples = {"T=[float32, float32]: ([a b] [])", "T=[string, int32, float64]: ([n] [] [a b])"}},
      {.signature = "_ListToArray(input: list(Tin)) -> (output: T*N)",
       .attrs = "Tin: list(type) >= 1; T: type; N: int >= 1",
       .doc = "Gives its inputs, which all have the type T. INTERNAL where they are not N, or one has another type.",
       .shape_fn = UnknownShapes,
       .samples = {"N=1 Tin=$T: ([a b])", "T in [float32] N=2 Tin=[float32, float32]: ([a b] [])"}},
      {.signature = "_ArrayToList(input: T*N) -> (output: list(out_types))",
       .attrs = "T: type; N: int >= 1; out_types: list(type) >= 1",
       .doc = "Gives its inputs. INTERNAL where they are not as many as the types, or one has another type.",
       .shape_fn = UnknownShapes,
       .samples = {"out_types=$T: ([a b])", "T in [float32] out_types=[float32, float32]: ([a b] [])"}},
      {.signature = "EnsureShape(input: T) -> (output: T) hands_on",
       .attrs = "shape: shape; T: type",
       .doc = "Gives its input; one that does not have the given shape is an error.",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = EnsureShapeShapes,
       .gradient = IdentityGradient,
       .samples = {"shape=[a b]: [a b]", "shape=[]: []"}},
      {.signature = "Snapshot(input: T) -> (output: T)",
       .attrs = "T: type",
       .doc = "A copy of the input.",
       .cpu = "T in [numbers, bool]",
       .gpu = "all",
       .shape = "[d...] -> [d...]"},
      {.signature = "DeepCopy(x: T) -> (y: T) stateful",
       .attrs = "T: type",
       .doc = "A copy of the input.",
       .cpu = "T in [numbers, bool, string]",
       .gpu = "T in [numbers, bool]",
       .shape = "[d...] -> [d...]"},
  };
  return rows;
}

}  // namespace plumb::topics

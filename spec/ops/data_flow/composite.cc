// Values that are made of several tensors, such as sparse and ragged ones, as elements of variant tensors.
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ScalarShapes(const ShapeContext&) { return {PartialShape(Shape())}; }

Shapes UnknownShapes(const ShapeContext& c) {
  return Shapes(static_cast<size_t>(c.num_outputs()), PartialShape::Unknown());
}

// The gradient of the value is one of the gradients of its components.
Values FromComponentsGradient(Gradient& g) {
  const NodeId parts = g.Add("CompositeTensorVariantToComponents", {g.dy()}, SameAttrs(g, {"metadata", "Tcomponents"}));
  Values values;
  for (int i = 0; i < g.num_inputs(); ++i) values.push_back(Endpoint{parts, i});
  return values;
}

Values ToComponentsGradient(Gradient& g) {
  return {g.Call("CompositeTensorVariantFromComponents", AllGradients(g), SameAttrs(g, {"metadata", "Tcomponents"}))};
}

constexpr char kInPrograms[] = "variants have no derivatives of their own; composite values are tried in programs";

}  // namespace

std::span<const OpRow> DataFlowComposite() {
  static const OpRow rows[] = {
      {.signature = "CompositeTensorVariantFromComponents(components: list(Tcomponents)) -> (encoded: variant)",
       .attrs = "metadata: string; Tcomponents: list(type) >= 0",
       .doc = "The components as one value of the class that the metadata name, a CompositeTensorVariantMetadata.",
       .shape_fn = ScalarShapes,
       .gradient = FromComponentsGradient,
       .gradient_trial = {.untried = kInPrograms},
       .samples = {"metadata='\n\2\10\3' Tcomponents=[float32, int64]: ([a b] [n]); "
                   "c = CompositeTensorVariantToComponents metadata='\n\2\10\3' Tcomponents=[float32, int64]: this",
                   "metadata='' Tcomponents=[]: (); "
                   "c = CompositeTensorVariantToComponents metadata='' Tcomponents=[]: this"}},
      {.signature = "CompositeTensorVariantToComponents(encoded: variant) -> (components: list(Tcomponents))",
       .attrs = "metadata: string; Tcomponents: list(type) >= 0",
       .doc = "The components of a value; INVALID_ARGUMENT where it is of another class than the metadata name, or "
              "they are not of these types.",
       .shape_fn = UnknownShapes,
       .gradient = ToComponentsGradient,
       .gradient_trial = {.untried = kInPrograms},
       .samples = {"v = CompositeTensorVariantFromComponents metadata='\n\2\10\1' Tcomponents=[int64, string, int64]: "
                   "([n 2] [n] [2]); metadata='\n\2\10\1' Tcomponents=[int64, string, int64]: v"}},
  };
  return rows;
}

}  // namespace plumb::topics

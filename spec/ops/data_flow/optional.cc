// Values that may be missing, as elements of variant tensors.
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ScalarShapes(const ShapeContext&) { return {PartialShape(Shape())}; }

Shapes GetValueShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  Shapes shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  Require(shapes.size() == static_cast<size_t>(c.num_outputs()), "OptionalGetValue: there are ", shapes.size(),
          " output_shapes for ", c.num_outputs(), " output_types");
  return shapes;
}

// The gradient of an optional is an optional of the gradients of its components.
Values FromValueGradient(Gradient& g) {
  std::vector<DType> types;
  std::vector<PartialShape> shapes;
  for (int i = 0; i < g.num_inputs(); ++i) {
    types.push_back(g.dtype(g.x(i)));
    shapes.push_back(g.shape(g.x(i)));
  }
  const NodeId parts = g.Add("OptionalGetValue", {g.dy()}, {{"output_types", types}, {"output_shapes", shapes}});
  Values values;
  for (int i = 0; i < g.num_inputs(); ++i) values.push_back(Endpoint{parts, i});
  return values;
}

Values GetValueGradient(Gradient& g) {
  std::vector<Endpoint> parts;
  std::vector<DType> types;
  for (int i = 0; i < g.num_outputs(); ++i) {
    parts.push_back(g.dy(i));
    types.push_back(g.dtype(parts.back()));
  }
  return {g.Call("OptionalFromValue", parts, {{"Toutput_types", types}})};
}

constexpr char kInPrograms[] = "variants have no derivatives of their own; optionals are tried in programs";

}  // namespace

std::span<const OpRow> DataFlowOptional() {
  static const OpRow rows[] = {
      {.signature = "OptionalFromValue(components: list(Toutput_types)) -> (optional: variant)",
       .attrs = "Toutput_types: list(type) >= 1",
       .doc = "An optional that holds the components.",
       .gpu = "Toutput_types in [floats, complexes, int64]",
       .shape_fn = ScalarShapes,
       .gradient = FromValueGradient,
       .gradient_trial = {.untried = kInPrograms},
       .samples = {"Toutput_types=[float32, int32]: ([a b] []); "
                   "g = OptionalGetValue output_types=[float32, int32] output_shapes=[?, []]: this; "
                   "h = OptionalHasValue: this",
                   "Toutput_types=[float32, int64]: ([a b] []); "
                   "g = OptionalGetValue output_types=[float32, int64] output_shapes=[?, []]: this; "
                   "h = OptionalHasValue: this"}},
      {.signature = "OptionalNone() -> (optional: variant)",
       .doc = "An optional that holds nothing.",
       .gpu = "all",
       .shape = "-> []",
       .samples = {"; h = OptionalHasValue: this"}},
      {.signature = "OptionalHasValue(optional: variant) -> (has_value: bool)",
       .doc = "Whether the optional holds anything.",
       .gpu = "all",
       .shape = "? -> []",
       .samples = {"o = OptionalFromValue Toutput_types=[string]: ('text'); o", "o = OptionalNone: ; o"}},
      {.signature = "OptionalGetValue(optional: variant) -> (components: list(output_types))",
       .attrs = "output_types: list(type) >= 1; output_shapes: list(shape) >= 1",
       .doc = "What the optional holds, in these types and shapes; INVALID_ARGUMENT where it holds anything else, or "
              "nothing.",
       .gpu = "output_types in [floats, complexes, int64]",
       .shape_fn = GetValueShapes,
       .gradient = GetValueGradient,
       .gradient_trial = {.untried = kInPrograms},
       .samples = {"o = OptionalFromValue Toutput_types=[float32, int32]: ([a b] [2]); "
                   "output_types=[float32, int32] output_shapes=[?, [2]]: o",
                   "o = OptionalFromValue Toutput_types=[float16, int64]: ([a b] [2]); "
                   "output_types=[float16, int64] output_shapes=[?, [2]]: o"}},
  };
  return rows;
}

}  // namespace plumb::topics

// The catalogue as a page for people (plumb ops --markdown) and as JSON for programs (plumb ops).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "spec/ops/op_def.h"

namespace plumb {

// Which implementations have a kernel (or a rule) for an op. An empty function: none has.
struct Implementations {
  std::function<bool(std::string_view op)> reference;
  std::function<bool(std::string_view op)> cpu;
  std::function<bool(std::string_view op)> gpu;
};

// "MatMul(a: T, b: T) -> (product: T)": the notation of the rows.
std::string SignatureText(const OpDef& op);
// The same and what the row says besides TensorFlow's flags: "Assign(ref: ref T, …) -> (output_ref: ref T)
// allows_uninitialized_input updates_whole".
std::string SignatureAndTraits(const OpDef& op);
// "floats, int32": sets by their names; "any" for an attribute that allows all types.
std::string TypesText(const AttrDef& attr);
// "yes", "blocks", "by control flow" or "not registered".
std::string_view GradientText(const OpDef& op);

// A section for each family, with a table of its ops.
std::string OpsMarkdown(const Implementations& implementations);
// An array of {"name", "family", "signature", "dtypes": [all types of its tensors], "types": {attribute: [types]},
// "gradient", "stateful", "traits": [words], "doc", "deprecated": null or {"version", "explanation"}, "reference",
// "cpu", "gpu"}, sorted by name.
std::string OpsJson(const Implementations& implementations);

}  // namespace plumb

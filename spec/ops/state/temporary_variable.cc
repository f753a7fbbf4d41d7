#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

std::span<const OpRow> StateTemporaryVariable() {
  static const OpRow rows[] = {
      {.signature = "TemporaryVariable() -> (ref: ref dtype) stateful",
       .attrs = "shape: shape; dtype: type; var_name: string = ''",
       .doc = "A variable that lives until its step ends, or until DestroyTemporaryVariable takes it away (rule R14).",
       .gpu = "dtype in [floats, int64]",
       .shape_fn = OfShapeAttr,
       .strictness = Strictness::kRepeatsDeclaration,
       .samples = {"shape=[2 b] var_name='v' dtype in [numbers, bool, string]: ; a = Assign T=$dtype: this [2 b]; "
                   "d = DestroyTemporaryVariable T=$dtype var_name='v': a"}},
      {.signature = "DestroyTemporaryVariable(ref: ref T) -> (value: T)",
       .attrs = "T: type; var_name: string",
       .doc = "What the temporary variable of this name holds in the end (rule R14).",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] -> [d...]",
       .samples = {"t = TemporaryVariable dtype=$T shape=[2 b] var_name='v': ; a = Assign T=$T: t [2 b]; "
                   "T in [numbers, bool, string] var_name='v': a"}},
  };
  return rows;
}

}  // namespace plumb::topics

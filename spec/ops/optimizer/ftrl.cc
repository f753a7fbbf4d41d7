#include "spec/ops/op_def.h"
#include "spec/ops/resource_apply.h"

namespace plumb::topics {

std::span<const OpRow> OptimizerFtrl() {
  static const OpRow rows[] = {
      {.signature = "ApplyFtrl(var: ref T, accum: ref T, linear: ref T, grad: T, lr: T, l1: T, l2: T, lr_power: T) -> "
                    "(out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; multiply_linear_by_lr: bool = false",
       .doc = "accum, linear and var follow rule R66.",
       .cpu = "T in [floats]",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] [d...] [d...] [] [] [] [] -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true multiply_linear_by_lr=false/true: [d...] finite [d...] positive [d...] "
                   "finite [d...] finite 0.5 0.25 0.125 -0.5",
                   "use_locking=false/true multiply_linear_by_lr=false/true: [d...] finite [d...] positive [d...] "
                   "finite [d...] finite 0.5 0.25 0.125 -0.75"}},
      {.signature = "SparseApplyFtrl(var: ref T, accum: ref T, linear: ref T, grad: T, indices: Tindices, lr: T, l1: "
                    "T, l2: T, lr_power: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "multiply_linear_by_lr: bool = false",
       .doc = "ApplyFtrl on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [floats]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape = "[n d...] [n d...] [n d...] [k d...] [k] [] [] [] [] -> [n d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true multiply_linear_by_lr=false/true: [V b] finite [V b] positive [V b] finite "
                   "[k b] finite [k] in 0..V 0.5 0.25 0.125 -0.5",
                   "use_locking=false/true multiply_linear_by_lr=false/true: [V b] finite [V b] positive [V b] finite "
                   "[k b] finite [k] in 0..V 0.5 0.25 0.125 -0.75"}},
      {.signature = "ResourceApplyFtrl(var: resource<Variable>, accum: resource<Variable>, linear: resource<Variable>, "
                    "grad: T, lr: T, l1: T, l2: T, lr_power: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; multiply_linear_by_lr: bool = false",
       .doc = "ApplyFtrl on resource variables (rule R46).",
       .cpu = "T in [floats]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true multiply_linear_by_lr=false/true: [d...] finite [d...] positive [d...] "
                   "finite [d...] finite 0.5 0.25 0.125 -0.5",
                   "use_locking=false/true multiply_linear_by_lr=false/true: [d...] finite [d...] positive [d...] "
                   "finite [d...] finite 0.5 0.25 0.125 -0.75"}},
      {.signature = "ResourceSparseApplyFtrl(var: resource<Variable>, accum: resource<Variable>, linear: "
                    "resource<Variable>, grad: T, indices: Tindices, lr: T, l1: T, l2: T, lr_power: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "multiply_linear_by_lr: bool = false",
       .doc = "SparseApplyFtrl on resource variables (rules R46, R68).",
       .cpu = "T in [floats]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true multiply_linear_by_lr=false/true: [V b] finite [V b] positive [V b] finite "
                   "[k b] finite [k] in 0..V 0.5 0.25 0.125 -0.5",
                   "use_locking=false/true multiply_linear_by_lr=false/true: [V b] finite [V b] positive [V b] finite "
                   "[k b] finite [k] in 0..V 0.5 0.25 0.125 -0.75"}},
      {.signature = "ApplyFtrlV2(var: ref T, accum: ref T, linear: ref T, grad: T, lr: T, l1: T, l2: T, l2_shrinkage: "
                    "T, lr_power: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; multiply_linear_by_lr: bool = false",
       .doc = "ApplyFtrl whose linear takes grad + 2 l2_shrinkage var (rule R66).",
       .cpu = "T in [floats]",
       .gpu = "T in [floats]",
       .shape = "[d...] [d...] [d...] [d...] [] [] [] [] ? -> [d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true multiply_linear_by_lr=false/true: [d...] finite [d...] positive [d...] "
                   "finite [d...] finite 0.5 0.25 0.125 0.0625 -0.5",
                   "use_locking=false/true multiply_linear_by_lr=false/true: [d...] finite [d...] positive [d...] "
                   "finite [d...] finite 0.5 0.25 0.125 0.0625 -0.75"}},
      {.signature = "SparseApplyFtrlV2(var: ref T, accum: ref T, linear: ref T, grad: T, indices: Tindices, lr: T, l1: "
                    "T, l2: T, l2_shrinkage: T, lr_power: T) -> (out: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "multiply_linear_by_lr: bool = false",
       .doc = "ApplyFtrlV2 on the rows that the indices name, one after the other (rule R68).",
       .cpu = "T in [floats]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape = "[n d...] [n d...] [n d...] [k d...] [k] [] [] [] [] ? -> [n d...]",
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true multiply_linear_by_lr=false/true: [V b] finite [V b] positive [V b] finite "
                   "[k b] finite [k] in 0..V 0.5 0.25 0.125 0.0625 -0.5",
                   "use_locking=false/true multiply_linear_by_lr=false/true: [V b] finite [V b] positive [V b] finite "
                   "[k b] finite [k] in 0..V 0.5 0.25 0.125 0.0625 -0.75"}},
      {.signature = "ResourceApplyFtrlV2(var: resource<Variable>, accum: resource<Variable>, linear: "
                    "resource<Variable>, grad: T, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false; multiply_linear_by_lr: bool = false",
       .doc = "ApplyFtrlV2 on resource variables (rule R46).",
       .cpu = "T in [floats]",
       .gpu = "T in [floats]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true multiply_linear_by_lr=false/true: [d...] finite [d...] positive [d...] "
                   "finite [d...] finite 0.5 0.25 0.125 0.0625 -0.5",
                   "use_locking=false/true multiply_linear_by_lr=false/true: [d...] finite [d...] positive [d...] "
                   "finite [d...] finite 0.5 0.25 0.125 0.0625 -0.75"}},
      {.signature =
           "ResourceSparseApplyFtrlV2(var: resource<Variable>, accum: resource<Variable>, linear: resource<Variable>, "
           "grad: T, indices: Tindices, lr: T, l1: T, l2: T, l2_shrinkage: T, lr_power: T) -> () stateful",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false; "
                "multiply_linear_by_lr: bool = false",
       .doc = "SparseApplyFtrlV2 on resource variables (rules R46, R68).",
       .cpu = "T in [floats]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = ResourceApplyShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"use_locking=false/true multiply_linear_by_lr=false/true: [V b] finite [V b] positive [V b] finite "
                   "[k b] finite [k] in 0..V 0.5 0.25 0.125 0.0625 -0.5",
                   "use_locking=false/true multiply_linear_by_lr=false/true: [V b] finite [V b] positive [V b] finite "
                   "[k b] finite [k] in 0..V 0.5 0.25 0.125 0.0625 -0.75"}},
  };
  return rows;
}

}  // namespace plumb::topics

// Ragged tensors in variants, so that lists and loops can hold them as single values.
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/scalar_shape.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ToVariantShapes(const ShapeContext& c) {
  const auto ragged_rank = static_cast<int>(c.attr<int64_t>("RAGGED_RANK"));
  for (int i = 0; i < ragged_rank; ++i) WithRank(c, i, 1);
  WithRankAtLeast(c, ragged_rank, 1);
  if (!c.attr<bool>("batched_input") || ragged_rank == 0) return {PartialShape(Shape())};
  const int64_t splits = WithRank(c, 0, 1).dim(0);
  return {PartialShape{splits < 0 ? -1 : SubtractSizes(c, splits, 1)}};
}

// Row splits, and values of which nothing is known.
Shapes FromVariantShapes(const ShapeContext& c) {
  const int64_t input_rank = c.attr<int64_t>("input_ragged_rank"), output_rank = c.attr<int64_t>("output_ragged_rank");
  const PartialShape& encoded = c.input(0);
  if (encoded.has_rank()) {
    const int64_t inner = output_rank - encoded.rank();
    Require(input_rank < 0 ? inner >= 0 : input_rank == inner, "RaggedTensorFromVariant: variants of rank ",
            encoded.rank(), " with input_ragged_rank ", input_rank, " do not make output_ragged_rank ", output_rank);
  }
  Shapes shapes(static_cast<size_t>(output_rank), PartialShape::OfRank(1));
  shapes.push_back(PartialShape::Unknown());
  return shapes;
}

Shapes VariantGradientShapes(const ShapeContext& c) {
  RequireShapeOrUnknown(c, 2);
  return {ConstantShape(c, 2)};
}

Values ToVariantGradient(Gradient& g) {
  const int ragged_rank = g.num_inputs() - 1;
  const Endpoint values = g.x(ragged_rank), splits = ragged_rank == 0 ? g.Scalar(0, DType::kInt64) : g.x(0);
  Values gradients(static_cast<size_t>(g.num_inputs()));
  gradients.back() = g.Call("RaggedTensorToVariantGradient", {g.dy(), splits, g.ShapeOf(values)},
                            {{"Tvalues", g.dtype(values)}, {"Tsplits", g.dtype(splits)}});
  return gradients;
}

Values FromVariantGradient(Gradient& g) {
  const PartialShape& encoded = g.shape(g.x(0));
  Require(!encoded.has_rank() || encoded.rank() <= 1,
          "RaggedTensorFromVariant has a gradient for a scalar or a vector of variants, not for the shape ",
          encoded.ToString());
  const int64_t ragged_rank = g.attr<int64_t>("output_ragged_rank");
  const bool is_batch = encoded.has_rank() ? encoded.rank() == 1 : ragged_rank > 0;
  std::vector<Endpoint> parts;
  for (int i = 0; i < ragged_rank; ++i) parts.push_back(g.y(i));
  parts.push_back(g.dy(static_cast<int>(ragged_rank)));
  return {g.Call("RaggedTensorToVariant", parts,
                 {{"RAGGED_RANK", ragged_rank},
                  {"Tvalues", g.attr<DType>("Tvalues")},
                  {"Tsplits", g.attr<DType>("Tsplits")},
                  {"batched_input", is_batch}})};
}

constexpr char kInPrograms[] = "variants have no derivatives of their own; ragged tensors are tried in programs";
constexpr char kCpuTypes[] = "Tvalues in [numbers, quantized, bool, string]";

}  // namespace

std::span<const OpRow> RaggedVariant() {
  static const OpRow rows[] = {
      {.signature = "RaggedTensorToVariant(rt_nested_splits: Tsplits*RAGGED_RANK, rt_dense_values: Tvalues) -> "
                    "(encoded_ragged: variant)",
       .attrs = "RAGGED_RANK: int >= 0; Tvalues: type; Tsplits: type = int64 in [int32, int64]; batched_input: bool",
       .doc = "A ragged tensor as one variant, or, of a batch, each of its rows as one: what the outermost splits "
              "divide. Without splits there are no rows, and one variant.",
       .cpu = kCpuTypes,
       .shape_fn = ToVariantShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ToVariantGradient,
       .gradient_trial = {.untried = kInPrograms},
       .samples = {"RAGGED_RANK=0 batched_input=false/true: () [a b]; b = RaggedTensorFromVariant input_ragged_rank=0 "
                   "output_ragged_rank=0 Tvalues=$Tvalues Tsplits=$Tsplits: this",
                   "RAGGED_RANK=1 batched_input=false: ({0, 2, 2, 5}) [5 k]; b = RaggedTensorFromVariant "
                   "input_ragged_rank=1/-1 output_ragged_rank=1 Tvalues=$Tvalues Tsplits=$Tsplits: this",
                   "RAGGED_RANK=1 batched_input=true: ({0, 2, 2, 5}) [5 k]; b = RaggedTensorFromVariant "
                   "input_ragged_rank=0 output_ragged_rank=1 Tvalues=$Tvalues Tsplits=$Tsplits: this",
                   "RAGGED_RANK=2 batched_input=true: ({0, 2, 2, 3} {0, 1, 1, 4}) [4]; b = RaggedTensorFromVariant "
                   "input_ragged_rank=1 output_ragged_rank=2 Tvalues=$Tvalues Tsplits=$Tsplits: this",
                   "RAGGED_RANK=3 batched_input=true: ({0, 1, 3} {0, 2, 2, 2} {0, 3, 4}) [4 2]; "
                   "b = RaggedTensorFromVariant input_ragged_rank=-1 output_ragged_rank=3 Tvalues=$Tvalues "
                   "Tsplits=$Tsplits: this",
                   "RAGGED_RANK=1 batched_input=true: ({0}) [0]; b = RaggedTensorFromVariant input_ragged_rank=-1 "
                   "output_ragged_rank=1 Tvalues=$Tvalues Tsplits=$Tsplits: this"}},
      {.signature = "RaggedTensorFromVariant(encoded_ragged: variant) -> (output_nested_splits: "
                    "Tsplits*output_ragged_rank, output_dense_values: Tvalues)",
       .attrs = "input_ragged_rank: int >= -1; output_ragged_rank: int >= 0; Tvalues: type; Tsplits: type = int64 in "
                "[int32, int64]",
       .doc = "The ragged tensor in a variant; of several variants, all of them stacked, so that each axis of the "
              "variants becomes one with splits. input_ragged_rank is the number of splits in each variant, -1 says: "
              "what is missing to output_ragged_rank. No variants at all give values of shape [0].",
       .cpu = kCpuTypes,
       .shape_fn = FromVariantShapes,
       .gradient = FromVariantGradient,
       .gradient_trial = {.untried = kInPrograms},
       .samples = {"v = RaggedTensorToVariant RAGGED_RANK=0 Tvalues=$Tvalues Tsplits=$Tsplits batched_input=false: "
                   "() [a b]; input_ragged_rank=0/-1 output_ragged_rank=0: v",
                   "v = RaggedTensorToVariant RAGGED_RANK=2 Tvalues=$Tvalues Tsplits=$Tsplits batched_input=true: "
                   "({0, 2, 3} {0, 1, 1, 4}) [4 k]; input_ragged_rank=1/-1 output_ragged_rank=2: v",
                   "u = RaggedTensorToVariant RAGGED_RANK=1 Tvalues=$Tvalues Tsplits=$Tsplits batched_input=true: "
                   "({0, 2, 3}) [3]; w = RaggedTensorToVariant RAGGED_RANK=1 Tvalues=$Tvalues Tsplits=$Tsplits "
                   "batched_input=true: ({0, 0, 1}) [1]; v = Pack N=2 T=variant axis=0: (u w); input_ragged_rank=0 "
                   "output_ragged_rank=2: v"}},
      {.signature = "RaggedTensorToVariantGradient(encoded_ragged_grad: variant, row_splits: Tsplits, "
                    "dense_values_shape: int32) -> (dense_values_grad: Tvalues)",
       .attrs = "Tvalues: type; Tsplits: type = int64 in [int32, int64]",
       .doc = "The gradient of the values that RaggedTensorToVariant encoded, from those of its variants, one after "
              "the other; an empty variant stands for zeros in the rows that row_splits give it.",
       .cpu = kCpuTypes,
       .shape_fn = VariantGradientShapes,
       .samples = {"v = RaggedTensorToVariant RAGGED_RANK=1 Tvalues=$Tvalues Tsplits=$Tsplits batched_input=true: "
                   "({0, 2, 2, 5}) [5 k]; v {0, 2, 2, 5} {5, k}",
                   "v = RaggedTensorToVariant RAGGED_RANK=0 Tvalues=$Tvalues Tsplits=$Tsplits batched_input=false: "
                   "() [a]; v 0 {a}",
                   "v = RaggedTensorToVariant RAGGED_RANK=1 Tvalues=$Tvalues Tsplits=$Tsplits batched_input=true: "
                   "({0}) [0 k]; v {0} {0, k}"}},
  };
  return rows;
}

}  // namespace plumb::topics

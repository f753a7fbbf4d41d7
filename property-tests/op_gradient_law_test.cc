// Law: the gradient rule of every op gives the derivative that forward-mode differentiation gives exactly, on the
// inputs that the op's row describes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "property-tests/one_op.h"
#include "spec/ops/catalogue.h"

namespace plumb::property {
namespace {

constexpr uint64_t kSeeds = 3;

// Checks all ordinary samples, after so many differentiations; returns how many had anything to differentiate.
int CheckRule(const OpDef& op, int order) {
  int checked = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const SampledCase& sample : SampleInputs(op, WidestTypes(op), seed)) {
      if (!IsOrdinary(sample)) continue;
      OneOp program(op, sample, seed);
      if (!program.HasSomethingToDifferentiate()) continue;
      for (int i = 1; i < order; ++i) program.Differentiate();
      const conformance::GradientCheck check = program.Check();
      EXPECT_TRUE(check.ok()) << op.name << ", derivative " << order << ", sample " << sample.label << ", seed " << seed
                              << ": the rule gives " << check.reverse << ", forward differentiation " << check.forward
                              << ", limit " << check.limit;
      ++checked;
    }
  }
  return checked;
}

// Rules that one op alone cannot show: of gradients, which expect what the op before them left (tried below); that
// forbid; of complex numbers, and of results that are no floating-point numbers. As in TensorFlow, DynamicStitch counts
// rows that are overwritten too, and cross entropy takes it that labels add up to 1.
const std::set<std::string_view> kTriedElsewhere = {"ArgMax",
                                                    "ArgMin",
                                                    "Conj",
                                                    "DynamicStitch",
                                                    "FusedBatchNormGrad",
                                                    "FusedBatchNormGradV2",
                                                    "FusedBatchNormGradV3",
                                                    "MaxPoolGrad",
                                                    "MaxPoolGradGrad",
                                                    "PreventGradient",
                                                    "SoftmaxCrossEntropyWithLogits"};

// Variables and tensor arrays are differentiated by the programs in client/.
bool NeedsAResource(const OpDef& op) {
  return std::any_of(op.inputs.begin(), op.inputs.end(),
                     [](const ArgDef& input) { return input.type == DType::kResource || input.is_ref; });
}

TEST(OpGradients, EveryRuleIsTheDerivative) {
  for (const OpDef* op : AllOps()) {
    if (op->gradient.kind != Differentiation::Kind::kRule || NeedsAResource(*op)) continue;
    const bool elsewhere = kTriedElsewhere.contains(op->name);
    const int checked = elsewhere || !CanSample(*op) ? 0 : CheckRule(*op, 1);
    EXPECT_EQ(checked == 0, elsewhere) << op->name;
  }
}

TEST(OpGradients, TheRulesOfGradientOpsAreTheDerivatives) {
  for (const char* op : {"AvgPool", "BiasAdd", "Conv2D", "FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3",
                         "LogSoftmax", "MaxPool", "Relu", "Rsqrt", "Sigmoid", "Softmax", "Sqrt", "Tanh"}) {
    EXPECT_GT(CheckRule(GetOp(op), 2), 0) << op;
  }
  EXPECT_GT(CheckRule(GetOp("MaxPool"), 3), 0);
}

}  // namespace
}  // namespace plumb::property

// Law: the gradient rule of every op gives the derivative that forward-mode differentiation gives exactly, on the
// inputs that the op's row describes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/compare/compare.h"
#include "conformance/suites/attributes.h"
#include "property-tests/generators/one_op.h"
#include "property-tests/gradient_trials.h"
#include "spec/ops/catalogue.h"

namespace plumb::property {
namespace {

constexpr uint64_t kSeeds = 3;

// Checks all ordinary samples, after so many differentiations; returns how many had anything to differentiate, and adds
// the ops of what was differentiated last.
int CheckRule(const OpDef& op, int order, std::set<std::string>* differentiated) {
  int checked = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const SampledCase& sample : SampleInputs(op, WidestTypes(op), seed)) {
      if (!IsOrdinary(op, sample)) continue;
      OneOp program(op, sample, seed);
      if (!program.HasSomethingToDifferentiate()) continue;
      for (int i = 1; i < order; ++i) program.Differentiate();
      differentiated->merge(program.Ops());
      const conformance::GradientCheck check = program.Check();
      EXPECT_TRUE(check.ok()) << op.name << ", derivative " << order << ", sample " << sample.label << ", seed " << seed
                              << ": the rule gives " << check.reverse << ", forward differentiation " << check.forward
                              << ", limit " << check.limit;
      ++checked;
    }
  }
  return checked;
}

bool AreEqual(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& x, const Tensor& y) { return conformance::CompareExact(x, y).ok(); });
}

// Whether the rule holds with these attributes in the place of the sample's; not where op or rule refuse them, nor
// where they change nothing that the op answers: a rule that forgets them would hold as well. Of a higher order it is
// the rule of a gradient op.
bool HoldsWith(const OpDef& op, const SampledCase& sample, const AttrMap& attrs, int order) {
  const SampledCase changed = conformance::WithAttributes(op, sample, attrs);
  try {
    OneOp program(op, changed, /*seed=*/1);
    if (!program.HasSomethingToDifferentiate()) return false;
    if (AreEqual(program.Values(), OneOp(op, sample, /*seed=*/1).Values())) return false;
    for (int i = 1; i < order; ++i) program.Differentiate();
    const conformance::GradientCheck check = program.Check();
    EXPECT_TRUE(check.ok()) << op.name << ", derivative " << order << ", sample " << sample.label << ", "
                            << attrs.begin()->first << "=" << attrs.begin()->second.ToString() << ": the rule gives "
                            << check.reverse << ", forward differentiation " << check.forward << ", limit "
                            << check.limit;
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Rules that are TensorFlow's, and not the derivative.
bool IsTensorFlowsOwn(const OpDef& op, const conformance::AttrDraw& draw) {
  // Boxes get the gradient of bilinear sampling, whatever samples.
  return op.name == "CropAndResize" && draw.name == "method=nearest";
}

struct OtherAttributes {
  std::set<std::string> held, not_shown;
};

// Values of attributes that no sample has: a rule that does not hand an attribute on is right by its default alone.
void CheckOtherAttributes(const OpDef& op, OtherAttributes* found) {
  std::vector<SampledCase> samples;  // the same as of the rule with the attributes of samples
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    for (const SampledCase& sample : SampleInputs(op, WidestTypes(op), seed)) {
      if (IsOrdinary(op, sample)) samples.push_back(sample);
    }
  }
  for (const conformance::AttrDraw& draw : conformance::DrawsFor(op)) {
    const auto draws = [&](const SampledCase& sample) { return conformance::Draws(draw, sample.attrs); };
    if (std::any_of(samples.begin(), samples.end(), draws) || IsTensorFlowsOwn(op, draw)) continue;
    bool is_shown = !draw.candidates.empty();  // by the derivative of this order, and so perhaps by the next one
    for (int order = 1; order <= op.gradient_trial.order && is_shown; ++order) {
      int held = 0;
      for (const AttrMap& attrs : draw.candidates) {
        for (const SampledCase& sample : samples) held += HoldsWith(op, sample, attrs, order) ? 1 : 0;
      }
      is_shown = held > 0;
      const std::string which = order == 1 ? "" : Str(", derivative ", order);
      (is_shown ? found->held : found->not_shown).insert(Str(op.name, " ", draw.name, which));
    }
  }
}

// A row says why its samples cannot show its rule, or they do.
TEST(OpGradients, EveryRuleIsTheDerivative) {
  std::set<std::string> differentiated;
  for (const OpDef* op : AllOps()) {
    if (op->gradient.kind != Differentiation::Kind::kRule || NeedsAResource(*op)) continue;
    const bool untried = *op->gradient_trial.untried != '\0';
    const int checked = untried || !CanSample(*op) ? 0 : CheckRule(*op, 1, &differentiated);
    EXPECT_EQ(checked == 0, untried) << op->name;
  }
}

// With which no sample computes anything else than without, or which it refuses. Who adds one says why.
const std::set<std::string> kNotShown = {
    // Kernels of the CPU refuse them.
    "AvgPool3D data_format=NCDHW", "AvgPool3DGrad data_format=NCDHW", "DepthToSpace data_format=NCHW",
    "DepthToSpace data_format=NCHW_VECT_C", "DepthwiseConv2dNative dilations=other",
    "DepthwiseConv2dNativeBackpropFilter dilations=other", "DepthwiseConv2dNativeBackpropInput dilations=other",
    "MaxPool data_format=NCHW_VECT_C", "MaxPool3D data_format=NCDHW", "MaxPoolV2 data_format=NCHW_VECT_C",
    "SpaceToDepth data_format=NCHW", "SpaceToDepth data_format=NCHW_VECT_C",
    // The gradient of the gradient pads by no list.
    "MaxPool explicit_paddings=other, derivative 2", "MaxPool padding=EXPLICIT, derivative 2",
    // They say how, not what, or concern an output through which nothing flows back.
    "Cast Truncate=true", "Conv2D use_cudnn_on_gpu=false", "Conv2DBackpropFilter use_cudnn_on_gpu=false",
    "Conv2DBackpropInput use_cudnn_on_gpu=false", "FractionalAvgPool deterministic=false",
    "FractionalMaxPool deterministic=false", "FusedBatchNorm exponential_avg_factor=other",
    "FusedBatchNormV2 exponential_avg_factor=other", "FusedBatchNormV3 exponential_avg_factor=other",
    "MatrixSolveLs fast=false", "Print first_n=default", "Print message=other", "Print summarize=other",
    // The sample that has it is of narrower types, in which the rule is the same.
    "BatchMatMulV3 adj_y=true"};

TEST(OpGradients, RulesFollowAttributesThatNoSampleHas) {
  OtherAttributes found;
  for (const OpDef* op : AllOps()) {
    if (op->gradient.kind != Differentiation::Kind::kRule || NeedsAResource(*op)) continue;
    if (*op->gradient_trial.untried == '\0' && CanSample(*op)) CheckOtherAttributes(*op, &found);
  }
  EXPECT_EQ(found.not_shown, kNotShown);
  for (const char* draw : {"FusedBatchNormV3 epsilon=other", "LRN bias=other", "Conv2D data_format=NCHW"}) {
    EXPECT_TRUE(found.held.contains(draw)) << draw;
  }
}

TEST(OpGradients, TheRulesOfGradientOpsAreTheDerivatives) {
  std::set<std::string> differentiated;
  for (const OpDef* op : AllOps()) {
    for (int order = 2; order <= op->gradient_trial.order; ++order) {
      EXPECT_GT(CheckRule(*op, order, &differentiated), 0) << op->name;
    }
  }
  for (const std::string& op : TriedBy(kLawOfOrders)) EXPECT_TRUE(differentiated.contains(op)) << op;
}

}  // namespace
}  // namespace plumb::property

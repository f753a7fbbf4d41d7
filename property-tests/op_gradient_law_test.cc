// Law: the gradient rule of every op gives the derivative that forward-mode differentiation gives exactly, on the
// inputs that the op's row describes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "conformance/suites/attributes.h"
#include "property-tests/generators/one_op.h"
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

// Variables and tensor arrays are differentiated by the programs in client/.
bool NeedsAResource(const OpDef& op) {
  return std::any_of(op.inputs.begin(), op.inputs.end(),
                     [](const ArgDef& input) { return input.type == DType::kResource || input.is_ref; });
}

// Whether the rule holds with these attributes in the place of the sample's; nothing where op or rule refuse them.
bool HoldsWith(const OpDef& op, const SampledCase& sample, const AttrMap& attrs) {
  const SampledCase changed = conformance::WithAttributes(op, sample, attrs);
  try {
    OneOp program(op, changed, /*seed=*/1);
    if (!program.HasSomethingToDifferentiate()) return false;
    const conformance::GradientCheck check = program.Check();
    EXPECT_TRUE(check.ok()) << op.name << ", sample " << sample.label << ", " << attrs.begin()->first << "="
                            << attrs.begin()->second.ToString() << ": the rule gives " << check.reverse
                            << ", forward differentiation " << check.forward << ", limit " << check.limit;
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Rules that are TensorFlow's, and not the derivative.
bool IsTensorFlowsOwn(const OpDef& op, const conformance::AttrDraw& draw) {
  // Boxes get the gradient of bilinear sampling, whatever samples.
  if (op.name == "CropAndResize") return draw.name == "method=nearest";
  // Nothing flows through the statistics of a batch.
  return op.name.starts_with("FusedBatchNorm") && draw.name == "is_training=true";
}

// Values of attributes that no sample has: a rule that does not hand an attribute on is right by its default alone.
std::set<std::string> CheckOtherAttributes(const OpDef& op) {
  std::vector<SampledCase> samples = SampleInputs(op, WidestTypes(op), /*seed=*/1);
  std::erase_if(samples, [](const SampledCase& sample) { return !IsOrdinary(sample); });
  std::set<std::string> held;
  for (const conformance::AttrDraw& draw : conformance::DrawsFor(op)) {
    const auto draws = [&](const SampledCase& sample) { return conformance::Draws(draw, sample.attrs); };
    if (std::any_of(samples.begin(), samples.end(), draws) || IsTensorFlowsOwn(op, draw)) continue;
    for (const AttrMap& attrs : draw.candidates) {
      for (const SampledCase& sample : samples) {
        if (HoldsWith(op, sample, attrs)) held.insert(op.name + " " + draw.name);
      }
    }
  }
  return held;
}

// A row says why its samples cannot show its rule, or they do.
TEST(OpGradients, EveryRuleIsTheDerivative) {
  for (const OpDef* op : AllOps()) {
    if (op->gradient.kind != Differentiation::Kind::kRule || NeedsAResource(*op)) continue;
    const bool untried = *op->gradient_trial.untried != '\0';
    const int checked = untried || !CanSample(*op) ? 0 : CheckRule(*op, 1);
    EXPECT_EQ(checked == 0, untried) << op->name;
  }
}

TEST(OpGradients, RulesFollowAttributesThatNoSampleHas) {
  std::set<std::string> held;
  for (const OpDef* op : AllOps()) {
    if (op->gradient.kind != Differentiation::Kind::kRule || NeedsAResource(*op)) continue;
    if (*op->gradient_trial.untried == '\0' && CanSample(*op)) held.merge(CheckOtherAttributes(*op));
  }
  for (const char* draw :
       {"FusedBatchNormV3 epsilon=other", "LRN bias=other", "StridedSliceGrad ellipsis_mask=other"}) {
    EXPECT_TRUE(held.contains(draw)) << draw;
  }
}

TEST(OpGradients, TheRulesOfGradientOpsAreTheDerivatives) {
  int tried = 0;
  for (const OpDef* op : AllOps()) {
    for (int order = 2; order <= op->gradient_trial.order; ++order) {
      EXPECT_GT(CheckRule(*op, order), 0) << op->name;
      ++tried;
    }
  }
  EXPECT_GT(tried, 0);
}

}  // namespace
}  // namespace plumb::property

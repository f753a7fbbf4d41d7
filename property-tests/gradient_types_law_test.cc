// Law: of every choice of types, gradients have the type and the shape of what they are of, and can be computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/suites/variants.h"
#include "property-tests/generators/one_op.h"
#include "spec/ops/catalogue.h"

namespace plumb::property {
namespace {

bool HasSlope(DType dtype) { return IsFloating(dtype) || IsComplex(dtype); }

// Where there is no floating-point or complex input or output, or no kernel of the op itself for the types.
bool HasNothingToTake(OneOp& program) {
  if (!program.HasSomethingToDifferentiate()) return true;
  try {
    program.Values();
    return false;
  } catch (const Error& error) {
    EXPECT_EQ(error.status().reason(), Reason::kNoKernel) << error.what();
    return true;
  }
}

// Whether the gradients of what the program gives are made and computed. They take its place.
bool CanBeTaken(OneOp& program) {
  try {
    program.TakeGradients();
    const std::vector<Tensor> values = program.Values();
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(program.ys()[i].dtype(), program.xs()[i].dtype());
      EXPECT_EQ(values[i].shape(), program.xs()[i].shape().ToShape());
    }
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Gradients are made of ops that take fewer types than what they are of, in TensorFlow too: an op, and what the name of
// its choice of types holds.
using Refused = std::pair<std::string, std::string>;
const std::set<Refused> kRefused = {
    {"BatchMatMulV3", "Ta=bfloat16 Tb=int8"},
    {"BatchMatMulV3", "Ta=bfloat16 Tb=uint8"},
    {"BatchMatMulV3", "Ta=int8 Tb=bfloat16"},
    {"BatchMatMulV3", "Ta=uint8 Tb=bfloat16"},
    {"Digamma", "T=float16"},                     // Polygamma
    {"MaxPoolWithArgmax", "Targmax=int32"},       // MaxPoolGradWithArgmax
    {"Qr", "T=float16"},                          // MatrixTriangularSolve
    {"StatelessRandomGammaV2", "dtype=float16"},  // RandomGammaGrad
    {"StatelessRandomGammaV3", "dtype=float16"},
    {"StridedSlice", "Index=int16"},  // Shape
};

// Returns how many gradients there were; `met` is added to where they are refused as they ought to be.
int CheckTypes(const OpDef& op, const conformance::Variant& variant, std::set<Refused>* met) {
  const auto refused = std::find_if(kRefused.begin(), kRefused.end(), [&](const Refused& line) {
    return line.first == op.name && variant.name.find(line.second) != std::string::npos;
  });
  int found = 0;
  for (const SampledCase& sample : SampleInputs(op, variant.types, /*seed=*/1)) {
    if (!IsOrdinary(op, sample, HasSlope)) continue;
    SCOPED_TRACE(Str(op.name, "/", variant.name, ", sample ", sample.label));
    OneOp program(op, sample, /*seed=*/1, OneOp::At::kSample, HasSlope);
    if (HasNothingToTake(program)) continue;
    bool is_taken = true;
    for (int order = 1; order <= std::max(1, op.gradient_trial.order) && is_taken; ++order) {
      is_taken = CanBeTaken(program);
      EXPECT_EQ(is_taken, refused == kRefused.end()) << "derivative " << order;
      if (!is_taken && refused != kRefused.end()) met->insert(*refused);
      ++found;
    }
  }
  return found;
}

TEST(OpGradients, HaveTheTypesOfWhatTheyAreOf) {
  std::set<Refused> met;
  for (const OpDef* op : AllOps()) {
    if (op->gradient.kind != Differentiation::Kind::kRule || NeedsAResource(*op)) continue;
    if (*op->gradient_trial.untried != '\0' || !CanSample(*op)) continue;
    int found = 0;
    for (const conformance::Variant& variant : conformance::VariantsOf(*op)) found += CheckTypes(*op, variant, &met);
    EXPECT_GT(found, 0) << op->name;
  }
  EXPECT_EQ(met, kRefused);
}

}  // namespace
}  // namespace plumb::property

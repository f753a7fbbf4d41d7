// Law: what is known of a value before the run is what the kernel gives, and of what the kernel refuses nothing is
// known.
#include "spec/ops/known_values.h"

#include <gtest/gtest.h>

#include <map>

#include "conformance/compare/oracle.h"
#include "conformance/suites/single_node.h"
#include "conformance/suites/variants.h"
#include "conformance/suites/wrong_inputs_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/shape_test_context.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kSeed = 3;

bool Folds(const OpDef& op) { return op.fold.from_shapes != nullptr || op.fold.from_values != nullptr; }

// Of all values and shapes.
std::vector<Tensor> Known(const OpDef& op, const SampledCase& sample, size_t outputs) {
  std::vector<PartialShape> shapes;
  std::map<int, Tensor> values;
  for (const Tensor& input : sample.inputs) {
    values.emplace(static_cast<int>(shapes.size()), input);
    shapes.emplace_back(input.shape());
  }
  std::vector<DType> types;
  for (const ArgDef& output : op.outputs) {
    for (const DType type : ExpandTypes(output, sample.attrs)) types.push_back(type);
  }
  const TestShapeContext context(op, std::move(shapes), sample.attrs, std::move(values));
  try {
    InferShapes(context);  // who folds has asked the shape rule before
  } catch (const Error&) {
    return std::vector<Tensor>(outputs);
  }
  std::vector<Tensor> known = FoldKnownValues(context, types);
  known.resize(outputs);
  return known;
}

// How many outputs of the case are known.
int ExpectKnownAsGiven(const OpDef& op, const SampledCase& sample) {
  const SingleNode single = MakeSingleNode(op, sample);
  reference::ReferenceSession session{SessionOptions{}};
  if (!session.Extend(single.graph).ok()) return 0;
  std::vector<Tensor> given;
  const Status status = session.Run(single.run.feeds, single.run.fetches, single.run.targets, &given);
  int count = 0;
  const std::vector<Tensor> known = Known(op, sample, single.run.fetches.size());
  for (size_t i = 0; i < known.size(); ++i) {
    if (!known[i].IsSet()) continue;
    EXPECT_TRUE(status.ok()) << op.name << " on " << sample.label << ": " << known[i].ToString()
                             << " is known, and the kernel says: " << status.message();
    if (!status.ok()) continue;
    EXPECT_TRUE(known[i].BitwiseEquals(given[i])) << op.name << " on " << sample.label << ": " << known[i].ToString()
                                                  << " is known, and the kernel gives " << given[i].ToString();
    ++count;
  }
  return count;
}

TEST(KnownValues, AreThoseThatKernelsGive) {
  for (const OpDef* op : AllOps()) {
    if (!Folds(*op) || !CanSample(*op)) continue;
    int known = 0;
    for (const Variant& variant : VariantsOf(*op)) {
      for (const SampledCase& sample : SampleInputs(*op, variant.types, kSeed)) {
        if (!sample.StandsAlone()) continue;
        known += ExpectKnownAsGiven(*op, sample);
        if (sample.label.find("ordinary") == std::string::npos) continue;
        for (const SampledCase& wrong : WrongInputs(*op, sample)) known += ExpectKnownAsGiven(*op, wrong);
      }
    }
    EXPECT_GT(known, 0) << "nothing is ever known of " << op->name;
  }
}

}  // namespace
}  // namespace plumb::conformance

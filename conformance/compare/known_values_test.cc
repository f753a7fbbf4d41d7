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

struct Knowledge {
  int known = 0;             // outputs
  bool is_answered = false;  // by the kernel
};
Knowledge ExpectKnownAsGiven(const OpDef& op, const SampledCase& sample) {
  const SingleNode single = MakeSingleNode(op, sample);
  reference::ReferenceSession session{SessionOptions{}};
  if (!session.Extend(single.graph).ok()) return {};
  std::vector<Tensor> given;
  const Status status = session.Run(single.run.feeds, single.run.fetches, single.run.targets, &given);
  Knowledge knowledge{.is_answered = status.ok()};
  const std::vector<Tensor> known = Known(op, sample, single.run.fetches.size());
  for (size_t i = 0; i < known.size(); ++i) {
    if (!known[i].IsSet()) continue;
    EXPECT_TRUE(status.ok()) << op.name << " on " << sample.label << ": " << known[i].ToString()
                             << " is known, and the kernel says: " << status.message();
    if (!status.ok()) continue;
    EXPECT_TRUE(known[i].BitwiseEquals(given[i])) << op.name << " on " << sample.label << ": " << known[i].ToString()
                                                  << " is known, and the kernel gives " << given[i].ToString();
    ++knowledge.known;
  }
  return knowledge;
}

SampledCase Case(std::vector<Tensor> inputs, AttrMap attrs) {
  SampledCase sample;
  sample.label = "vectors, ordinary";
  sample.inputs = std::move(inputs);
  sample.attrs = std::move(attrs);
  return sample;
}

// Beside the samples of the rows, which have matrices where only of vectors something is known.
std::vector<SampledCase> OfVectors(const OpDef& op) {
  const Tensor zero = MakeScalar<int32_t>(0), two = MakeVector<int32_t>({3, -4}),
               three = MakeVector<int32_t>({5, 6, 7});
  std::vector<SampledCase> cases;
  if (op.name == "Concat") cases.push_back(Case({zero, two, three}, {{"N", 2}, {"T", DType::kInt32}}));
  if (op.name == "Sum" || op.name == "Prod") {
    for (const bool keeps : {false, true}) {
      for (const Tensor& axes :
           {zero, MakeVector<int32_t>({0}), MakeVector<int32_t>({-1}), Tensor(DType::kInt32, {0})}) {
        cases.push_back(Case({three, axes}, {{"T", DType::kInt32}, {"Tidx", DType::kInt32}, {"keep_dims", keeps}}));
      }
    }
  }
  return cases;
}

TEST(KnownValues, AreThoseThatKernelsGive) {
  for (const OpDef* op : AllOps()) {
    if (!Folds(*op) || !CanSample(*op)) continue;
    int known = 0;
    std::vector<SampledCase> samples = OfVectors(*op);
    for (const Variant& variant : VariantsOf(*op)) {
      for (SampledCase& sample : SampleInputs(*op, variant.types, kSeed)) samples.push_back(std::move(sample));
    }
    for (const SampledCase& sample : samples) {
      if (!sample.StandsAlone()) continue;
      known += ExpectKnownAsGiven(*op, sample).known;
      if (sample.label.find("ordinary") == std::string::npos) continue;
      for (const SampledCase& wrong : WrongInputs(*op, sample)) known += ExpectKnownAsGiven(*op, wrong).known;
    }
    EXPECT_GT(known, 0) << "nothing is ever known of " << op->name;
  }
}

// Elementwise, of two numbers.
bool FoldsPairs(const OpDef& op) {
  return op.fold.from_values != nullptr && op.inputs.size() == 2 && op.inputs[0].type_attr == "T" &&
         op.inputs[1].type_attr == "T" && op.inputs[0].number_attr.empty();
}

// Of small numbers everything that has an answer; at the ends of the type, where answers wrap around, nothing wrong.
TEST(KnownValues, AreAllThatPairsOfSmallNumbersGive) {
  const std::vector<int64_t> numbers = {INT64_MIN, INT64_MIN + 1, -3, -2, -1, 0, 1, 2, 3, INT64_MAX - 1, INT64_MAX};
  const auto is_small = [](int64_t number) { return -4 < number && number < 4; };
  int ops = 0;
  for (const OpDef* op : AllOps()) {
    if (!FoldsPairs(*op)) continue;
    ++ops;
    for (const int64_t a : numbers) {
      for (const int64_t b : numbers) {
        const SampledCase pair = Case({MakeScalar(a), MakeScalar(b)}, {{"T", DType::kInt64}});
        const Knowledge knowledge = ExpectKnownAsGiven(*op, pair);
        if (!is_small(a) || !is_small(b)) continue;
        EXPECT_EQ(knowledge.known, knowledge.is_answered ? 1 : 0) << op->name << " " << a << " " << b;
      }
    }
  }
  EXPECT_GE(ops, 8);
}

}  // namespace
}  // namespace plumb::conformance

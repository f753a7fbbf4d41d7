// What a kernel refuses because of its inputs' shapes, the shape rule refuses before the run: a rule that lets too much
// through is seen here, for kernels that succeed (shape_rules.h) do not show it. What may pass stands in
// testdata/lax_shapes.txt, shape by shape, so that a rule which lets one through still has to refuse the others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "conformance/compare/oracle.h"
#include "conformance/suites/single_node.h"
#include "conformance/suites/wrong_inputs_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/shape_test_context.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kSeed = 5;

// One dimension more, "+1", and two, one less, "-1", none, "[]", and number i larger by one, "i", or smaller, "i-".
std::vector<std::pair<std::string, Shape>> NamedNeighbours(const Shape& shape) {
  const std::vector<int64_t> dims(shape.dims().begin(), shape.dims().end());
  std::vector<std::pair<std::string, std::vector<int64_t>>> others = {{"+1", dims}, {"+2", dims}};
  others[0].second.insert(others[0].second.begin(), 1);
  others[1].second.insert(others[1].second.begin(), {2, 1});
  if (!dims.empty()) others.emplace_back("-1", std::vector<int64_t>(dims.begin() + 1, dims.end()));
  if (dims.size() > 1) others.emplace_back("[]", std::vector<int64_t>());
  for (size_t i = 0; i < dims.size(); ++i) {
    others.emplace_back(Str(i), dims);
    ++others.back().second[i];
    if (dims[i] == 0) continue;
    others.emplace_back(Str(i, "-"), dims);
    --others.back().second[i];
  }
  std::vector<std::pair<std::string, Shape>> shapes;
  for (const auto& [name, other] : others) shapes.emplace_back(name, other);
  return shapes;
}

// Knowing all values.
bool RuleRefuses(const OpDef& op, const SampledCase& sample) {
  std::vector<PartialShape> shapes;
  std::map<int, Tensor> values;
  for (const Tensor& input : sample.inputs) {
    values.emplace(static_cast<int>(shapes.size()), input);
    shapes.emplace_back(input.shape());
  }
  try {
    InferShapes(TestShapeContext(op, std::move(shapes), sample.attrs, std::move(values)));
    return false;
  } catch (const Error&) {
    return true;
  }
}

Status Computed(const OpDef& op, const SampledCase& sample) {
  const SingleNode program = MakeSingleNode(op, sample);
  reference::ReferenceSession session{SessionOptions{}};
  std::vector<Tensor> outputs;
  Status status = session.Extend(program.graph);
  if (status.ok()) status = session.Run(program.run.feeds, program.run.fetches, program.run.targets, &outputs);
  return status;
}

bool CanTry(const OpDef& op) {
  const bool takes_objects = std::any_of(op.inputs.begin(), op.inputs.end(), [](const ArgDef& input) {
    return input.is_ref || input.type == DType::kResource || input.type == DType::kVariant;
  });
  return CanSample(op) && !takes_objects && op.strictness != Strictness::kRepeatsDeclaration;
}

// "Op 0 +1", as "Op 0 +1 []" lists it: what is known to pass the rule, though the kernel refuses it.
std::set<std::string> Known() {
  const char* root = std::getenv("PLUMB_SOURCE_DIR");
  EXPECT_NE(root, nullptr) << "run by ctest, or set PLUMB_SOURCE_DIR";
  std::ifstream file(Str(root, "/conformance/compare/testdata/lax_shapes.txt"));
  std::set<std::string> known;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string op, input, neighbour;
    words >> op >> input;
    while (words >> neighbour) known.insert(Str(op, " ", input, " ", neighbour));
  }
  return known;
}

struct Found {
  const std::set<std::string> known = Known();
  std::set<std::string> lax;
  int refused = 0;  // by both
};

void TryShapes(const OpDef& op, SampledCase sample, Found* found) {
  if (!Computed(op, sample).ok()) return;  // refused as it is
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    const Tensor own = sample.inputs[i];
    for (const auto& [name, shape] : NamedNeighbours(own.shape())) {
      sample.inputs[i] = InShape(own, shape);
      const Status status = Computed(op, sample);
      if (status.code() != Code::kInvalidArgument) continue;
      const std::string lax = Str(op.name, " ", i, " ", name);
      if (RuleRefuses(op, sample)) {
        ++found->refused;
      } else if (found->lax.insert(lax).second) {
        EXPECT_TRUE(found->known.contains(lax))
            << lax << ": the rule lets the shape " << shape.ToString() << " through, which was "
            << own.shape().ToString() << ", and the kernel says: " << status.message();
      }
    }
    sample.inputs[i] = own;
  }
}

TEST(RefusedShapes, AreRefusedByTheRuleToo) {
  Found found;
  for (const OpDef* op : AllOps()) {
    if (!CanTry(*op)) continue;
    for (const SampledCase& sample : SampleInputs(*op, {}, kSeed)) {
      const bool is_ordinary = sample.label.find("ordinary") != std::string::npos;
      if (sample.StandsAlone() && is_ordinary) TryShapes(*op, sample, &found);
    }
  }
  EXPECT_GT(found.refused, 1000);
  for (const std::string& known : found.known) {
    EXPECT_TRUE(found.lax.contains(known)) << known << ": the rule sees it by now";
  }
}

}  // namespace
}  // namespace plumb::conformance

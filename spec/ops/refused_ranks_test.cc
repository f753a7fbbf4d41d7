// Which ranks of an input TensorFlow refuses when a graph is made: all else is unknown to the shape rule then. Recorded
// from TensorFlow 2.12 with the attributes of SomeNode; each word of a line holds the ranks from 0 to 6 that are
// refused of one input. Of ops with "?" nothing was recorded: SomeNode does not make nodes that TensorFlow takes.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "spec/core/status_testing.h"
#include "spec/files/source_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/shape_test_context.h"
#include "spec/validate/some_node_testing.h"

namespace plumb {
namespace {

constexpr int kRanks = 7;

// The ranks of this input that the rule refuses, as they are recorded.
std::string RefusedOf(const OpDef& op, const NodeDef& node, size_t inputs, size_t input) {
  std::string refused;
  for (int rank = 0; rank < kRanks; ++rank) {
    std::vector<PartialShape> shapes(inputs, PartialShape::Unknown());
    shapes[input] = PartialShape(std::vector<int64_t>(static_cast<size_t>(rank), -1));
    const Status status = StatusOf([&] { InferShapes(TestShapeContext(op, shapes, node.attrs)); });
    if (!status.ok()) refused += static_cast<char>('0' + rank);
  }
  return refused.empty() ? "-" : refused;
}

// TensorFlow declares the handles of tensor arrays and stacks, which live for one step, as vectors of two strings; in
// the run they are scalars. A rule that refused scalars would refuse what the kernels of these ops give each other.
bool IsStepHandle(const OpDef& op, size_t input) {
  if (input != 0 || op.inputs.empty() || op.inputs[0].type != DType::kResource) return false;
  return op.inputs[0].handle == "TensorArray" || op.name == "StackCloseV2";
}

TEST(RefusedRanks, AreThoseOfTensorFlow) {
  std::ifstream lines(SourcePath("spec/ops/testdata/refused_ranks.txt"));
  std::set<std::string> listed;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    listed.insert(name);
    if (line.ends_with(" ?")) continue;
    const OpDef& op = GetOp(name);
    const auto node = SomeNode(op, {});
    ASSERT_TRUE(node.has_value()) << name;
    const size_t inputs = ResolveNode(*node).input_types.size();
    for (size_t i = 0; i < inputs; ++i) {
      std::string recorded;
      words >> recorded;
      if (IsStepHandle(op, i)) {
        EXPECT_EQ(recorded, "023456") << name;
        recorded = "23456";
      }
      EXPECT_EQ(RefusedOf(op, *node, inputs, i), recorded) << name << ", input " << i;
    }
  }
  for (const OpDef* op : AllOps()) {
    EXPECT_TRUE(op->inputs.empty() || listed.contains(op->name)) << op->name;
  }
}

}  // namespace
}  // namespace plumb

// What the shape rules know before the run: of each op's outputs, on the samples of its row. A rule that says less than
// it could is right whatever the kernel does, so shape_rules.h does not see it; but whoever builds a graph, folds
// constants or places nodes then knows less. What is known stands in testdata/known_shapes.txt and changes there too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "backends/backends.h"
#include "conformance/suites/single_node.h"
#include "spec/files/working_folder_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/shape_test_context.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kSeed = 1;

// "[n?]" of two dimensions, the second of which is open; "?" where the rank is.
std::string Written(const PartialShape& shape) {
  if (!shape.has_rank()) return "?";
  std::string text = "[";
  for (int axis = 0; axis < shape.rank(); ++axis) text += shape.dim(axis) < 0 ? '?' : 'n';
  return text + "]";
}

// What is known, of one op. The lines begin with what the rule was told: "all" shapes and values, all "shapes", all but
// input number i, "-i", or "nothing". Of the first two they name what is open all the same, of the others what is
// known.
class KnownOfOp {
 public:
  void Take(const Node& node, std::span<const reference::Item> inputs) {
    std::vector<PartialShape> shapes(inputs.size());
    std::map<int, Tensor> values;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Tensor& tensor = inputs[i].value.tensor;
      if (!tensor.IsSet()) continue;
      shapes[i] = PartialShape(tensor.shape());
      values.emplace(static_cast<int>(i), tensor);
    }
    Ask("all", node, shapes, values);
    Ask("shapes", node, shapes, {});
    Ask("nothing", node, std::vector<PartialShape>(inputs.size()), {});
    for (size_t i = 0; inputs.size() > 1 && i < inputs.size(); ++i) {
      std::vector<PartialShape> others = shapes;
      std::map<int, Tensor> known = values;
      others[i] = PartialShape::Unknown();
      known.erase(static_cast<int>(i));
      Ask(Str("-", i), node, std::move(others), std::move(known));
    }
  }

  // "Op all 0:[?] 1:?": each output with all that was met of it.
  std::vector<std::string> Lines(std::string_view op) const {
    std::vector<std::string> lines;
    for (const auto& [told, outputs] : met_) {
      std::string line = Str(op, " ", told);
      for (const auto& [output, states] : outputs) {
        std::string all;
        for (const std::string& state : states) all += (all.empty() ? ":" : "/") + state;
        line += Str(" ", output, all);
      }
      lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  void Ask(const std::string& told, const Node& node, std::vector<PartialShape> shapes, std::map<int, Tensor> values) {
    std::vector<PartialShape> outputs;
    try {
      outputs = InferShapes(TestShapeContext(*node.op, std::move(shapes), node.attrs, std::move(values)));
    } catch (const Error&) {
      return;
    }
    const bool names_what_is_open = told == "all" || told == "shapes";
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string state = Written(outputs[i]);
      const bool is_open = state.find('?') != std::string::npos, is_known = state != "?";
      if (names_what_is_open ? is_open : is_known) met_[told][i].insert(state);
    }
  }

  std::map<std::string, std::map<size_t, std::set<std::string>>> met_;
};

KnownOfOp KnownOf(const OpDef& op) {
  KnownOfOp known;
  for (const SampledCase& sampled : SampleInputs(op, {}, kSeed)) {
    const SingleNode single = MakeSingleNode(op, sampled);
    reference::ReferenceSession session;
    if (!session.Extend(single.graph).ok()) continue;
    reference::Mode mode;
    mode.observer = [&](const reference::NodeRun& run) {
      const bool is_its_own =
          run.step_node.rule != reference::Rule::kFeed && run.step_node.rule != reference::Rule::kFetch;
      if (run.node.op == &op && is_its_own && !run.dead) known.Take(run.node, run.inputs);
    };
    for (const StepRequest* step : {&single.initialize, &single.run}) {
      if (step->fetches.empty() && step->targets.empty()) continue;
      const std::vector<reference::ValueFeed> feeds(step->feeds.begin(), step->feeds.end());
      std::vector<reference::Value> values;
      if (!session.RunValues(feeds, step->fetches, step->targets, &values, mode).ok()) break;
    }
  }
  return known;
}

std::set<std::string> LinesOf(const char* name) {
  const char* root = std::getenv("PLUMB_SOURCE_DIR");
  EXPECT_NE(root, nullptr) << "run by ctest, or set PLUMB_SOURCE_DIR";
  std::ifstream file(Str(root, "/conformance/compare/testdata/", name));
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) lines.insert(line);
  }
  return lines;
}

TEST(KnownShapes, AreThoseThatWereKnown) {
  std::set<std::string> written = LinesOf("known_shapes.txt");
  const TemporaryWorkingFolder folder;  // where some ops write their files
  for (const OpDef* op : AllOps()) {
    if (!CanSample(*op) || !IsImplemented("reference", op->name)) continue;
    for (const std::string& line : KnownOf(*op).Lines(op->name)) {
      EXPECT_EQ(written.erase(line), 1) << "testdata/known_shapes.txt lacks the line: " << line;
    }
  }
  for (const std::string& line : written)
    ADD_FAILURE() << "testdata/known_shapes.txt says what is so no more: " << line;
}

}  // namespace
}  // namespace plumb::conformance

// R1, R46: what a handle led to was destroyed. Every op that takes handles says so, with one code on all backends.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "backends/backends.h"
#include "conformance/suites/single_node.h"
#include "conformance/suites/trial_folders_testing.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/signatures.h"

namespace plumb::conformance {
namespace {

constexpr uint64_t kSeed = 7;

// The graph, in which all that the tried node's handles lead to is destroyed just before it; none where it takes none.
std::optional<GraphDef> WithDestroyedHandles(GraphDef graph) {
  const auto is_tried = [](const NodeDef& node) { return node.name == kTried; };
  const auto tried = std::find_if(graph.nodes.begin(), graph.nodes.end(), is_tried);
  const Node node = ResolveNode(*tried);
  std::vector<std::string> handles, before;
  for (const std::string& input : tried->inputs) {
    if (input.starts_with("^")) {
      before.push_back(input);
    } else if (node.input_types[handles.size()] == DType::kResource) {
      handles.push_back(input);
    } else {
      handles.emplace_back();
    }
  }
  std::erase(handles, "");
  if (handles.empty()) return std::nullopt;
  std::vector<NodeDef> destroying;
  for (const std::string& handle : handles) {
    const std::string name = Str("destroy_", destroying.size());
    destroying.push_back({name, "DestroyResourceOp", {handle}, "", {{"ignore_lookup_error", true}}, ""});
    destroying.back().inputs.insert(destroying.back().inputs.end(), before.begin(), before.end());
    tried->inputs.push_back("^" + name);
  }
  graph.nodes.insert(graph.nodes.end(), destroying.begin(), destroying.end());
  return graph;
}

Status Ran(std::string_view backend, const SingleNode& single, const GraphDef& graph) {
  const auto session = OpenSession(backend);
  const std::vector<std::string> tried = {kTried};
  Status status = session->Extend(graph);
  if (status.ok() && !single.initialize.targets.empty()) {
    status = session->Run(single.initialize.feeds, {}, single.initialize.targets, nullptr);
  }
  if (!status.ok()) return status;
  return session->Run({.timeout_ms = 5000}, single.run.feeds, {}, tried, nullptr, nullptr);
}

class DestroyedHandles : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backends, DestroyedHandles, testing::Values("cpu", "sim", "gpu-emulated"));

TEST_P(DestroyedHandles, AreAnsweredAsByTheReference) {
  const TemporaryTrialFolders folders;
  int tried = 0, refused = 0;
  for (const OpDef* op : AllOps()) {
    if (!CanSample(*op) || !IsImplemented(GetParam(), op->name)) continue;
    for (const SampledCase& sample : SampleInputs(*op, {}, kSeed)) {
      if (sample.label.find("ordinary") == std::string::npos) continue;
      const SingleNode single = MakeSingleNode(*op, sample);
      const auto graph = WithDestroyedHandles(single.graph);
      if (!graph) continue;
      folders->Empty();
      folders->EnterReference();
      const Status expected = Ran("reference", single, *graph);
      folders->EnterBackend();
      const Status actual = Ran(GetParam(), single, *graph);
      EXPECT_EQ(actual.code(), expected.code())
          << op->name << " on " << sample.label << "\n"
          << GetParam() << ": " << actual.ToString() << "\nreference: " << expected.ToString();
      ++tried;
      refused += expected.ok() ? 0 : 1;
    }
  }
  EXPECT_GT(tried, 200);
  EXPECT_GT(refused, tried / 2);
}

}  // namespace
}  // namespace plumb::conformance

// A10: attributes that TensorFlow reads as int32 are refused beyond it, when a graph is imported or by the kernel.
// Recorded from TensorFlow 2.12, on the first sample of each op: an op, an attribute, and where it was refused; "-":
// TensorFlow took it, or refused it for another reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "backends/backends.h"
#include "conformance/suites/attributes.h"
#include "conformance/suites/int32_attributes_testing.h"
#include "conformance/suites/trial_folders_testing.h"
#include "spec/core/status_testing.h"
#include "spec/files/source_testing.h"
#include "spec/graph/graph.h"
#include "spec/ops/catalogue.h"
#include "spec/validate/shapes.h"

namespace plumb::conformance {
namespace {

struct Recorded {
  std::string op, attr, by;
};
std::vector<Recorded> ReadRecorded() {
  std::ifstream lines(SourcePath("spec/ops/testdata/int32_attributes.txt"));
  std::vector<Recorded> all;
  for (Recorded line; lines >> line.op >> line.attr >> line.by;) all.push_back(line);
  return all;
}

Status Imported(const GraphDef& graph) {
  return StatusOf([&] { InferGraphShapes(Graph::Load(graph)); });
}

Status Answer(const std::string& backend, const SingleNode& single) {
  const std::unique_ptr<Session> session = OpenSession(backend);
  Status status = session->Extend(single.graph);
  std::vector<Tensor> outputs;
  for (const StepRequest* step : {&single.initialize, &single.run}) {
    if (!status.ok() || (step->fetches.empty() && step->targets.empty())) continue;
    status = session->Run(step->feeds, step->fetches, step->targets, &outputs);
  }
  return status;
}

TEST(Int32Attributes, AreRefusedBeyond) {
  const TemporaryTrialFolders folders;
  for (const auto& [name, attr, by] : ReadRecorded()) {
    if (by == "-") continue;
    const auto single = NodeBeyondInt32(GetOp(name), attr);
    ASSERT_TRUE(single.has_value()) << name << " " << attr;
    const std::string where = name + " " + attr;
    if (by == "import") {
      EXPECT_EQ(Imported(single->graph).code(), Code::kInvalidArgument) << where << ", imported";
    }
    for (const char* backend : {"reference", "cpu", "gpu-emulated"}) {
      EXPECT_EQ(Answer(backend, *single).code(), Code::kInvalidArgument) << where << " on " << backend;
    }
  }
}

TEST(Int32Attributes, AreRecordedOfEveryOpThatCanBeTriedByItself) {
  std::set<std::pair<std::string, std::string>> recorded;
  for (const auto& [name, attr, by] : ReadRecorded()) recorded.insert({name, attr});
  for (const OpDef* op : AllOps()) {
    for (const AttrDef& attr : op->attrs) {
      if (attr.kind != AttrKind::kInt || CountsArguments(*op, attr) || !NodeBeyondInt32(*op, attr.name)) continue;
      EXPECT_TRUE(recorded.contains({op->name, attr.name})) << op->name << " " << attr.name;
    }
  }
}

}  // namespace
}  // namespace plumb::conformance

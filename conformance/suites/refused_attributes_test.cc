// Which values of an attribute TensorFlow refuses when a graph is imported. Recorded from TensorFlow 2.12, on the first
// sample of each op, whose inputs are constants there: an op, an attribute, and the words of the odd values that are
// refused; "-": none of them. What a word with "!" stands for is taken here: TensorFlow's rule tells another shape than
// its kernel has, where windows of one channel are apart by several.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "conformance/suites/refused_attributes_testing.h"
#include "spec/core/status_testing.h"
#include "spec/files/source_testing.h"
#include "spec/graph/graph.h"
#include "spec/validate/shapes.h"

namespace plumb::conformance {
namespace {

std::map<std::string, std::set<std::string>> ReadRecorded() {
  std::ifstream lines(SourcePath("spec/ops/testdata/refused_attributes.txt"));
  std::map<std::string, std::set<std::string>> recorded;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string op, attr, word;
    words >> op >> attr;
    std::set<std::string>& refused = recorded[op + " " + attr];
    while (words >> word) {
      if (word != "-" && !word.ends_with("!")) refused.insert(word);
    }
  }
  return recorded;
}

TEST(RefusedAttributes, AreThoseOfTensorFlow) {
  std::map<std::string, std::set<std::string>> recorded = ReadRecorded();
  for (const OpDef* op : AllOps()) {
    for (const AttrDef& attr : op->attrs) {
      const std::map<std::string, GraphDef> graphs = OddGraphs(*op, attr);
      if (graphs.empty()) continue;
      const std::string name = op->name + " " + attr.name;
      ASSERT_TRUE(recorded.contains(name)) << name << " is not recorded";
      std::set<std::string> refused;
      for (const auto& [word, graph] : graphs) {
        const Status status = StatusOf([&] { InferGraphShapes(Graph::Load(graph)); });
        if (status.ok()) continue;
        refused.insert(word);
        EXPECT_EQ(status.code(), Code::kInvalidArgument) << name << " " << word << ": " << status.ToString();
      }
      EXPECT_EQ(refused, recorded[name]) << name;
      recorded.erase(name);
    }
  }
  for (const auto& [name, words] : recorded) ADD_FAILURE() << name << " is recorded, and no sample has it";
}

}  // namespace
}  // namespace plumb::conformance

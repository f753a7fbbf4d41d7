// plumb_list_graphs FOLDER OP…: the graphs by which tools/record_lists.py asks TensorFlow what it refuses, as files in
// the folder; none of ops without a row. Prints a line for each, of words with tabs between them:
//   ranks OP FILE                  variables of unknown shape, and last the node; FILE is "?" where none can be made
//   int32 OP ATTR FILE INITS RUNS  the attribute is 2^31; targets of two steps, with commas between them
//   odd OP ATTR FILE WORD          the attribute has the odd value of that word (refused_attributes_testing.h)
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "conformance/suites/attributes.h"
#include "conformance/suites/int32_attributes_testing.h"
#include "conformance/suites/refused_attributes_testing.h"
#include "spec/core/status.h"
#include "spec/files/file.h"
#include "spec/graph/proto_io.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/known/known_ops.h"
#include "spec/validate/some_node_testing.h"

namespace {

using namespace plumb;
using namespace plumb::conformance;

NodeDef Named(const std::string& name, const std::string& op, AttrMap attrs) {
  NodeDef node;
  node.name = name;
  node.op = op;
  node.attrs = std::move(attrs);
  return node;
}

// Its inputs are variables, which may stand for values as well: TensorFlow takes a Placeholder that is a scalar for one
// of unknown shape in graphs of the versions that deprecated ops need.
std::optional<GraphDef> RanksGraph(const OpDef& op) {
  std::optional<NodeDef> node = SomeNode(op, {});
  if (!node) return std::nullopt;
  GraphDef graph;
  for (const DType type : ResolveNode(*node).input_types) {
    const std::string name = Str("x", graph.nodes.size());
    node->inputs.push_back(name);
    const AttrMap attrs = {{"dtype", Base(type)}, {"shape", PartialShape::Unknown()}};
    graph.nodes.push_back(Named(name, "VariableV2", attrs));
  }
  graph.nodes.push_back(std::move(*node));
  return graph;
}

// Its feeds as constants, so that a step needs targets alone.
GraphDef Fed(const SingleNode& single) {
  GraphDef graph = single.graph;
  for (const StepRequest* step : {&single.initialize, &single.run}) {
    for (const auto& [name, tensor] : step->feeds) {
      for (NodeDef& node : graph.nodes) {
        if (node.name + ":0" != name && node.name != name) continue;
        node.op = "Const";
        node.attrs = {{"dtype", tensor.dtype()}, {"value", tensor}};
      }
    }
  }
  return graph;
}

std::string Joined(std::vector<std::string> names, const std::vector<std::string>& fetches) {
  for (const std::string& fetch : fetches) names.push_back(fetch.substr(0, fetch.find(':')));
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

class Writer {
 public:
  explicit Writer(std::string folder) : folder_(std::move(folder)) {}

  void Write(const OpDef& op) {
    const auto ranks = RanksGraph(op);
    if (ranks || !op.inputs.empty()) Print({"ranks", op.name, ranks ? File(*ranks) : "?"});
    for (const AttrDef& attr : op.attrs) {
      if (attr.kind == AttrKind::kInt && !CountsArguments(op, attr)) {
        if (const auto single = NodeBeyondInt32(op, attr.name)) {
          Print({"int32", op.name, attr.name, File(Fed(*single)),
                 Joined(single->initialize.targets, single->initialize.fetches),
                 Joined(single->run.targets, single->run.fetches)});
        }
      }
      for (const auto& [word, graph] : OddGraphs(op, attr)) Print({"odd", op.name, attr.name, File(graph), word});
    }
  }

 private:
  std::string File(const GraphDef& graph) {
    const std::string path = Str(folder_, "/", files_++, ".pb");
    WriteFile(path, SerializeGraphDef(graph));
    return path;
  }
  static void Print(const std::vector<std::string>& words) {
    for (size_t i = 0; i < words.size(); ++i) std::printf("%s%s", i > 0 ? "\t" : "", words[i].c_str());
    std::printf("\n");
  }

  const std::string folder_;
  int files_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: plumb_list_graphs FOLDER OP…\n";
    return 2;
  }
  try {
    Writer writer(argv[1]);
    for (int i = 2; i < argc; ++i) {
      const OpDef* const op = FindOp(argv[i]);
      if (op != nullptr && FindKnownOp(op->name) == nullptr) writer.Write(*op);
    }
  } catch (const Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}

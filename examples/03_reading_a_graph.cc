// A conditional written down as a GraphDef and read back: the nodes that Cond is made of, and what they answer.
// Usage: 03_reading_a_graph [reference|cpu]
#include <cstdio>

#include "backends/backends.h"
#include "client/control_flow/cond.h"
#include "client/ops.h"
#include "spec/graph/proto_io.h"

using namespace plumb;

int main(int argc, char** argv) {
  Scope scope;
  const Output x = ops::Placeholder(scope, DType::kFloat, {.name = "x", .shape = PartialShape({})});
  const Output result = Cond(
      scope, x > 0.0, [&] { return x * 2.0; }, [&] { return -x; }, "choice");
  const std::string name = result.name();
  const GraphDef graph = ParseGraphDef(SerializeGraphDef(scope.ToGraphDef()));
  for (const NodeDef& node : graph.nodes) {
    std::printf("%-20s %-12s", node.name.c_str(), node.op.c_str());
    for (const std::string& input : node.inputs) std::printf(" %s", input.c_str());
    std::printf("\n");
  }

  const auto session = OpenSession(argc > 1 ? argv[1] : "cpu");
  if (!session->Extend(graph).ok()) return 1;
  for (const float value : {3.F, -4.F}) {
    const Feed feed = {"x", MakeScalar(value)};
    std::vector<Tensor> outputs;
    const Status status = session->Run(std::span(&feed, 1), std::span(&name, 1), {}, &outputs);
    std::printf("x = %g: %s\n", value, status.ok() ? outputs[0].ToString().c_str() : status.ToString().c_str());
    if (!status.ok()) return 1;
  }
  return 0;
}

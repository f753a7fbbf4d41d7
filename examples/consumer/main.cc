// 1 + 2 on both backends, with nothing but what is installed.
#include <cstdio>
#include <string>
#include <vector>

#include "backends/backends.h"
#include "spec/graph/builder.h"

using plumb::MakeScalar;

int main() {
  plumb::GraphBuilder graph;
  const plumb::Endpoint one = graph.Constant(MakeScalar(1.0F));
  const plumb::Endpoint two = graph.Constant(MakeScalar(2.0F));
  graph.Add("Add", {one, two}, {}, {.name = "sum", .device = "", .control_inputs = {}});
  const std::vector<std::string> fetches = {"sum:0"};
  for (const char* backend : {"reference", "cpu"}) {
    const auto session = plumb::OpenSession(backend);
    std::vector<plumb::Tensor> outputs;
    if (!session->Extend(graph.ToGraphDef()).ok() || !session->Run({}, fetches, {}, &outputs).ok()) return 1;
    std::printf("%s: %s\n", backend, outputs[0].ToString().c_str());
    if (!outputs[0].BitwiseEquals(MakeScalar(3.0F))) return 1;
  }
  return 0;
}

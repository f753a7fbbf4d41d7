// Laws of aliases (rules R31–R33, F28): an alias shows what its variable holds when it is used, or when the step is
// over.
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

#include "backends/backends.h"
#include "conformance/compare/oracle.h"
#include "property-tests/generators/random_aliases.h"
#include "property-tests/law.h"
#include "property-tests/threads.h"
#include "property-tests/to_the_bit.h"
#include "spec/graph/function_testing.h"

namespace plumb::property {
namespace {

// The same program with calls in the place of some Identities, and some nodes that ask for the host; its nodes stand in
// any order.
GraphDef Rewritten(const GraphDef& program, Tape& tape) {
  const std::vector<DType> type = {DType::kFloat};
  const FunctionDef same = MakeFunction("Same(a: float32) -> (b: float32)", "",
                                        {MakeNode("i", "Identity", {"a"}, FloatType())}, {{"b", "i:output:0"}});
  GraphDef graph = program;
  graph.library = MakeGraph({}, {same}).library;
  for (NodeDef& node : graph.nodes) {
    if (tape.Chance(20)) node.device = "/cpu:0";
    if (node.op != "Identity" || !tape.Chance(40)) continue;
    node.op = "PartitionedCall";
    node.attrs = {{"Tin", type}, {"Tout", type}, {"f", Ref("Same")}};
  }
  for (int i = static_cast<int>(graph.nodes.size()) - 1; i > 0; --i)
    std::swap(graph.nodes[i], graph.nodes[tape.Below(i + 1)]);
  return graph;
}

void CheckAliases(const RandomSession& session, const std::string& backend, Tape& tape) {
  const ToldIfBroken told([&] { return Describe(session); });
  const auto fast = OpenSession(backend, {.threads = AnyThreadCount(tape),
                                          .sim_seed = tape.Next(),
                                          .forced_sharing = tape.Chance(50) ? AnyPercent(tape) : 0});
  conformance::Oracle oracle(session.graph);
  CheckToTheBit(session, *fast, oracle);
}

PLUMB_LAW(Aliases, AreReadWhenTheyAreUsedOnEveryBackend) { CheckAliases(RandomAliases(tape), "cpu", tape); }

// R31, R36, W16: nothing of an accelerator shows, nor the order in which nodes are written down.
PLUMB_SLOW_LAW(Aliases, AreReadWhenTheyAreUsedBesideAnAccelerator) {
  RandomSession session = RandomAliases(tape);
  session.graph = Rewritten(session.graph, tape);
  CheckAliases(session, "sim", tape);
}

}  // namespace
}  // namespace plumb::property

// Law: a graph survives being written and read, as bytes and as text.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "property-tests/random_graph.h"
#include "spec/graph/graph.h"
#include "spec/graph/proto_io.h"
#include "spec/graph/text_io.h"

namespace plumb::property {
namespace {

RC_GTEST_PROP(GraphFiles, ParsingWhatWasPrintedGivesTheSameGraph, (const std::vector<uint64_t>& words)) {
  Tape tape(words);
  const GraphDef graph = RandomAcyclic(tape, {}).graph;
  const std::string bytes = SerializeGraphDef(graph);
  RC_ASSERT(SerializeGraphDef(ParseGraphDef(bytes)) == bytes);
  const std::string text = PrintGraphDefText(graph);
  RC_ASSERT(PrintGraphDefText(ParseGraphDefText(text)) == text);
  RC_ASSERT(SerializeGraphDef(ParseGraphDefText(text)) == bytes);
}

RC_GTEST_PROP(GraphFiles, LoadingAndWritingDownIsTheIdentity, (const std::vector<uint64_t>& words)) {
  Tape tape(words);
  const GraphDef graph = RandomAcyclic(tape, {}).graph;
  const GraphDef once = Graph::Load(graph).ToDef();
  RC_ASSERT(SerializeGraphDef(once) == SerializeGraphDef(Graph::Load(once).ToDef()));
}

}  // namespace
}  // namespace plumb::property

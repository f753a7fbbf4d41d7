// Law: a graph survives being written and read, as bytes and as text.
#include <rapidcheck.h>

#include "property-tests/law.h"
#include "spec/graph/graph.h"
#include "spec/graph/proto_io.h"
#include "spec/graph/text_io.h"

namespace plumb::property {
namespace {

PLUMB_LAW(GraphFiles, ParsingWhatWasPrintedGivesTheSameGraph) {
  const GraphDef graph = RandomAcyclic(tape, {}).graph;
  const std::string bytes = SerializeGraphDef(graph);
  RC_ASSERT(SerializeGraphDef(ParseGraphDef(bytes)) == bytes);
  const std::string text = PrintGraphDefText(graph);
  RC_ASSERT(PrintGraphDefText(ParseGraphDefText(text)) == text);
  RC_ASSERT(SerializeGraphDef(ParseGraphDefText(text)) == bytes);
}

PLUMB_LAW(GraphFiles, LoadingAndWritingDownIsTheIdentity) {
  const GraphDef graph = RandomAcyclic(tape, {}).graph;
  const GraphDef once = Graph::Load(graph).ToDef();
  RC_ASSERT(SerializeGraphDef(once) == SerializeGraphDef(Graph::Load(once).ToDef()));
}

}  // namespace
}  // namespace plumb::property

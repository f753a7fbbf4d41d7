// Bytes → GraphDef → Graph → shapes: a status at every step, never a crash and never our own fault; and what was parsed
// is written and read back unchanged.
#include <cstdlib>
#include <string_view>

#include "spec/graph/graph.h"
#include "spec/graph/proto_io.h"
#include "spec/validate/shapes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  plumb::GraphDef graph;
  try {
    graph = plumb::ParseGraphDef({reinterpret_cast<const char*>(data), size});
  } catch (const plumb::Error&) {
    return 0;
  }
  const std::string written = plumb::SerializeGraphDef(graph);
  if (plumb::SerializeGraphDef(plumb::ParseGraphDef(written)) != written) std::abort();
  try {
    plumb::InferGraphShapes(plumb::Graph::Load(graph));
  } catch (const plumb::Error& error) {
    if (error.status().code() == plumb::Code::kInternal) std::abort();
  }
  return 0;
}

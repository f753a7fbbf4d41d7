// Text → GraphDef: a status or a graph that prints to text that reads the same.
#include <cstdlib>
#include <string_view>

#include "spec/core/status.h"
#include "spec/graph/proto_io.h"
#include "spec/graph/text_io.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  plumb::GraphDef graph;
  try {
    graph = plumb::ParseGraphDefText({reinterpret_cast<const char*>(data), size});
  } catch (const plumb::Error&) {
    return 0;
  }
  const plumb::GraphDef again = plumb::ParseGraphDefText(plumb::PrintGraphDefText(graph));
  if (plumb::SerializeGraphDef(again) != plumb::SerializeGraphDef(graph)) std::abort();
  return 0;
}

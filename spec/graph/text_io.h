// Graphs as protocol-buffer text (".pbtxt").
#pragma once

#include <string>
#include <string_view>

#include "spec/graph/graph_def.h"

namespace plumb {

// Throws kInvalidArgument "line 3, column 7: …" for text that is not a GraphDef, as ParseGraphDef does for its
// contents.
GraphDef ParseGraphDefText(std::string_view text);
// ParseGraphDefText gives an equal graph back.
std::string PrintGraphDefText(const GraphDef& graph);

}  // namespace plumb

// Graph files, whatever form they have.
#pragma once

#include <string>

#include "spec/graph/graph_def.h"

namespace plumb {

// Reads a GraphDef or MetaGraphDef, binary or text, and tells by the content which it is. Throws as ReadFile and
// ParseGraphDef do; the message names the file.
GraphDef LoadGraphFile(const std::string& path);
// Text when the path ends in ".pbtxt" or ".txt", else binary.
void SaveGraphFile(const GraphDef& graph, const std::string& path);

}  // namespace plumb

// Graph files, whatever form they have.
#pragma once

#include <string>

#include "spec/graph/meta_graph.h"

namespace plumb {

// Reads a GraphDef or MetaGraphDef, binary or text, and tells by the content which it is. Throws as ReadFile and
// ParseGraphDef do; the message names the file.
GraphDef LoadGraphFile(const std::string& path);
// The same with what a MetaGraphDef says besides; of a GraphDef, which says nothing, the graph alone.
MetaGraph LoadMetaGraphFile(const std::string& path);
// Text when the path ends in ".pbtxt" or ".txt", else binary.
void SaveGraphFile(const GraphDef& graph, const std::string& path);

}  // namespace plumb

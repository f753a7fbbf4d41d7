// Checkpoints for `plumb run` and `plumb checkpoint`.
#pragma once

#include <string>

#include "spec/graph/meta_graph.h"
#include "spec/session/session.h"

namespace plumb::tools {

// The prefix itself, or the latest checkpoint of the folder that it is. kNotFound where the folder has none,
// kInvalidArgument for one of a checkpoint's files.
std::string PrefixOf(const std::string& prefix_or_folder);

// Gives the variables of a session, which has this graph, the values of the checkpoint of this prefix: with the nodes
// that the graph has for it, or else by the variables' names. What the checkpoint lacks is told on the error output.
void Restore(Session& session, const MetaGraph& meta, const std::string& prefix);

}  // namespace plumb::tools

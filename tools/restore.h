// Checkpoints for `plumb run` and `plumb checkpoint`.
#pragma once

#include <string>

#include "spec/session/session.h"

namespace plumb::tools {

// The prefix itself, or the latest checkpoint of the folder that it is. kNotFound where the folder has none.
std::string PrefixOf(const std::string& prefix_or_folder);

// Gives the variables of a session, which has the graph of this file, the values of a checkpoint: with the nodes that
// the graph has for it, or else by the variables' names. What the checkpoint lacks is told on the error output.
void Restore(Session& session, const std::string& graph_file, const std::string& checkpoint);

}  // namespace plumb::tools

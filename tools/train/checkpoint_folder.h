// The folder that --checkpoint names, as it is found before training.
#pragma once

#include <string>

namespace plumb::tools {

// Why training cannot go on from the checkpoint that the folder's state file names; "" where it can, and where there is
// no such file.
std::string WhyNotToGoOnIn(const std::string& folder);

// Makes the folder where it is missing. Throws where it cannot be made or written to, and kFailedPrecondition where its
// state file names no checkpoint that is there: training would begin anew, and put its own checkpoints in their place.
void PrepareCheckpointFolder(const std::string& folder);

}  // namespace plumb::tools

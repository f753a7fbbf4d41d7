// The scores of a folder's checkpoints, in a file of their own beside the state file, of which TensorFlow knows
// nothing.
#pragma once

#include <map>
#include <string>

#include "spec/files/file_system.h"

namespace plumb {

// By the names of the prefixes in the folder. Lines that cannot be read, and a file that is not there, say nothing.
std::map<std::string, double> ReadCheckpointScores(const FileSystem& files, const std::string& folder);
// Puts the file in the place of the one that is there, at once.
void WriteCheckpointScores(const FileSystem& files, const std::string& folder,
                           const std::map<std::string, double>& scores);

}  // namespace plumb

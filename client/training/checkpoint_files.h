// The files of checkpoints beside the tensors in them: where the graph lies, and how they are removed.
#pragma once

#include <string>

#include "spec/files/file_system.h"

namespace plumb {

// "P.meta", of a checkpoint P.
std::string MetaGraphPath(const std::string& prefix);

// Removes all files of a checkpoint, its index first; of the first format too, in pieces (rule Z51) or in one.
void RemoveCheckpoint(const FileSystem& files, const std::string& prefix);

// Removes a file. A link goes itself, wherever it leads. False for a folder, which stays.
bool RemovedUnlessFolder(const FileSystem& files, const std::string& path);
// Removes a folder and all that is in it, such as parts of a run that was killed.
void RemoveWithAll(const FileSystem& files, const std::string& folder);

}  // namespace plumb

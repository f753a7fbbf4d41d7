// Writes a graph that is timed as a case that every peer reads (case.h).
#pragma once

#include <string>

#include "bench/graphs/graphs.h"

namespace plumb::bench {

// As FOLDER/NAME.pb and FOLDER/NAME.case; false where that cannot be written.
bool WriteCase(const std::string& folder, const BenchGraph& bench);

// Where the files of a folder's graphs lie, by a path that leads there from anywhere.
std::string FilesOf(const std::string& folder);

}  // namespace plumb::bench

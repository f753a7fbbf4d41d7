// The file "checkpoint" of a folder: which checkpoints there are, and which is the latest (rule Z60).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/files/file_system.h"

namespace plumb {

// Prefixes as they are opened, the oldest first, the latest among them.
struct CheckpointState {
  std::string latest;
  std::vector<std::string> all = {};
  std::vector<double> times = {};  // when each was written, in seconds since the epoch; or empty
  double last_preserved_time = 0;
  bool operator==(const CheckpointState&) const = default;
};

// Nothing where there is no such file, or one that cannot be read as text of this kind. Throws kInvalidArgument where
// it names no latest checkpoint.
std::optional<CheckpointState> ReadCheckpointState(const FileSystem& files, const std::string& folder);
// Puts the file in the place of the one that is there, at once. Paths below a folder that is a relative path itself are
// written relative to it, so that the folder may move.
void WriteCheckpointState(const FileSystem& files, const std::string& folder, const CheckpointState& state);

// Whether files of the one or the other format are there under this prefix.
bool CheckpointExists(const FileSystem& files, const std::string& prefix);
// The latest checkpoint of a folder; nothing where the file does not say it, or its files are gone.
std::optional<std::string> LatestCheckpoint(const FileSystem& files, const std::string& folder);

}  // namespace plumb

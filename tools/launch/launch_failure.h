// Which rank ended a run of mpirun, and what there is to go on from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::tools {

struct LostRank {
  int rank = 0;
  std::string how;  // "was killed on HOST by signal 9 (Killed)", "ended with exit code 3"
};
// The first rank that failed, as Open MPI's mpirun tells it on its error output; nothing where it does not.
std::optional<LostRank> FindLostRank(std::string_view errors);

// The value of --checkpoint in a command line, given as one argument or as two; nothing where there is none.
std::optional<std::string> CheckpointFolderOf(const std::vector<std::string>& command);
// "PREFIX-60" is of step 60; nothing for a name without a step.
std::optional<long long> StepOfCheckpoint(std::string_view prefix);

}  // namespace plumb::tools

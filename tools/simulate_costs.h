// What work takes on this machine, for `plumb simulate`: seconds of a core that this process used, so that whatever
// else runs here does not count.
#pragma once

#include "mpi/simulation/costs.h"

namespace plumb::tools {

// About ten seconds.
dist::Costs MeasureCosts();

// Seconds for a row of 512 floats out of a table of so many megabytes.
double SecondsForRow(int megabytes);

}  // namespace plumb::tools

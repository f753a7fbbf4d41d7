// The runs of the OSDI paper's figures 7 to 9.
#pragma once

#include <array>
#include <vector>

#include "mpi/simulation/language_model.h"
#include "mpi/simulation/replication.h"

namespace plumb::dist {

// Figure 7: steps of so many workers that fetch from 16 servers and compute nothing.
Replication NullSteps(int workers);                                 // a number of each
Replication DenseNullSteps(int workers, double bytes);              // all of a model
Replication SparseNullSteps(int workers, double row_bytes = 2048);  // 32 rows of a table, however large that is

// Figure 8: Inception-v3, 50 workers and 0 to `most` more, 17 servers. The seconds of a step for each number. How much
// workers differ is assumed: 3 % on the average, and one step in 30 takes half as long again.
std::vector<double> BackupSteps(const Costs& costs, const NetworkOptions& network, int most);

// Figure 9.
inline constexpr std::array kWorkersOfFigure9 = {4, 32, 256};
inline constexpr std::array kServersOfFigure9 = {1, 2, 4, 8, 16, 32};
inline constexpr double kSampledClasses = 512;
// For each number of workers and each of servers.
std::vector<std::vector<double>> LanguageModelSpeeds(const Costs& costs, const NetworkOptions& network, double sampled);

}  // namespace plumb::dist

#include "mpi/simulation/figures.h"

namespace plumb::dist {

Replication NullSteps(int workers) {
  Replication replication;
  replication.workers = workers;
  return replication;
}

Replication DenseNullSteps(int workers, double bytes) {
  Replication replication = NullSteps(workers);
  replication.fetched_bytes = bytes;
  return replication;
}

Replication SparseNullSteps(int workers, double row_bytes) {
  Replication replication = NullSteps(workers);
  replication.fetched_rows = 32;
  replication.fetched_bytes = replication.fetched_rows * row_bytes;
  return replication;
}

std::vector<double> BackupSteps(const Costs& costs, const NetworkOptions& network, int most) {
  Replication inception;
  inception.servers = 17;
  inception.workers = 50;
  inception.fetched_bytes = inception.gradient_bytes = 95e6;
  inception.compute = 1.2;
  inception.noise = 0.03;
  inception.slow = 1.0 / 30;
  inception.held_up = 0.5;
  inception.steps = 41;
  std::vector<double> seconds;
  for (inception.backup = 0; inception.backup <= most; ++inception.backup) {
    seconds.push_back(MedianStep(inception, costs, network));
  }
  return seconds;
}

std::vector<std::vector<double>> LanguageModelSpeeds(const Costs& costs, const NetworkOptions& network,
                                                     double sampled) {
  std::vector<std::vector<double>> speeds;
  for (const int workers : kWorkersOfFigure9) {
    auto& speed = speeds.emplace_back();
    for (const int servers : kServersOfFigure9) {
      speed.push_back(WordsPerSecond({.servers = servers, .workers = workers, .sampled = sampled}, costs, network));
    }
  }
  return speeds;
}

}  // namespace plumb::dist

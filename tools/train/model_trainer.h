// One replica of a training program: alone, or on a rank of a cluster.
#pragma once

#include <functional>
#include <string>

#include "tools/train/data/model_data.h"

namespace plumb::tools {

struct Training {
  std::string model;  // by its name in the catalogue
  std::string data, checkpoint, cluster;
  std::string trace, events, straggler;
  std::string backend = "cpu", strategy, wire;
  std::string all_reduce = "auto";           // as AllReduceOptions::way
  std::string placement = "bytes", devices;  // as PlacementOf reads them
  std::string save_every = "100";            // as SaveInterval::Parse reads it
  int steps = 100, batch = 32, threads = 0, seed = 1;
  int test_images = 10'000;  // at most, that a classifier is tried on in the end
  int shards = 0;            // that each batch is cut into; 0: a replica computes the gradient of its batch as a whole
  int side = 0;
  double width = 1, learning_rate = 0.01, bucket = 0.25;  // megabytes
  double mbit = 10'000;                                   // a second, between two hosts, as far as placement knows
  bool parameters = false, small = false, gpu_graphs = false;
};

// The model, on data of the replica's own.
using BuildModel =
    std::function<TrainedModel(Scope& scope, Optimizer& optimizer, const Training& training, int replica)>;

// Trains until all replicas together have taken the steps that were asked for, or until SIGTERM; the exit code. A
// parameter server serves in here, and its process ends here. Throws Error: kInvalidArgument for a cluster or strategy
// that cannot be.
int TrainModel(const BuildModel& build, const Training& training);

}  // namespace plumb::tools

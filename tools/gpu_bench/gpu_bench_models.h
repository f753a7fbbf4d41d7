// The models whose training steps are timed, and sessions that train them on a GPU. `gpu_peer_models.py` has the same.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "client/optimizers/optimizer.h"
#include "client/scope.h"
#include "spec/session/session.h"

namespace plumb::tools {

// A training step by gradient descent: what it is fed, and what it runs.
struct ModelStep {
  GraphDef graph;
  std::vector<Feed> feeds;
  std::string init, train;
  double operations = 0;  // of its products and convolutions, forward and back
};

struct BenchModel {
  const char* name;
  int64_t batch, small_batch;
  ModelStep (*make)(int64_t batch, bool is_small);

  int64_t BatchOf(bool is_small) const { return is_small ? small_batch : batch; }
  ModelStep Make(bool is_small) const { return make(BatchOf(is_small), is_small); }
};
const std::vector<BenchModel>& BenchModels();
const BenchModel& FindBenchModel(const std::string& name);

// A model that is trained, with all its feeds or with its numbers lying on the card already; ids are always fed.
class BenchedModel {
 public:
  struct Options {
    bool has_graphs = false;  // SessionOptions::gpu_graphs
    bool is_fed = false;      // its numbers are fed with each step
  };
  BenchedModel(const std::string& backend, ModelStep step, const Options& options);

  void Step();  // throws the step's Error
  double operations() const { return step_.operations; }
  int64_t fed_bytes() const;
  // What a traced step shows: what ran on the CPU, what was launched as one or why not, and its copies.
  std::vector<std::string> Notes();

 private:
  ModelStep step_;
  std::vector<Tensor> fed_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Session::Callable> callable_;
};

}  // namespace plumb::tools

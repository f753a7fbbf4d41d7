// How much of its communication AlexNet's training hides behind its backward pass. Under mpirun: plumb_overlap BATCH
// ROUNDS. All ranks are workers. The first prints the median seconds of a step, of the same one in which nobody meets,
// and of meeting alone; they are taken in turns.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/backends.h"
#include "bench/check.h"
#include "bench/mpi/steady.h"
#include "client/optimizers/optimizer.h"
#include "client/training/all_reduce.h"
#include "models/image/alexnet.h"

namespace plumb::bench {
namespace {

constexpr int64_t kBucketBytes = int64_t{1} << 18;  // what `plumb train` has
constexpr int kOtherGroup = 2;                      // than the gradients' own
constexpr int kUncounted = 3;                       // rounds, until memory is there that steps keep for each other

int Given(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

std::unique_ptr<Session> Open(const Scope& scope) {
  auto session = OpenSession("mpi");
  Check(session->Extend(scope.ToGraphDef()));
  return session;
}

Tensor Ones(DType dtype, const Shape& shape) {
  Tensor tensor(dtype, shape);
  if (dtype == DType::kInt32) {
    for (int32_t& number : tensor.mutable_data<int32_t>()) number = 1;
  } else {
    for (float& number : tensor.mutable_data<float>()) number = 1;
  }
  return tensor;
}

// One kind of step that is timed.
class Step {
 public:
  Step(std::unique_ptr<Session> session, std::vector<std::string> names, std::vector<Tensor> feeds,
       const std::string& target)
      : session_(std::move(session)), feeds_(std::move(feeds)) {
    Check(session_->MakeCallable(names, {}, {&target, 1}, &callable_));
  }
  void Run() {
    std::vector<Tensor> none;
    Check(callable_->Run(feeds_, &none));
  }

 private:
  std::unique_ptr<Session> session_;
  std::vector<Tensor> feeds_;
  std::unique_ptr<Session::Callable> callable_;
};

// One update; with `replicas` above 0 by the mean of all their gradients.
Step Training(int64_t batch, int replicas) {
  Scope scope;
  const auto sgd = Sgd({.learning_rate = 1e-6});
  AllReduce together(*sgd, {.replicas = std::max(1, replicas), .bucket_bytes = kBucketBytes});
  models::ImageOptions options = models::kAlexNet;
  options.batch = batch;
  Optimizer& optimizer = replicas > 0 ? static_cast<Optimizer&>(together) : *sgd;
  const models::ImageClassifier model = models::BuildAlexNet(scope, optimizer, options);
  auto session = Open(scope);
  std::vector<Tensor> none;
  const std::string init = scope.NameOf(model.init);
  Check(session->Run({}, {}, {&init, 1}, &none));
  return {std::move(session),
          {model.images.name(), model.labels.name()},
          {Ones(DType::kFloat, {batch, options.side, options.side, options.channels}), Ones(DType::kInt32, {batch})},
          scope.NameOf(model.train)};
}

// The mean of as many numbers as the model has variables, as they travel: those of a size come alone.
Step Meeting(int replicas) {
  Scope scope, model;
  const auto sgd = Sgd({.learning_rate = 1e-6});
  models::BuildAlexNet(model, *sgd, models::kAlexNet);
  std::vector<std::string> names;
  std::vector<Tensor> feeds;
  std::vector<NodeId> means;
  for (const Variable& variable : model.variables()) {
    const Shape shape = variable.shape().ToShape();
    const Output fed = scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape(shape)}});
    means.push_back(scope.Add("CollectiveReduce", {fed},
                              {{"group_size", int64_t{replicas}},
                               {"group_key", int64_t{kOtherGroup}},
                               {"instance_key", static_cast<int64_t>(means.size())},
                               {"merge_op", std::string("Add")},
                               {"final_op", std::string("Div")},
                               {"subdiv_offsets", std::vector<int64_t>{}}}));
    names.push_back(fed.name());
    feeds.push_back(Ones(DType::kFloat, shape));
  }
  const std::string all = scope.NameOf(scope.Group(means));
  return {Open(scope), names, feeds, all};
}

std::vector<double> Measure(int64_t batch, int rounds) {
  const int replicas = Given("OMPI_COMM_WORLD_SIZE", 1);
  std::vector<Step> steps;
  steps.push_back(Training(batch, replicas));
  steps.push_back(Training(batch, 0));
  steps.push_back(Meeting(replicas));
  std::vector<std::vector<double>> seconds(steps.size());
  for (int round = -kUncounted; round < rounds; ++round) {
    for (size_t i = 0; i < steps.size(); ++i) {
      const double took = SecondsOf([&] { steps[i].Run(); });
      if (round >= 0) seconds[i].push_back(took);
    }
  }
  std::vector<double> medians;
  for (const auto& each : seconds) medians.push_back(Median(each));
  return medians;
}

}  // namespace
}  // namespace plumb::bench

int main(int argc, char** argv) {
  const int batch = argc > 1 ? std::atoi(argv[1]) : 0, rounds = argc > 2 ? std::atoi(argv[2]) : 0;
  if (batch < 1 || rounds < 1) {
    std::fprintf(stderr, "usage: mpirun -n RANKS %s BATCH ROUNDS\n", argv[0]);
    return 2;
  }
  try {
    const std::vector<double> seconds = plumb::bench::Measure(batch, rounds);
    if (plumb::bench::Given("OMPI_COMM_WORLD_RANK", 0) == 0) plumb::bench::Print(seconds);
    return 0;
  } catch (const plumb::Error& error) {
    std::fprintf(stderr, "%s\n", error.status().ToString().c_str());
    return 1;
  }
}

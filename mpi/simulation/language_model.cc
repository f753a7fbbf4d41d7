#include "mpi/simulation/language_model.h"

#include <vector>

#include "mpi/simulation/servers_and_workers.h"

namespace plumb::dist {
namespace {

constexpr double kFloat = 4;            // bytes
constexpr double kForwardsAndBack = 3;  // a gradient takes two products for each one of the value
constexpr double kMultiplyAndAdd = 2;

class LanguageModelRun {
 public:
  LanguageModelRun(const LanguageModel& model, const Costs& costs, const NetworkOptions& options)
      : model_(model),
        costs_(costs),
        tasks_(model.servers, model.workers, costs, options),
        steps_(static_cast<size_t>(model.workers)) {}

  double WordsPerSecond() {
    for (int worker = 0; worker < model_.workers; ++worker) Begin(worker);
    tasks_.network().Run();
    return model_.words * model_.workers * model_.steps / tasks_.network().now();
  }

 private:
  double Product(double rows, double inner, double columns) const {
    return kForwardsAndBack * kMultiplyAndAdd * rows * inner * columns * costs_.flop;
  }

  double RowBytes() const { return model_.units * kFloat; }

  // The rows of the words, and, of a sampled softmax, those of the classes.
  void Begin(int worker) {
    const double rows = (model_.words + model_.sampled) / model_.servers;
    tasks_.AskAll(worker, rows * sizeof(int64_t), rows * costs_.row, rows * RowBytes(), [=, this] {
      const double lstm = model_.layers * Product(model_.words, 2 * model_.units, 4 * model_.units);
      const double classes = Product(model_.words, model_.units, model_.sampled);
      tasks_.network().Compute(tasks_.TaskOf(worker), lstm + classes, [=, this] { Learn(worker); });
    });
  }

  void Learn(int worker) {
    const auto end = [=, this] {
      if (++steps_[worker] < model_.steps) Begin(worker);
    };
    const double rows = (model_.words + model_.sampled) / model_.servers;
    const double gradients = rows * RowBytes();
    if (model_.sampled > 0)
      return tasks_.AskAll(worker, gradients, gradients * costs_.update_byte, sizeof(int64_t), end);
    const double outputs = model_.words * RowBytes(), classes = model_.vocabulary / model_.servers;
    const double work = Product(model_.words, model_.units, classes) + classes * RowBytes() * costs_.update_byte;
    tasks_.AskAll(worker, outputs + gradients, work + gradients * costs_.update_byte, outputs, end);
  }

  const LanguageModel model_;
  const Costs costs_;
  ServersAndWorkers tasks_;
  std::vector<int> steps_;  // that each worker has taken
};

}  // namespace

double WordsPerSecond(const LanguageModel& model, const Costs& costs, const NetworkOptions& network) {
  return LanguageModelRun(model, costs, network).WordsPerSecond();
}

}  // namespace plumb::dist

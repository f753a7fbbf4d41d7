#include "mpi/simulation/language_model.h"

#include <memory>
#include <utility>
#include <vector>

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
        network_(model.servers + model.workers, options),
        workers_(static_cast<size_t>(model.workers)) {}

  double WordsPerSecond() {
    for (int worker = 0; worker < model_.workers; ++worker) Begin(worker);
    network_.Run();
    return model_.words * model_.workers * model_.steps / network_.now();
  }

 private:
  struct Worker {
    int awaits = 0;
    int steps = 0;
  };

  double Moved(double bytes) const { return costs_.message + bytes * costs_.byte; }
  double Product(double rows, double inner, double columns) const {
    return kForwardsAndBack * kMultiplyAndAdd * rows * inner * columns * costs_.flop;
  }

  // To each server so many bytes, for which it works and answers with others.
  void AskAll(int worker, double bytes, double work, double answered, VirtualNetwork::Then then) {
    const auto answered_all = std::make_shared<const VirtualNetwork::Then>(std::move(then));
    workers_[worker].awaits = model_.servers;
    const int task = model_.servers + worker;
    for (int server = 0; server < model_.servers; ++server) {
      network_.Compute(task, costs_.part + Moved(bytes), [=, this] {
        network_.Send(task, server, bytes, [=, this] {
          network_.Compute(server, Moved(bytes) + costs_.part + work + Moved(answered), [=, this] {
            network_.Send(server, task, answered, [=, this] {
              network_.Compute(task, Moved(answered), [=, this] {
                if (--workers_[worker].awaits == 0) (*answered_all)();
              });
            });
          });
        });
      });
    }
  }

  double RowBytes() const { return model_.units * kFloat; }

  // The rows of the words, and, of a sampled softmax, those of the classes.
  void Begin(int worker) {
    const double rows = (model_.words + model_.sampled) / model_.servers;
    AskAll(worker, rows * sizeof(int64_t), rows * costs_.row, rows * RowBytes(), [=, this] {
      const double lstm = model_.layers * Product(model_.words, 2 * model_.units, 4 * model_.units);
      const double classes = Product(model_.words, model_.units, model_.sampled);
      network_.Compute(model_.servers + worker, lstm + classes, [=, this] { Learn(worker); });
    });
  }

  void Learn(int worker) {
    const auto end = [=, this] {
      if (++workers_[worker].steps < model_.steps) Begin(worker);
    };
    const double rows = (model_.words + model_.sampled) / model_.servers;
    const double gradients = rows * RowBytes();
    if (model_.sampled > 0) return AskAll(worker, gradients, gradients * costs_.update_byte, sizeof(int64_t), end);
    const double outputs = model_.words * RowBytes(), classes = model_.vocabulary / model_.servers;
    const double work = Product(model_.words, model_.units, classes) + classes * RowBytes() * costs_.update_byte;
    AskAll(worker, outputs + gradients, work + gradients * costs_.update_byte, outputs, end);
  }

  const LanguageModel model_;
  const Costs costs_;
  VirtualNetwork network_;
  std::vector<Worker> workers_;
};

}  // namespace

double WordsPerSecond(const LanguageModel& model, const Costs& costs, const NetworkOptions& network) {
  return LanguageModelRun(model, costs, network).WordsPerSecond();
}

}  // namespace plumb::dist

#include "tools/train/train_models.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "client/training/checkpoint_timer.h"
#include "models/parameters.h"
#include "spec/session/tensor_float_32.h"
#include "tools/train/data/learner_batches.h"
#include "tools/train/data/learner_data.h"
#include "tools/train/model_trainer.h"
#include "tools/train/strategies.h"

namespace plumb::tools {
namespace {

models::ImageOptions OptionsOf(const Training& training) {
  models::ImageOptions options;
  options.side = training.side;
  options.width = training.width;
  options.seed = training.seed;
  return options;
}

ModelData DataOf(const Training& training, int replica) {
  const std::string decoder = training.backend == "reference" ? training.backend : "cpu";
  return {training.data, training.batch, static_cast<uint64_t>(training.seed + replica), decoder, training.threads};
}

BuildModel BuilderOf(const models::ImageModelEntry& entry) {
  return [&entry](Scope& scope, Optimizer& optimizer, const Training& training, int replica) {
    models::ImageOptions options = OptionsOf(training);
    options.batch = training.batch;
    return BuildOnData(scope, optimizer, entry, options, DataOf(training, replica));
  };
}

BuildModel BuilderOf(const models::LearnerEntry& entry) {
  return [&entry](Scope& scope, Optimizer& optimizer, const Training& training, int replica) {
    const auto size = training.small ? models::LearnerSize::kSmall : models::LearnerSize::kFull;
    const ModelData data = DataOf(training, replica);
    if (data.folder.empty()) return BuildOnMadeUpBatch(scope, optimizer, entry, size, data.seed);
    return BuildOnFiles(scope, optimizer, entry, size, data);
  };
}

void BuildAlone(Scope& scope, const models::ImageModelEntry& entry, const Training& training) {
  entry.build(scope, *Sgd({}), OptionsOf(training));
}

void BuildAlone(Scope& scope, const models::LearnerEntry& entry, const Training& training) {
  entry.build(scope, *Sgd({}), training.small ? models::LearnerSize::kSmall : models::LearnerSize::kFull);
}

void DeclareSizes(Options& options, Training& training, const models::ImageModelEntry&) {
  options.Option("--data", &training.data,
                 "folder of MNIST's files (softmax, mlp, lenet), of CIFAR-10's binary files (cifar10), or else with a "
                 "folder of .jpg and .png files for each class, or with files of records as TensorFlow's scripts write "
                 "ImageNet, train-00000-of-01024 (default: images are made up)");
  options.Option("--batch", &training.batch, "images per step");
  options.Option("--test-images", &training.test_images,
                 "in the end, classifies so many images of MNIST's test set at most, and says how many are right");
  options.Option(
      "--shards", &training.shards,
      "cuts each batch into so many shards: as many workers as divide them, and one process without a "
      "cluster, come to the same bits (sync-ps, allreduce, in-graph; 0: batches are not cut, each worker has its own)");
  options.Option("--side", &training.side, "of the images (0: as published)");
  options.Option("--width", &training.width, "scales the hidden layers (1: as published)");
}

void DeclareSizes(Options& options, Training& training, const models::LearnerEntry& entry) {
  options.Option("--data", &training.data,
                 Str("folder with ", FilesOf(entry.data), " (default: one batch is made up)"));
  options.Flag("--small", &training.small, "the whole topology, but so small that any machine trains it at once");
}

// `Entry` is a row of a catalogue.
template <class Entry>
class ModelCommand : public Command {
 public:
  explicit ModelCommand(const Entry& entry) : entry_(entry), name_(entry.name), help_(entry.description) {}
  const char* name() const override { return name_.c_str(); }
  const char* help() const override { return help_.c_str(); }
  void Declare(Options& options) override {
    DeclareSizes(options, training_, entry_);
    options.Option("--steps", &training_.steps, "until so many training steps have been taken, by all replicas");
    options.Option("--backend", &training_.backend, "cpu, sim or reference");
    options.Option("--threads", &training_.threads, "threads of the session (0: one per core)");
    options.Flag("--gpu-graphs", &training_.gpu_graphs,
                 "on GPUs, capture what is the same in each step, and launch it as one (docs/gpu.md)");
    options.Flag("--tf32", &takes_tf32_,
                 "on GPUs, multiply float32 with 10 bits of fraction, which is several times as fast (docs/gpu.md)");
    options.Option("--learning-rate", &training_.learning_rate, "of gradient descent");
    options.Option("--seed", &training_.seed, "of the initial values and of the batches");
    options.Option("--checkpoint", &training_.checkpoint, "folder to save in, and to go on from");
    options.Option("--save-every", &training_.save_every,
                   "steps between two checkpoints, or the time: 100, 30s, 5m, 1.5h");
    options.Option("--cluster", &training_.cluster,
                   "under mpirun, which ranks are which tasks, such as ps=1,worker=3; without it all are workers");
    options.Option("--strategy", &training_.strategy,
                   Str("how the workers of a cluster work together: ", StrategyNames(),
                       " (default: async-ps with servers, else allreduce); plumb train --help explains each"));
    options.Option(
        "--bucket", &training_.bucket,
        "of allreduce: megabytes of small gradients that travel together, which changes no bit (0: each alone)");
    options.Option(
        "--allreduce", &training_.all_reduce,
        "of allreduce: which way gradients take between ranks, which changes no bit: along a ring or a tree, "
        "shared (in the memory of each host, and along the hosts), or auto: by their sizes and the hosts");
    options.Option(
        "--placement", &training_.placement,
        "where variables and layers lie: by their bytes; on each server in turn; or, with model-parallel and "
        "pipeline=K, by what nodes cost, as they are measured first (cost) or were in the trace of an earlier "
        "run (cost=FILE)");
    options.Option("--devices", &training_.devices,
                   "with --placement cost, the workers that nodes may go to as NAME=MEMORY*SPEED, such as "
                   "/job:worker/task:0=2GiB,/job:worker/task:1=1GiB*0.5 (default: any bytes on each)");
    options.Option("--mbit", &training_.mbit, "with --placement cost, megabits a second between two workers");
    options.Option("--wire", &training_.wire,
                   "how float32 values travel between ranks: exact, or in half of the bytes as bfloat16 or "
                   "bfloat16-rounded (default: as PLUMB_WIRE says)");
    options.Option("--trace", &training_.trace,
                   "writes some steps of all ranks to this file, which chrome://tracing and Perfetto show");
    options.Option("--events", &training_.events, "folder for TensorBoard's events: loss, and what each rank waits");
    options.Option("--straggler", &training_.straggler,
                   "W:MS: worker W sleeps so many milliseconds before each step, to try what a strategy makes of it");
    options.Flag("--parameters", &training_.parameters, "prints how many numbers training changes, and ends");
  }
  int Run() override {
    training_.model = name_;
    if (training_.parameters) {
      Scope scope;
      BuildAlone(scope, entry_, training_);
      PrintParameterCount(scope);
      return 0;
    }
    Require(training_.steps >= 1 && training_.batch >= 1, "--steps and --batch are at least 1");
    SaveInterval::Parse(training_.save_every);
    Require(training_.test_images >= 0, "--test-images is at least 0, and is ", training_.test_images);
    Require(training_.shards >= 0 && training_.batch % std::max(training_.shards, 1) == 0, "--batch ", training_.batch,
            " cannot be cut into --shards ", training_.shards, " of one size: write a number that divides it");
    if (takes_tf32_) EnableTensorFloat32(true);
    return TrainModel(BuilderOf(entry_), training_);
  }

 private:
  const Entry& entry_;
  const std::string name_, help_;
  Training training_;
  bool takes_tf32_ = false;
};

}  // namespace

void PrintParameterCount(Scope& scope) { std::printf("%lld\n", static_cast<long long>(models::ParameterCount(scope))); }

std::vector<Command*> ModelTrainingCommands() {
  static const auto* const commands = [] {
    auto* made = new std::vector<std::unique_ptr<Command>>;
    for (const auto& entry : models::ImageModels()) {
      made->push_back(std::make_unique<ModelCommand<models::ImageModelEntry>>(entry));
    }
    for (const auto& entry : models::Learners()) {
      made->push_back(std::make_unique<ModelCommand<models::LearnerEntry>>(entry));
    }
    return made;
  }();
  std::vector<Command*> all;
  for (const auto& command : *commands) all.push_back(command.get());
  return all;
}

}  // namespace plumb::tools

#include "tools/train_models.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include "backends/backends.h"
#include "client/ops.h"
#include "client/training/global_step.h"
#include "client/training/replica_devices.h"
#include "client/training/saver.h"
#include "models/parameters.h"
#include "mpi/cluster/cluster.h"
#include "tools/model_data.h"
#include "tools/progress.h"

namespace plumb::tools {
namespace {

struct Training {
  std::string data, checkpoint, cluster;
  std::string backend = "cpu", strategy = "async-ps";
  int steps = 100, batch = 32, save_every = 100, threads = 0, seed = 1;
  int side = 0;
  double width = 1, learning_rate = 0.01;
  bool parameters = false, small = false;
};

// Which of the processes of a run this one is.
struct Replica {
  bool is_chief = true;  // initialises, saves, and tells people how it goes
  int number = 0;
  std::vector<std::string> servers;  // of parameters; none: variables stay here
};

int FromMpirun(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

Replica ReplicaOf(const Training& training) {
  Replica replica;
  if (training.cluster.empty()) return replica;
  Require(training.strategy == "async-ps", "there is no strategy '", training.strategy, "'; there is: async-ps");
  const int ranks = FromMpirun("OMPI_COMM_WORLD_SIZE", 1), rank = FromMpirun("OMPI_COMM_WORLD_RANK", 0);
  const dist::Cluster cluster = dist::Cluster::Parse(training.cluster, ranks);
  replica.number = cluster.task(rank).number;
  replica.is_chief = cluster.task(rank).job != "ps" && replica.number == 0;
  for (int server = 0; server < cluster.size(); ++server) {
    if (cluster.task(server).job == "ps")
      replica.servers.push_back("/job:ps/task:" + std::to_string(cluster.task(server).number));
  }
  Require(!replica.servers.empty() && static_cast<int>(replica.servers.size()) < cluster.size(),
          "async-ps wants parameter servers and workers, as in --cluster ps=1,worker=3, not ", cluster.ToString());
  return replica;
}

volatile std::sig_atomic_t asked_to_stop = 0;

// The model, on data of the replica's own.
using Build = std::function<TrainedModel(Scope& scope, Optimizer& optimizer, const Training& training, int replica)>;

class Trainer {
 public:
  Trainer(const Build& build, const Training& training)
      : training_(training), replica_(ReplicaOf(training)), optimizer_(Sgd({.learning_rate = training.learning_rate})) {
    if (!replica_.servers.empty()) scope_.set_variable_device(ByBytes(replica_.servers));
    trained_ = build(scope_, *optimizer_, training, replica_.number);
    AddStepCount();
    AddReadiness();
    if (!training.checkpoint.empty()) saver_.emplace(scope_, SavedByName(scope_));
  }

  int Run() {
    std::signal(SIGTERM, [](int) { asked_to_stop = 1; });
    if (!training_.cluster.empty()) setenv("PLUMB_CLUSTER", training_.cluster.c_str(), /*overwrite=*/1);
    const std::string backend = training_.cluster.empty() ? training_.backend : "mpi";
    program_.emplace(scope_, OpenSession(backend, {.threads = training_.threads}));  // servers stay in here
    Coordinator coordinator;
    const int64_t first = Begin(coordinator);
    const int64_t last = Train(first);
    coordinator.RequestStop();
    const Status ended = coordinator.Join();
    if (!ended.ok()) throw Error(ended);
    if (saver_ && replica_.is_chief) std::printf("Checkpoint: %s\n", Save(last).c_str());
    return 0;
  }

 private:
  // The number of steps that all replicas have taken, this one counted.
  void AddStepCount() {
    const Variable steps = MakeGlobalStep(scope_);
    global_step_ = steps.value();
    {
      const auto after = scope_.After({trained_.train});
      next_step_ = ops::AssignAdd(scope_, steps.ref(), Constant(scope_, int64_t{1}), {.use_locking = true});
    }
    init_ = scope_.Group({trained_.init, steps.initializer()}, "init_all");
  }

  // Whether every variable has a value.
  void AddReadiness() {
    std::vector<Output> set;
    for (const Variable& variable : scope_.variables()) {
      const auto beside = scope_.On(scope_.builder().graph().node(variable.ref().node()).device);
      set.push_back(ops::IsVariableInitialized(scope_, variable.ref()));
    }
    is_ready_ = ops::All(scope_, ops::Pack(scope_, set), Constant(scope_, 0));
  }

  // Gives the variables their values, or waits until the chief has; the number of steps taken so far.
  int64_t Begin(Coordinator& coordinator) {
    if (replica_.is_chief && !(saver_ && saver_->RestoreLatest(*program_, training_.checkpoint))) program_->Run(init_);
    while (!program_->Fetch(is_ready_).scalar<bool>()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    trained_.start(*program_, coordinator);
    const auto step = program_->Fetch(global_step_).scalar<int64_t>();
    // A single replica goes on with the images that would have come next.
    if (replica_.servers.empty()) {
      for (int64_t taken = 0; taken < step; ++taken) trained_.next();
    }
    if (replica_.is_chief) {
      std::printf("Training on %s, %s step %lld\n", trained_.source.c_str(), step > 0 ? "going on from" : "from",
                  static_cast<long long>(step));
      std::fflush(stdout);
    }
    return step;
  }

  int64_t Train(int64_t step) {
    Progress progress(replica_.is_chief ? stdout : stderr, training_.steps, training_.batch);
    while (step < training_.steps && asked_to_stop == 0) {
      const std::vector<Tensor> outputs = program_->Fetch({trained_.loss, next_step_}, trained_.next());
      const int64_t before = step;
      step = outputs[1].scalar<int64_t>();
      if (!replica_.is_chief) continue;
      progress.Update(std::min<int64_t>(step, training_.steps), outputs[0].scalar<float>());
      const bool is_due = step / training_.save_every > before / training_.save_every && step < training_.steps;
      if (saver_ && is_due) Save(step);
    }
    if (replica_.is_chief) progress.Finish();
    if (asked_to_stop != 0 && replica_.is_chief)
      std::printf("Asked to stop at step %lld\n", static_cast<long long>(step));
    return step;
  }

  std::string Save(int64_t step) {
    std::filesystem::create_directories(training_.checkpoint);
    return saver_->Save(*program_, training_.checkpoint + "/model.ckpt", {.step = step});
  }

  const Training& training_;
  const Replica replica_;
  const std::unique_ptr<Optimizer> optimizer_;
  Scope scope_;
  TrainedModel trained_;
  Output global_step_, next_step_, is_ready_;
  NodeId init_ = NodeId::kNone;
  std::optional<Saver> saver_;
  std::optional<Program> program_;
};

models::ImageOptions OptionsOf(const Training& training) {
  models::ImageOptions options;
  options.side = training.side;
  options.width = training.width;
  options.seed = training.seed;
  return options;
}

Build BuilderOf(const models::ImageModelEntry& entry) {
  return [&entry](Scope& scope, Optimizer& optimizer, const Training& training, int replica) {
    models::ImageOptions options = OptionsOf(training);
    options.batch = training.batch;
    return BuildOnData(scope, optimizer, entry, options,
                       {training.data, training.batch, static_cast<uint64_t>(training.seed + replica)});
  };
}

Build BuilderOf(const models::LearnerEntry& entry) {
  return [&entry](Scope& scope, Optimizer& optimizer, const Training& training, int replica) {
    const auto size = training.small ? models::LearnerSize::kSmall : models::LearnerSize::kFull;
    return BuildOnMadeUpBatch(scope, optimizer, entry, size, static_cast<uint64_t>(training.seed + replica));
  };
}

void BuildAlone(Scope& scope, const models::ImageModelEntry& entry, const Training& training) {
  entry.build(scope, *Sgd({}), OptionsOf(training));
}

void BuildAlone(Scope& scope, const models::LearnerEntry& entry, const Training& training) {
  entry.build(scope, *Sgd({}), training.small ? models::LearnerSize::kSmall : models::LearnerSize::kFull);
}

void DeclareSizes(Options& options, Training& training, const models::ImageModelEntry&) {
  options.Option("--data", &training.data, "folder of MNIST's or CIFAR-10's files (default: images are made up)");
  options.Option("--batch", &training.batch, "images per step");
  options.Option("--side", &training.side, "of the images (0: as published)");
  options.Option("--width", &training.width, "scales the hidden layers (1: as published)");
}

void DeclareSizes(Options& options, Training& training, const models::LearnerEntry&) {
  options.Flag("--small", &training.small, "the whole topology, but so small that any machine trains it at once");
}

// `Entry` is a row of a catalogue.
template <class Entry>
class TrainModel : public Command {
 public:
  explicit TrainModel(const Entry& entry) : entry_(entry), name_(entry.name), help_(entry.description) {}
  const char* name() const override { return name_.c_str(); }
  const char* help() const override { return help_.c_str(); }
  void Declare(Options& options) override {
    DeclareSizes(options, training_, entry_);
    options.Option("--steps", &training_.steps, "until so many training steps have been taken, by all replicas");
    options.Option("--backend", &training_.backend, "cpu, sim or reference");
    options.Option("--threads", &training_.threads, "threads of the session (0: one per core)");
    options.Option("--learning-rate", &training_.learning_rate, "of gradient descent");
    options.Option("--seed", &training_.seed, "of the initial values and of the batches");
    options.Option("--checkpoint", &training_.checkpoint, "folder to save in, and to go on from");
    options.Option("--save-every", &training_.save_every, "steps between two checkpoints");
    options.Option("--cluster", &training_.cluster,
                   "under mpirun, which ranks are which tasks: mpirun -n 4 plumb train lenet --cluster ps=1,worker=3");
    options.Option("--strategy", &training_.strategy,
                   "of a cluster. async-ps: each worker updates the servers' variables when it is ready");
    options.Flag("--parameters", &training_.parameters, "prints how many numbers training changes, and ends");
  }
  int Run() override {
    if (training_.parameters) {
      Scope scope;
      BuildAlone(scope, entry_, training_);
      std::printf("%lld\n", static_cast<long long>(models::ParameterCount(scope)));
      return 0;
    }
    Require(training_.steps >= 1 && training_.batch >= 1 && training_.save_every >= 1,
            "--steps, --batch and --save-every are at least 1");
    return Trainer(BuilderOf(entry_), training_).Run();
  }

 private:
  const Entry& entry_;
  const std::string name_, help_;
  Training training_;
};

}  // namespace

std::vector<Command*> ModelTrainingCommands() {
  static const auto* const commands = [] {
    auto* made = new std::vector<std::unique_ptr<Command>>;
    for (const auto& entry : models::ImageModels()) {
      made->push_back(std::make_unique<TrainModel<models::ImageModelEntry>>(entry));
    }
    for (const auto& entry : models::Learners()) {
      made->push_back(std::make_unique<TrainModel<models::LearnerEntry>>(entry));
    }
    return made;
  }();
  std::vector<Command*> all;
  for (const auto& command : *commands) all.push_back(command.get());
  return all;
}

}  // namespace plumb::tools

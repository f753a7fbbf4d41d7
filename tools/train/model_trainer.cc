#include "tools/train/model_trainer.h"

#include <algorithm>
#include <atomic>
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
#include "client/training/stages.h"
#include "mpi/session/mpi_session.h"
#include "tools/check.h"
#include "tools/train/progress.h"
#include "tools/train/train_replica.h"
#include "tools/train/train_state.h"
#include "tools/train/train_watch.h"

namespace plumb::tools {
namespace {

volatile std::sig_atomic_t asked_to_stop = 0;

class Trainer {
 public:
  Trainer(const BuildModel& build, const Training& training)
      : training_(training),
        replica_(ReplicaOf(training)),
        straggling_(StragglingOf(training, replica_)),
        optimizer_(Sgd({.learning_rate = training.learning_rate})) {
    if (!replica_.servers.empty()) scope_.set_variable_device(ByBytes(replica_.servers));
    const Variable steps = MakeGlobalStep(scope_);
    global_step_ = steps.value();
    if (replica_.strategy.sync) sync_.emplace(*optimizer_, steps, *replica_.strategy.sync);
    if (replica_.strategy.all_reduce) together_.emplace(*optimizer_, *replica_.strategy.all_reduce);
    if (!replica_.strategy.stages.empty()) {
      staged_.emplace(OptimizerOfStages(), replica_.strategy.stages, BytesOfModel(build, training));
      scope_.set_variable_device(staged_->OfVariables());
    }
    trained_ = build(scope_, OptimizerOfModel(), OfOneShard(training), training.shards > 0 ? 0 : replica_.number);
    AddStepCount(steps);
    if (together_) AddMeetings();
    AddReadiness();
    if (!training.checkpoint.empty()) saver_.emplace(scope_, SavedByName(scope_), SaverOptions{.sharded = true});
    state_.emplace(training, replica_, !scope_.queue_runners().empty());
    if (!training.cluster.empty()) statement_ = StatementOf(build, training, scope_);
  }

  int Run() {
    std::signal(SIGTERM, [](int) { asked_to_stop = 1; });
    if (!training_.cluster.empty()) setenv("PLUMB_CLUSTER", training_.cluster.c_str(), /*overwrite=*/1);
    if (replica_.strategy.one_client) setenv("PLUMB_CLIENTS", "first", /*overwrite=*/1);
    if (!training_.cluster.empty()) dist::StateProgram(std::move(statement_));
    const std::string backend = training_.cluster.empty() ? training_.backend : "mpi";
    program_.emplace(scope_, OpenSession(backend, {.threads = training_.threads}));  // servers stay in here
    watch_.emplace(training_, replica_);
    Coordinator coordinator;
    const int64_t first = Begin(coordinator);
    const int64_t last = TrainUntilTheEnd(first, coordinator);
    if (state_->travels()) state_->Write(program_->session(), trained_, last);
    watch_->Finish();
    if (replica_.is_chief) std::printf("%s", PaceSummary(watch_->Paces()).c_str());
    if (saver_ && replica_.is_chief) std::printf("Checkpoint: %s\n", Save(last).c_str());
    return 0;
  }

 private:
  Optimizer& OptimizerOfModel() {
    if (sync_) return *sync_;
    return staged_ ? static_cast<Optimizer&>(*staged_) : OptimizerOfStages();
  }
  Optimizer& OptimizerOfStages() { return together_ ? static_cast<Optimizer&>(*together_) : *optimizer_; }

  // Where replicas have variables of their own: how they begin alike, and stop at the same step.
  void AddMeetings() {
    Require(together_->meetings() > 0 || together_->shards(), "--strategy ", training_.strategy,
            " takes the mean of gradients, and this model is trained without: leave it to async-ps");
    if (replica_.strategy.one_client) return;  // one client has nobody to agree with
    take_over_ = together_->Broadcast(scope_, /*sends=*/replica_.is_chief);
    wants_to_stop_ = ops::Placeholder(scope_, DType::kInt32, {.shape = PartialShape(Shape())});
    any_wants_to_stop_ = together_->Greatest(scope_, wants_to_stop_);
  }

  // The number of steps that all replicas have taken, the one that fetches it counted. Of synchronous replicas the step
  // that its next gradient is for.
  void AddStepCount(const Variable& steps) {
    if (sync_) {
      Require(sync_->update() != NodeId::kNone, "--strategy ", training_.strategy,
              " adds gradients, and this model is trained without: leave it to async-ps");
      // Statistics beside the gradients are kept of the first shard, whichever workers there are.
      const bool counts = training_.shards == 0 || replica_.strategy.makes_updates;
      const auto after = scope_.After({counts ? trained_.train : sync_->train()});
      next_step_ = ops::Identity(scope_, Output(&scope_.builder(), {sync_->train(), 0}));
    } else {
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
    if (replica_.is_chief && !RestoredVariables()) program_->Run(init_);
    if (meets()) program_->Run(take_over_);
    while (!program_->Fetch(is_ready_).scalar<bool>()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto step = program_->Fetch(global_step_).scalar<int64_t>();
    // Who knows how many it has read goes on with the images that would have come next.
    if (!state_->Restore(program_->session(), trained_, step) && (replica_.servers.empty() || shards() != nullptr)) {
      for (int64_t taken = 0; taken < step; ++taken) NextFeeds();
    }
    trained_.start(*program_, coordinator);
    if (replica_.is_chief) {
      std::printf("Training on %s, %s step %lld\n", trained_.source.c_str(), step > 0 ? "going on from" : "from",
                  static_cast<long long>(step));
      std::fflush(stdout);
    }
    if (sync_) program_->Run(sync_->begin());
    if (replica_.strategy.makes_updates) program_->Run(sync_->initialize());
    return step;
  }

  bool RestoredVariables() {
    if (!saver_ || !saver_->RestoreLatest(*program_, training_.checkpoint)) return false;
    saved_ = saver_->checkpoints().back();
    return true;
  }

  // The number of steps that were taken in the end.
  int64_t TrainUntilTheEnd(int64_t step, Coordinator& coordinator) {
    if (replica_.strategy.makes_updates && step < training_.steps) {
      coordinator.Start([&] { MakeUpdates(coordinator); });
    } else if (replica_.strategy.makes_updates) {
      program_->Run(sync_->close());  // others of the group may have begun before the last step
    }
    begun_ = step;
    for (int other = 1; other < replica_.strategy.under_way; ++other) {
      coordinator.Start([&] { TakeStepsBeside(coordinator); });
    }
    try {
      step = Train(step);
      coordinator.RequestStop();
    } catch (const Error& error) {
      coordinator.RequestStop(error.status());
      static_cast<void>(program_->session().Close());  // or updates would wait for gradients for ever
    }
    const Status ended = coordinator.Join();
    if (!ended.ok()) throw Error(ended);
    return program_->Fetch(global_step_).scalar<int64_t>();
  }

  int64_t Train(int64_t step) {
    Progress progress(replica_.is_chief ? stdout : stderr, training_.steps,
                      ExamplesPerStep(training_, replica_.strategy));
    float loss = 0;  // of this replica's last batch
    // Synchronous replicas go on until their tokens are closed: an update of theirs may still wait for a gradient.
    for (bool goes_on = MayBegin(step); goes_on && !IsStopped(); goes_on = sync_ || MayBegin(step)) {
      std::vector<Tensor> outputs;
      const bool is_over = !TakesStep(&outputs, /*is_watched=*/true);
      const int64_t before = step;
      step = is_over ? program_->Fetch(global_step_).scalar<int64_t>() : outputs[1].scalar<int64_t>();
      if (!is_over) loss = outputs[0].scalar<float>();
      if (replica_.is_chief) watch_->Tell(progress, before, step, loss);
      if (is_over) break;
      if (IsDue(before, step) && state_->travels()) state_->Write(program_->session(), trained_, step);
      if (replica_.is_chief && !sync_ && IsDue(before, step)) Save(step);
    }
    if (replica_.is_chief) progress.set_note(PaceLine(watch_->Paces()));
    if (replica_.is_chief) progress.Finish();
    if (asked_to_stop != 0 && replica_.is_chief)
      std::printf("Asked to stop at step %lld\n", static_cast<long long>(step));
    return step;
  }

  // Whether one more step is wanted after so many. Of several that are under way at once each counts when it begins.
  bool MayBegin(int64_t step) {
    return replica_.strategy.under_way == 1 ? step < training_.steps : begun_.fetch_add(1) < training_.steps;
  }

  // Of a replica with several steps under way: all but those that Train takes.
  void TakeStepsBeside(Coordinator& coordinator) {
    try {
      while (!coordinator.should_stop() && !IsStopped() && MayBegin(0)) {
        std::vector<Tensor> outputs;
        TakesStep(&outputs, /*is_watched=*/false);
      }
    } catch (const Error& error) {
      coordinator.RequestStop(error.status());
      static_cast<void>(program_->session().Close());
    }
  }

  // Whether replicas with variables of their own meet in each step.
  bool meets() const { return together_ && !replica_.strategy.one_client; }

  // Replicas that update together stop together.
  bool IsStopped() const {
    if (sync_) return false;
    return meets() ? is_stopped_ : asked_to_stop != 0;
  }

  bool has_backup() const { return sync_ && replica_.strategy.sync->aggregate < replica_.strategy.sync->replicas; }

  // Tokens are left over where a worker was away for some steps; gradients for those would be dropped.
  void TakeTokenOfThisStep(Tensor* token) {
    const Output retaken(&scope_.builder(), {sync_->retake(), 0});
    while (token->scalar<int64_t>() < program_->Fetch(global_step_).scalar<int64_t>())
      *token = program_->Fetch(retaken);
  }

  // Where batches are cut: how this replica's shards are computed; else null.
  const ShardGradients* shards() const {
    const auto& of = sync_ ? sync_->shards() : together_ ? together_->shards() : none_;
    return of ? &*of : nullptr;
  }

  // Of the next step. All replicas read all shards in one order, and feed their own.
  std::vector<FeedValue> NextFeeds() {
    if (shards() == nullptr) return trained_.next();
    const ShardRange& range = sync_ ? replica_.strategy.sync->shards : replica_.strategy.all_reduce->shards;
    std::vector<FeedValue> feeds;
    for (int shard = 0; shard < range.of; ++shard) {
      const int own = shard - range.first;
      for (const auto& [place, value] : trained_.next()) {
        if (own >= 0 && own < range.own) feeds.emplace_back(shards()->Place(own, place), value);
      }
    }
    return feeds;
  }

  // False when the updates of synchronous replicas have ended.
  bool TakesStep(std::vector<Tensor>* outputs, bool is_watched) {
    if (straggling_.count() > 0) std::this_thread::sleep_for(straggling_);
    try {
      std::vector<Output> fetches = {trained_.loss, next_step_};
      std::vector<FeedValue> feeds;
      {
        MutexLock lock(feeds_mutex_);
        feeds = NextFeeds();
      }
      if (meets()) {
        fetches.push_back(any_wants_to_stop_);
        feeds.emplace_back(wants_to_stop_, MakeScalar<int32_t>(asked_to_stop));
      }
      *outputs = is_watched ? Watched(fetches, feeds) : program_->Fetch(fetches, feeds);
      if (has_backup()) TakeTokenOfThisStep(&(*outputs)[1]);
      if (meets()) is_stopped_ = (*outputs)[2].scalar<int32_t>() != 0;
    } catch (const Error& error) {
      if (sync_ && error.status().code() == Code::kOutOfRange) return false;
      throw;
    }
    return true;
  }

  // Fetch, which is sampled now and then. The session has the graph by now.
  std::vector<Tensor> Watched(const std::vector<Output>& fetches, const std::vector<FeedValue>& feeds) {
    std::vector<Feed> named;
    for (const auto& [place, value] : feeds) named.emplace_back(place.name(), value);
    std::vector<std::string> names;
    for (const Output& fetch : fetches) names.push_back(fetch.name());
    std::vector<Tensor> outputs;
    Check(watch_->Run(program_->session(), named, names, &outputs));
    return outputs;
  }

  // Beside the training of the replica that makes the updates. Between an update and the next gradients nobody writes
  // variables, so that is when they are saved; what else a replica has to save, it does when it has its token.
  void MakeUpdates(Coordinator& coordinator) {
    Session& session = program_->session();
    const auto run = [&](NodeId node) {
      std::vector<Tensor> none;
      const std::vector<std::string> target = {scope_.NameOf(node)};
      Check(session.Run({}, {}, target, &none));
    };
    try {
      int64_t step = program_->Fetch(global_step_).scalar<int64_t>();
      while (true) {
        run(sync_->update());
        const int64_t before = step;
        step = program_->Fetch(global_step_).scalar<int64_t>();
        if (step >= training_.steps || asked_to_stop != 0) break;
        const bool is_due = replica_.is_chief && IsDue(before, step);
        bool is_released = false;
        const auto release = [&] {
          if (!std::exchange(is_released, true)) run(sync_->release());
        };
        if (is_due) Save(step, release);
        release();
      }
      run(sync_->close());
    } catch (const Error& error) {
      coordinator.RequestStop(error.status());
      static_cast<void>(session.Close());  // the replica beside would wait for a token for ever
    }
  }

  bool IsDue(int64_t before, int64_t step) const {
    return saver_ && step / training_.save_every > before / training_.save_every && step < training_.steps;
  }

  // `when_written`: called when the variables are.
  std::string Save(
      int64_t step, const std::function<void()>& when_written = [] {}) {
    const std::string prefix = state_->Prefix(step);
    if (prefix == saved_) return prefix;
    std::filesystem::create_directories(training_.checkpoint);
    SaveOptions options;
    if (state_->travels()) {
      options.beside = [&] {
        when_written();
        return state_->Gather(step);
      };
    }
    return saved_ = saver_->Save(*program_, prefix, options);
  }

  const Training& training_;
  const Replica replica_;
  const std::chrono::milliseconds straggling_;  // before each step
  const std::unique_ptr<Optimizer> optimizer_;
  Scope scope_;
  dist::Statement statement_;
  std::optional<SyncReplicas> sync_;
  std::optional<AllReduce> together_;
  std::optional<Stages> staged_;
  const std::optional<ShardGradients> none_;
  Output wants_to_stop_, any_wants_to_stop_;
  NodeId take_over_ = NodeId::kNone;
  bool is_stopped_ = false;
  TrainedModel trained_;
  Output global_step_, next_step_, is_ready_;
  NodeId init_ = NodeId::kNone;
  std::optional<Saver> saver_;
  std::optional<TrainState> state_;
  std::string saved_;  // last, or restored
  std::optional<Program> program_;
  std::optional<TrainingWatch> watch_;
  std::atomic<int64_t> begun_{0};  // steps, where several are under way
  Mutex feeds_mutex_;              // one step after the other takes its batch
};

}  // namespace

int TrainModel(const BuildModel& build, const Training& training) { return Trainer(build, training).Run(); }

}  // namespace plumb::tools

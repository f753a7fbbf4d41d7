#include "tools/train/model_trainer.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "backends/backends.h"
#include "client/training/checkpoint_timer.h"
#include "client/training/saver.h"
#include "mpi/session/mpi_session.h"
#include "tools/check.h"
#include "tools/train/checkpoint_folder.h"
#include "tools/train/placement_trial.h"
#include "tools/train/progress.h"
#include "tools/train/train_replica.h"
#include "tools/train/train_state.h"
#include "tools/train/train_watch.h"
#include "tools/train/training_graph.h"

namespace plumb::tools {
namespace {

volatile std::sig_atomic_t asked_to_stop = 0;

// Of replicas that meet in a step, for after it. Those that stop save then.
enum Wish : int32_t { kGoOn, kSave, kStop };

class Trainer {
 public:
  Trainer(const BuildModel& build, const Training& training)
      : training_(training),
        replica_(ReplicaOf(training)),
        straggling_(StragglingOf(training, replica_)),
        graph_(build, training, replica_) {
    Scope& scope = graph_.scope;
    if (!training.checkpoint.empty())
      saver_.emplace(scope, SavedByName(scope), SaverOptions{.sharded = true, .clear_devices = true});
    state_.emplace(training, replica_, !scope.queue_runners().empty());
    if (!training.cluster.empty()) statement_ = StatementOf(build, training, scope);
  }

  int Run() {
    std::signal(SIGTERM, [](int) { asked_to_stop = 1; });
    if (!training_.cluster.empty()) setenv("PLUMB_CLUSTER", training_.cluster.c_str(), /*overwrite=*/1);
    if (!training_.wire.empty()) setenv("PLUMB_WIRE", training_.wire.c_str(), /*overwrite=*/1);
    if (replica_.strategy.one_client) setenv("PLUMB_CLIENTS", "first", /*overwrite=*/1);
    if (!training_.cluster.empty()) dist::StateProgram(std::move(statement_));
    const std::string backend = training_.cluster.empty() ? training_.backend : "mpi";
    const SessionOptions options = {.threads = training_.threads, .gpu_graphs = training_.gpu_graphs};
    program_.emplace(graph_.scope, OpenSession(backend, options));  // servers stay in here
    if (graph_.by_cost) {
      program_->set_devices(graph_.by_cost->devices);
      std::printf("%s", TextOf(*graph_.by_cost, *replica_.by_cost).c_str());
    }
    Coordinator coordinator;
    try {
      if (saver_ && replica_.is_chief) PrepareCheckpointFolder(training_.checkpoint);
      watch_.emplace(training_, replica_);
      const int64_t first = Begin(coordinator);
      const int64_t last = TrainUntilTheEnd(first, coordinator);
      if (state_->travels()) state_->Write(program_->session(), graph_.model, last);
      watch_->Finish();
      if (replica_.is_chief) std::printf("%s", PaceSummary(watch_->Paces()).c_str());
      if (replica_.is_chief) TellHowItDoes();
      if (saver_ && replica_.is_chief) TellCheckpoint(Save(last, true));
    } catch (const Error& error) {
      GiveUp(error.status());
      throw;
    }
    return 0;
  }

 private:
  void TellHowItDoes() {
    if (graph_.model.test) std::printf("%s", graph_.model.test(program_->session(), training_.test_images).c_str());
  }

  void TellCheckpoint(const std::string& prefix) const {
    std::printf("Checkpoint: %s\n", prefix.c_str());
    if (!graph_.prediction) return;
    std::printf("Try it: plumb run %s.meta --restore %s --feed %s=@IMAGES.npy --fetch %s\n", prefix.c_str(),
                prefix.c_str(), graph_.model.input->name().c_str(), graph_.prediction->name().c_str());
  }

  // Of any thread that fails: those beside it end too, whatever they wait for, and so do the other ranks.
  void GiveUp(const Status& status) {
    if (!training_.cluster.empty()) dist::AbandonRun(status);
    state_->GiveUp(status);
    static_cast<void>(program_->session().Close());
  }

  // Gives the variables their values, or waits until the chief has; the number of steps taken so far.
  int64_t Begin(Coordinator& coordinator) {
    if (replica_.is_chief && !RestoredVariables()) program_->Run(graph_.init);
    if (graph_.meets()) program_->Run(graph_.take_over);
    while (!program_->Fetch(graph_.is_ready).scalar<bool>()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto step = program_->Fetch(graph_.global_step).scalar<int64_t>();
    if (saver_) timer_.emplace(SaveInterval::Parse(training_.save_every));
    // Who knows how many it has read goes on with the images that would have come next.
    if (!state_->Restore(program_->session(), graph_.model, step) &&
        (replica_.servers.empty() || graph_.shards() != nullptr)) {
      for (int64_t taken = 0; taken < step; ++taken) graph_.SkipFeeds();
    }
    graph_.model.start(*program_, coordinator);
    if (replica_.is_chief) {
      std::printf("Training on %s, %s step %lld\n", graph_.model.source.c_str(), step > 0 ? "going on from" : "from",
                  static_cast<long long>(step));
      std::fflush(stdout);
    }
    if (graph_.sync) program_->Run(graph_.sync->begin());
    if (replica_.strategy.makes_updates) program_->Run(graph_.sync->initialize());
    return step;
  }

  bool RestoredVariables() {
    const auto restored = saver_ ? saver_->RestoreLatest(*program_, training_.checkpoint) : std::nullopt;
    if (restored) saved_ = *restored;
    return restored.has_value();
  }

  // The number of steps that were taken in the end.
  int64_t TrainUntilTheEnd(int64_t step, Coordinator& coordinator) {
    if (replica_.strategy.makes_updates && step < training_.steps) {
      coordinator.Start([&] { MakeUpdates(coordinator); });
    } else if (replica_.strategy.makes_updates) {
      program_->Run(graph_.sync->close());  // others of the group may have begun before the last step
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
      GiveUp(error.status());  // or updates would wait for gradients for ever
    }
    const Status ended = coordinator.Join();
    if (!ended.ok()) throw Error(ended);
    return program_->Fetch(graph_.global_step).scalar<int64_t>();
  }

  int64_t Train(int64_t step) {
    if (step >= training_.steps && replica_.is_chief) TellThatItIsOver(step);
    Progress progress(replica_.is_chief ? stdout : stderr, training_.steps,
                      ExamplesPerStep(training_, replica_.strategy), /*first=*/step);
    const int64_t begun_at = step;
    float loss = 0;  // of this replica's last batch
    // Synchronous replicas go on until their tokens are closed: an update of theirs may still wait for a gradient. That
    // is so from their first step on, since another group may have come to the last one meanwhile.
    const bool waits_for_close = graph_.sync && !replica_.strategy.makes_updates;
    for (bool goes_on = waits_for_close || MayBegin(step); goes_on && !IsStopped();
         goes_on = graph_.sync || MayBegin(step)) {
      std::vector<Tensor> outputs;
      const bool is_over = !TakesStep(&outputs, /*is_watched=*/true);
      const int64_t before = step;
      step = is_over ? program_->Fetch(graph_.global_step).scalar<int64_t>() : outputs[1].scalar<int64_t>();
      if (!is_over) loss = outputs[0].scalar<float>();
      if (replica_.is_chief) watch_->Tell(progress, before, step, loss);
      if (is_over) break;
      const bool is_due = SavesWithParts() && IsDue(before, step);
      if (is_due && state_->travels()) state_->Write(program_->session(), graph_.model, step);
      if (is_due && replica_.is_chief && !graph_.sync) Save(step, true);
    }
    if (replica_.is_chief) progress.set_note(PaceLine(watch_->Paces()));
    if (replica_.is_chief && step > begun_at) progress.Finish();
    if (asked_to_stop != 0 && replica_.is_chief)
      std::printf("Asked to stop at step %lld\n", static_cast<long long>(step));
    return step;
  }

  void TellThatItIsOver(int64_t step) const {
    std::printf(
        "No step to take: the checkpoint is at step %lld, and --steps %d is where training ends; write a greater one "
        "to go on\n",
        static_cast<long long>(step), training_.steps);
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
      GiveUp(error.status());
    }
  }

  // Replicas that update together stop together.
  bool IsStopped() const {
    if (graph_.sync) return false;
    return graph_.meets() ? agreed_ == kStop : asked_to_stop != 0;
  }

  bool has_backup() const {
    return graph_.sync && replica_.strategy.sync->aggregate < replica_.strategy.sync->replicas;
  }

  // Tokens are left over where a worker was away for some steps; gradients for those would be dropped.
  void TakeTokenOfThisStep(Tensor* token) {
    const Output retaken{&graph_.scope.builder(), {graph_.sync->retake(), 0}};
    while (token->scalar<int64_t>() < program_->Fetch(graph_.global_step).scalar<int64_t>())
      *token = program_->Fetch(retaken);
  }

  // False when the updates of synchronous replicas have ended.
  bool TakesStep(std::vector<Tensor>* outputs, bool is_watched) {
    if (straggling_.count() > 0) std::this_thread::sleep_for(straggling_);
    try {
      std::vector<Output> fetches = {graph_.model.loss, graph_.next_step};
      std::vector<FeedValue> feeds;
      {
        MutexLock lock(feeds_mutex_);
        feeds = graph_.NextFeeds();
      }
      if (graph_.meets()) {
        fetches.push_back(graph_.greatest_wish);
        feeds.emplace_back(graph_.wish, MakeScalar<int32_t>(OwnWish()));
      }
      *outputs = is_watched ? Watched(fetches, feeds) : program_->Fetch(fetches, feeds);
      if (has_backup()) TakeTokenOfThisStep(&(*outputs)[1]);
      if (graph_.meets()) agreed_ = Wish((*outputs)[2].scalar<int32_t>());
    } catch (const Error& error) {
      if (graph_.sync && error.status().code() == Code::kOutOfRange) return false;
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
      const std::vector<std::string> target = {graph_.scope.NameOf(node)};
      Check(session.Run({}, {}, target, &none));
    };
    try {
      int64_t step = program_->Fetch(graph_.global_step).scalar<int64_t>();
      while (true) {
        run(graph_.sync->update());
        const int64_t before = step;
        step = program_->Fetch(graph_.global_step).scalar<int64_t>();
        if (step >= training_.steps || asked_to_stop != 0) break;
        const bool is_due = replica_.is_chief && IsDue(before, step);
        bool is_released = false;
        const auto release = [&] {
          if (!std::exchange(is_released, true)) run(graph_.sync->release());
        };
        if (is_due) Save(step, SavesWithParts(), release);
        release();
      }
      run(graph_.sync->close());
    } catch (const Error& error) {
      coordinator.RequestStop(error.status());
      GiveUp(error.status());  // the replica beside would wait for a token for ever
    }
  }

  // Replicas that meet save by time after the step before which the chief found that it was.
  bool IsDue(int64_t before, int64_t step) const {
    if (!saver_ || step >= training_.steps) return false;
    return IsOfTime() && graph_.meets() ? agreed_ == kSave : timer_->IsDue(before, step);
  }

  bool IsOfTime() const { return timer_->interval().IsOfTime(); }

  // Whether all that have a part of a checkpoint know after which steps to write it. By time only the updates of
  // synchronous replicas do, so that what is saved between the first step and the last are variables alone.
  bool SavesWithParts() const { return saver_ && !(IsOfTime() && graph_.sync); }

  Wish OwnWish() const {
    if (asked_to_stop != 0) return kStop;
    const bool is_due = saver_ && replica_.is_chief && IsOfTime() && timer_->IsDue(0, 1);
    return is_due ? kSave : kGoOn;
  }

  // `has_parts`: every replica writes its own after this step. `when_written`: called when the variables are.
  std::string Save(
      int64_t step, bool has_parts, const std::function<void()>& when_written = [] {}) {
    const std::string prefix = state_->Prefix(step);
    if (prefix == saved_) return prefix;
    SaveOptions options;
    const bool is_whole = has_parts || !state_->travels();
    if (has_parts && state_->travels()) {
      options.beside = [&] {
        when_written();
        return state_->Gather(step);
      };
    }
    saver_->Save(*program_, prefix, options);
    timer_->Saved();
    watch_->Saved();
    if (is_whole) saved_ = prefix;
    return prefix;
  }

  const Training& training_;
  const Replica replica_;
  const std::chrono::milliseconds straggling_;  // before each step
  TrainingGraph graph_;
  dist::Statement statement_;
  Wish agreed_ = kGoOn;  // of replicas that meet, in the last step
  std::optional<Saver> saver_;
  std::optional<CheckpointTimer> timer_;  // where there is a saver
  std::optional<TrainState> state_;
  std::string saved_;  // the last one that is whole, or was restored
  std::optional<Program> program_;
  std::optional<TrainingWatch> watch_;
  std::atomic<int64_t> begun_{0};  // steps, where several are under way
  Mutex feeds_mutex_;              // one step after the other takes its batch
};

}  // namespace

int TrainModel(const BuildModel& build, const Training& training) {
  const Training launched = AsLaunched(training);
  return Trainer(build, launched).Run();
}

}  // namespace plumb::tools

// `plumb run`: one step of a graph file.
#include "client/fed_fetches.h"
#include "client/training/queue_runner.h"
#include "spec/files/file_system.h"
#include "spec/graph/graph_file.h"
#include "tools/check.h"
#include "tools/commands.h"
#include "tools/fetched.h"
#include "tools/literal.h"
#include "tools/restore.h"
#include "tools/sandbox.h"
#include "tools/step_settings.h"

namespace plumb::tools {
namespace {

class RunGraph : public Command {
 public:
  const char* name() const override { return "run"; }
  const char* help() const override { return "Runs one step of a graph and prints what it fetches."; }
  void Declare(Options& options) override {
    options.Argument("graph", &graph_, "GraphDef or MetaGraphDef, binary or text");
    options.Option(
        "--feed", &feeds_,
        "NAME=TYPE[SHAPE]{VALUES}, as in x:0=float32[2,2]{1,2,3,4}, x:0=float32{1} (a scalar), "
        "x:0=float32[9]{0} (one value for all) or s:0=string[2]{a,\"b, \\\"c\\\"\\x0a\"}: texts with commas "
        "stand in double quotes, with \\\", \\\\ and \\xHH for a byte; x:0=@FILE.npy; x:0=@bytes:FILE; may be "
        "repeated");
    options.Option("--fetch", &fetches_, "tensor to print; may be repeated");
    options.Option("--restore", &checkpoint_,
                   "checkpoint whose values the variables take first: its prefix, a folder with its latest, or of the "
                   "first format (V1) its file, or the pattern of its files as in CHECKPOINT-????\?-of-00004");
    options.Option("--sandbox", &sandbox_,
                   "folder that the graph's ops may read and write files below, where relative paths begin, besides "
                   "reading what --restore names; else anywhere");
    options.Option("--first", &first_,
                   "node to run before all else but --restore, in a step of its own, such as the initialiser of the "
                   "variables; may be repeated");
    options.Flag("--queue-runners", &queue_runners_,
                 "run the initialisers of the MetaGraph's tables and local variables, such as counters of epochs, "
                 "after --first, and its queue runners beside the steps that follow");
    options.Option("--target", &targets_, "node to run before the fetches, each in a step of its own; may be repeated");
    settings_.Declare(options);
  }
  int Run() override {
    Require(!fetches_.empty() || !targets_.empty() || !first_.empty(),
            "there is nothing to run: name a tensor to print by --fetch NAME:0, or a node by --target NAME");
    CheckSandbox(sandbox_, settings_.backend);
    const auto session = settings_.Open();
    const MetaGraph meta = LoadMetaGraphFile(graph_);
    Require(!meta.graph.nodes.empty(), "the graph in '", graph_, "' has no nodes");
    Check(session->Extend(meta.graph));
    const std::string prefix = checkpoint_.empty() ? "" : PrefixOf(checkpoint_);  // the user's own, wherever it lies
    ConfineFilesBut(sandbox_, checkpoint_, prefix);
    if (!checkpoint_.empty()) Restore(*session, meta, prefix);
    if (!settings_.output.empty()) FileNamesOf(fetches_);  // a clash is told before anything runs
    std::vector<Feed> feeds;
    for (const std::string& feed : feeds_) feeds.push_back(ParseFeed(feed));
    std::vector<Tensor> none;
    const RunOptions step_options = settings_.run_options();
    for (const std::string& node : first_) Check(session->Run(step_options, feeds, {}, {&node, 1}, &none, nullptr));
    Coordinator coordinator;
    if (queue_runners_) StartInputs(meta, *session, coordinator);
    const Status step = StepStatus(*session, feeds);
    coordinator.RequestStop();
    Check(FirstReason(coordinator.Join(), WithAdvice(step, meta)));
    return 0;
  }

 private:
  // Fills the tables and gives local variables their values, in one step; the queues are filled from then on.
  static void StartInputs(const MetaGraph& meta, Session& session, Coordinator& coordinator) {
    std::vector<std::string> initializers = meta.Collection("table_initializer");
    initializers.insert(initializers.end(), meta.local_initializers.begin(), meta.local_initializers.end());
    std::vector<Tensor> outputs;
    if (!initializers.empty()) Check(session.Run({}, {}, initializers, &outputs));
    for (const QueueRunnerNodes& runner : meta.queue_runners) StartQueueRunner(runner, session, coordinator);
    coordinator.OnStop([&session] { (void)session.Close(); });  // wakes those of runners without a cancel node
  }

  // A queue runner that fails closes the session, and the step then fails of that.
  static Status FirstReason(const Status& runners, const Status& step) {
    if (runners.ok() || step.ok()) return runners.ok() ? step : runners;
    return runners.WithMessage(Str("a queue runner failed: ", runners.message(), "; then the step: ", step.ToString()));
  }

  // Checkpoints leave local variables out, so that restoring one is not enough for a graph that reads these.
  Status WithAdvice(const Status& step, const MetaGraph& meta) const {
    const bool may_be_unset = step.code() == Code::kFailedPrecondition || step.code() == Code::kNotFound;
    if (!may_be_unset || queue_runners_ || meta.local_initializers.empty()) return step;
    return step.WithMessage(Str(step.message(), "; the graph has local variables: --queue-runners initialises them"));
  }

  Status StepStatus(Session& session, std::span<const Feed> feeds) const {
    try {
      RunStep(session, feeds);
    } catch (const Error& error) {
      return error.status();
    }
    return OkStatus();
  }

  void RunStep(Session& session, std::span<const Feed> feeds) const {
    const RunOptions step = settings_.run_options();
    std::vector<Tensor> outputs;
    for (const std::string& target : targets_) Check(session.Run(step, feeds, {}, {&target, 1}, &outputs, nullptr));
    if (fetches_.empty()) return;
    Check(RunAnsweringFeeds(session, step, feeds, fetches_, &outputs));
    settings_.Give(fetches_, outputs);
  }

  StepSettings settings_;
  std::string graph_, checkpoint_, sandbox_;
  std::vector<std::string> feeds_, fetches_, first_, targets_;
  bool queue_runners_ = false;
};

}  // namespace

Command& RunCommand() {
  static RunGraph command;
  return command;
}

}  // namespace plumb::tools

// `plumb run`: one step of a graph file.
#include <cstdio>

#include "backends/backends.h"
#include "client/fed_fetches.h"
#include "client/training/queue_runner.h"
#include "spec/files/file_system.h"
#include "spec/graph/graph_file.h"
#include "spec/session/tensor_float_32.h"
#include "tools/check.h"
#include "tools/commands.h"
#include "tools/fetched.h"
#include "tools/literal.h"
#include "tools/restore.h"
#include "tools/sandbox.h"

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
                   "folder that the graph's ops may read and write files below, besides reading what --restore names; "
                   "else anywhere");
    options.Option("--first", &first_,
                   "node to run before all else but --restore, in a step of its own, such as the initialiser of the "
                   "variables; may be repeated");
    options.Flag("--queue-runners", &queue_runners_,
                 "run the initialisers of the MetaGraph's tables and local variables, such as counters of epochs, "
                 "after --first, and its queue runners beside the steps that follow");
    options.Option("--target", &targets_, "node to run before the fetches, each in a step of its own; may be repeated");
    options.Option("--backend", &backend_, "reference, cpu, sim, gpu-emulated, gpu, gpu:N or the path of a library");
    options.Count("--threads", &threads_, "threads of the cpu backend; 0: one per core");
    options.Flag("--soft-placement", &soft_placement_,
                 "place what asks for a device that is not there, or that lacks its op, where it can run");
    options.Flag("--tf32", &takes_tf32_,
                 "on GPUs, multiply float32 with 10 bits of fraction, which is several times as fast (docs/gpu.md)");
    options.Option("--output", &output_, "folder for the fetches, each as NAME.npy with '_' for '/' and ':'");
    options.Count("--limit", &limit_, "elements to print of each tensor");
    options.Count("--timeout", &timeout_, "seconds that a step may take, then it says what it waits for; 0: any time");
  }
  int Run() override {
    Require(!fetches_.empty() || !targets_.empty() || !first_.empty(),
            "there is nothing to run: name a tensor to print by --fetch NAME:0, or a node by --target NAME");
    CheckSandbox(sandbox_, backend_);
    SessionOptions options;
    options.threads = threads_;
    options.allow_soft_placement = soft_placement_;
    if (takes_tf32_) EnableTensorFloat32(true);
    const auto session = OpenSession(backend_, options);
    const MetaGraph meta = LoadMetaGraphFile(graph_);
    Require(!meta.graph.nodes.empty(), "the graph in '", graph_, "' has no nodes");
    Check(session->Extend(meta.graph));
    const std::string prefix = checkpoint_.empty() ? "" : PrefixOf(checkpoint_);  // the user's own, wherever it lies
    ConfineFilesBut(sandbox_, checkpoint_, prefix);
    if (!checkpoint_.empty()) Restore(*session, meta, prefix);
    if (!output_.empty()) FileNamesOf(fetches_);  // a clash is told before anything runs
    std::vector<Feed> feeds;
    for (const std::string& feed : feeds_) feeds.push_back(ParseFeed(feed));
    std::vector<Tensor> none;
    for (const std::string& node : first_) Check(session->Run(StepOptions(), feeds, {}, {&node, 1}, &none, nullptr));
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

  RunOptions StepOptions() const {
    RunOptions step;
    step.timeout_ms = int64_t{1000} * timeout_;
    return step;
  }

  void RunStep(Session& session, std::span<const Feed> feeds) const {
    const RunOptions step = StepOptions();
    std::vector<Tensor> outputs;
    for (const std::string& target : targets_) Check(session.Run(step, feeds, {}, {&target, 1}, &outputs, nullptr));
    if (fetches_.empty()) return;
    Check(RunAnsweringFeeds(session, step, feeds, fetches_, &outputs));
    if (output_.empty()) {
      for (size_t i = 0; i < outputs.size(); ++i) {
        std::printf("%s = %s\n", fetches_[i].c_str(), outputs[i].ToString(limit_).c_str());
      }
    } else {
      WriteFetches(output_, fetches_, outputs);
    }
  }

  std::string graph_, checkpoint_, sandbox_, output_, backend_ = "cpu";
  std::vector<std::string> feeds_, fetches_, first_, targets_;
  bool queue_runners_ = false, soft_placement_ = false, takes_tf32_ = false;
  int threads_ = 0, limit_ = 64, timeout_ = 0;
};

}  // namespace

Command& RunCommand() {
  static RunGraph command;
  return command;
}

}  // namespace plumb::tools

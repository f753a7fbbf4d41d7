// Laws of partitions: each runs by itself, they meet at a rendezvous, and what stops one stops all (W20–W32).
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "fastpath/cpu/cpu_device.h"
#include "fastpath/execute/partitioned_executor.h"
#include "fastpath/sim/sim_testing.h"
#include "fastpath/testing/function_receiver.h"
#include "fastpath/testing/test_steps.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

// A channel whose other end no node of the graph is.
AttrMap EndOf(const std::string& tensor, const char* type_attr) {
  return {{"tensor_name", tensor},        {"send_device", "/cpu:0"},   {"recv_device", "/cpu:1"},
          {"send_device_incarnation", 1}, {"client_terminated", true}, {type_attr, kFloat}};
}
// The other end of it.
class Peer {
 public:
  explicit Peer(const std::string& tensor) : channel_(ChannelOf(EndOf(tensor, "T"))) {}
  Status Send(Rendezvous& rendezvous, Message message) const {
    return rendezvous.Send(channel_, KeyOf(channel_, kRootIteration), std::move(message));
  }
  template <class Function>
  void Receive(Rendezvous& rendezvous, Function function) const {
    rendezvous.Receive(KeyOf(channel_, kRootIteration), std::make_shared<FunctionReceiver>(std::move(function)), false);
  }

 private:
  const Channel channel_;
};

std::shared_ptr<Kernel> AnyKernel(const Node& node) {
  static CpuDevice device(0);
  return device.MakeKernel(node);
}

// Receives "x", sends its negative as "y".
TestGraph Negator() {
  TestGraph graph;
  graph.Add("x", "_Recv", {}, EndOf("x", "tensor_type"));
  graph.Op("negative", "Neg", kFloat, {"x"});
  graph.Add("y", "_Send", {"negative"}, EndOf("y", "T"));
  graph.Float("end", 0, {"^y"});
  return graph;
}

// A partition without feeds and fetches, by itself.
class Partition {
 public:
  explicit Partition(int threads, const KernelSource& kernels = AnyKernel, Device* device = nullptr)
      : steps_(Negator(), {}, "end", threads, kernels), device_(device) {}

  std::future<Status> Start() {
    auto outcome = std::make_shared<std::promise<Status>>();
    steps_.executor().RunAsync({1, rendezvous_, &cancellation_, nullptr, nullptr, device_},
                               [this, outcome](const Status& status) { End(*outcome, status); });
    return outcome->get_future();
  }
  Status Await(std::future<Status> outcome) {
    steps_.pool().HelpUntil([&] { return ended_.load(); });
    return outcome.get();
  }
  LocalRendezvous& rendezvous() { return *rendezvous_; }
  Cancellation& cancellation() { return cancellation_; }

 private:
  void End(std::promise<Status>& outcome, const Status& status) {
    outcome.set_value(status);
    ended_ = true;
    steps_.pool().WakeAll();
  }

  TestSteps steps_;
  Device* const device_;
  std::shared_ptr<LocalRendezvous> rendezvous_ = std::make_shared<LocalRendezvous>(1);
  Cancellation cancellation_;
  std::atomic<bool> ended_{false};
};

TEST(Partitions, RunByThemselves) {
  for (const int threads : {1, 3}) {
    Partition partition(threads);
    auto outcome = partition.Start();
    float received = 0;
    Peer("y").Receive(partition.rendezvous(),
                      [&](const Rendezvous::Outcome& answer) { received = answer.message.value.scalar<float>(); });
    ASSERT_TRUE(Peer("x").Send(partition.rendezvous(), {MakeScalar(3.0f), false, nullptr}).ok());
    EXPECT_TRUE(partition.Await(std::move(outcome)).ok());
    EXPECT_EQ(received, -3);
  }
}

// X4: deadness travels.
TEST(Partitions, SendWhatIsDeadAsDead) {
  Partition partition(2);
  auto outcome = partition.Start();
  bool is_dead = false;
  Peer("y").Receive(partition.rendezvous(),
                    [&](const Rendezvous::Outcome& answer) { is_dead = answer.message.is_dead; });
  ASSERT_TRUE(Peer("x").Send(partition.rendezvous(), {Tensor(), true, nullptr}).ok());
  EXPECT_TRUE(partition.Await(std::move(outcome)).ok());
  EXPECT_TRUE(is_dead);
}

TEST(Partitions, StopWhenTheyAreToldTo) {
  for (const bool aborts : {false, true}) {
    Partition partition(2);
    auto outcome = partition.Start();
    if (aborts) {
      partition.rendezvous().Abort(Status(Code::kDataLoss, "the sender is lost"));
    } else {
      partition.cancellation().Cancel();
    }
    EXPECT_EQ(partition.Await(std::move(outcome)).code(), aborts ? Code::kDataLoss : Code::kCancelled);
  }
}

// Values go on while they are computed, and the partition ends when its device has done everything.
TEST(Partitions, EndWhenTheirDeviceIsDone) {
  SimDevice device(NewSimDriver({}), 0, 1);
  Partition partition(
      2, [&](const Node& node) { return device.MakeKernel(node); }, &device);
  Gate gate(device);
  auto outcome = partition.Start();
  std::promise<Message> sent;
  Peer("y").Receive(partition.rendezvous(), [&](const Rendezvous::Outcome& answer) { sent.set_value(answer.message); });
  ASSERT_TRUE(Peer("x").Send(partition.rendezvous(), {MakeScalar(3.0f), false, nullptr}).ok());
  const Message message = sent.get_future().get();
  EXPECT_EQ(outcome.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  gate.Open();
  EXPECT_TRUE(partition.Await(std::move(outcome)).ok());
  std::promise<Tensor> arrived;
  Transfer(message.device, device, /*to_host=*/true, /*step_id=*/1, message.value,
           [&](const Status&, Tensor value) { arrived.set_value(std::move(value)); });
  EXPECT_EQ(arrived.get_future().get().scalar<float>(), -3);
}

// A Recv of the graph's own waits for somebody who may come yet, and says so.
TEST(Partitions, AwaitWhatNobodySends) {
  TestGraph graph;
  graph.Add("x", "_Recv", {}, EndOf("x", "tensor_type"));
  TestSteps steps(graph, {}, "x", 2, AnyKernel);
  std::vector<Tensor> outputs;
  const Status status = steps.RunFor(20, &outputs);
  EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
  EXPECT_NE(status.message().find("'x' (_Recv) waits for tensor 'x' from '/cpu:0' (key '/cpu:0;1;/cpu:1;x;0:0')"),
            std::string::npos)
      << status.message();
}

SessionOptions WithSims(int threads) { return {.threads = threads, .sim_devices = 2, .allow_soft_placement = true}; }

// W21, W33: values go from device to device and back.
TEST(Partitions, PassValuesBetweenDevices) {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Add("a", "Neg", {"x"}, {{"T", kFloat}}, "/device:SIM:0");
  graph.Add("b", "Identity", {"a"}, {{"T", kFloat}}, "/device:SIM:1");
  graph.Add("c", "Identity", {"b"}, {{"T", kFloat}}, "/cpu:0");
  graph.Add("d", "AddN", {"a", "b", "c"}, {{"T", kFloat}, {"N", 3}}, "/device:SIM:0");
  for (const int threads : {1, 4}) {
    TestSession session(graph, WithSims(threads));
    for (const float x : {1.0f, 2.0f}) EXPECT_EQ(session.Scalar<float>({{"x", MakeScalar(x)}}, "d"), -3 * x);
  }
}

// A part with nothing to run is a part all the same.
TEST(Partitions, MayBeConstantsAlone) {
  TestGraph graph;
  graph.Add("far", "Const", {}, {{"value", MakeScalar(2.0f)}, {"dtype", kFloat}}, "/device:SIM:0");
  graph.Add("near", "Const", {}, {{"value", MakeScalar(3.0f)}, {"dtype", kFloat}}, "/cpu:0");
  TestSession session(graph, WithSims(2));
  EXPECT_EQ(session.Scalar<float>({}, "near", {"far"}), 3);
}

// W16: shapes and axes are values of the host, wherever they come from.
TEST(Partitions, KeepShapesOnTheHost) {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Op("shape", "Shape", kFloat, {"x"});
  graph.Int("three", 3);
  graph.Op("bigger", "Mul", DType::kInt32, {"shape", "three"});
  graph.Float("seven", 7);
  graph.Add("filled", "Fill", {"bigger", "seven"}, {{"T", kFloat}});
  graph.Add("axes", "Range", {"zero", "rank", "one"}, {{"Tidx", DType::kInt32}});
  graph.Int("zero", 0);
  graph.Int("one", 1);
  graph.Op("rank", "Rank", kFloat, {"filled"});
  graph.Add("sum", "Sum", {"filled", "axes"}, {{"T", kFloat}, {"Tidx", DType::kInt32}});
  TestSession session(graph, WithSims(2));
  EXPECT_EQ(session.Scalar<float>({{"x", Zeros(kFloat, {2, 5})}}, "sum"), 7 * 90);
}

// X9: the first error is the step's, on whichever device it arises; afterwards all is as before.
TEST(Partitions, FailTogether) {
  TestGraph graph;
  graph.Placeholder("index", DType::kInt32);
  graph.Const("table", MakeVector<float>({1, 2, 3}));
  graph.Int("axis", 0);
  graph.Add("taken", "GatherV2", {"table", "index", "axis"},
            {{"Tparams", kFloat}, {"Tindices", DType::kInt32}, {"Taxis", DType::kInt32}}, "/device:SIM:0");
  graph.Add("other", "Neg", {"taken"}, {{"T", kFloat}}, "/cpu:0");
  graph.Add("sum", "AddN", {"taken", "other"}, {{"T", kFloat}, {"N", 2}}, "/device:SIM:0");
  TestSession session(graph, WithSims(3));
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(session.Try({{"index", MakeScalar(7)}}, {"sum"}), Code::kInvalidArgument);
    EXPECT_NE(session.status().message().find("'taken'"), std::string::npos) << session.status().message();
    EXPECT_EQ(session.Scalar<float>({{"index", MakeScalar(1)}}, "sum"), 0);
  }
}

// X9: what a node of a device has to run before does not run when it fails, although the host goes on as soon as the
// work is queued.
TEST(Partitions, LetNothingRunBehindAFailure) {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Add("check", "CheckNumerics", {"x"}, {{"T", kFloat}, {"message", "no number"}}, "/device:SIM:0");
  graph.Add("v", "VarHandleOp", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}, {"shared_name", "v"}});
  graph.Float("one", 1);
  graph.Add("begin", "AssignVariableOp", {"v", "one"}, {{"dtype", kFloat}});
  graph.Add("update", "AssignVariableOp", {"v", "x", "^check"}, {{"dtype", kFloat}});
  graph.Add("read", "ReadVariableOp", {"v"}, {{"dtype", kFloat}});
  TestSession session(graph, WithSims(2));
  session.Run({}, {}, {"begin"});
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(session.Try({{"x", MakeScalar<float>(NAN)}}, {}, {"update"}), Code::kInvalidArgument);
    EXPECT_NE(session.status().message().find("'check'"), std::string::npos) << session.status().message();
    EXPECT_EQ(session.Scalar<float>({}, "read"), 1);
  }
}

// Receives "nothing", which nobody sends, on an accelerator; the host wants what is computed from it, or only that it
// is.
TestGraph WaitingForNothing() {
  TestGraph graph;
  graph.Add("never", "_Recv", {}, EndOf("nothing", "tensor_type"), "/device:SIM:0");
  graph.Add("far", "Neg", {"never"}, {{"T", kFloat}}, "/device:SIM:0");
  graph.Add("near", "Neg", {"far"}, {{"T", kFloat}}, "/cpu:0");
  return graph;
}

Status RunFor(int64_t timeout_ms, Session& session, std::vector<std::string> fetches,
              std::vector<std::string> targets) {
  RunOptions options;
  options.timeout_ms = timeout_ms;
  std::vector<Tensor> outputs;
  return session.Run(options, {}, fetches, targets, &outputs, nullptr);
}

// S4: the message says who waits for what, in every part of the step.
TEST(Partitions, SayWhatAllOfThemWaitFor) {
  TestSession session(WaitingForNothing(), WithSims(2));
  const std::string far = "/job:localhost/replica:0/task:0/device:SIM:0";
  const Status status = RunFor(50, *session, {"near"}, {});
  EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
  const std::vector<std::string> expected = {
      "'never' (_Recv) on " + far + " waits for tensor 'nothing' from '/cpu:0' (key '/cpu:0;1;/cpu:1;nothing;0:0')",
      " (_Recv) waits for tensor '", " from '" + far + "' (key '" + far + ";"};
  for (const std::string& said : expected) {
    EXPECT_NE(status.message().find(said), std::string::npos) << said << "\n" << status.message();
  }
}

// S2, S4: a step ends by its deadline, or with its session, also when the host's part has nothing left to do.
TEST(Partitions, CanBeStoppedWhenTheHostIsDone) {
  TestSession session(WaitingForNothing(), WithSims(1));
  const Status late = RunFor(50, *session, {}, {"far"});
  EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
  EXPECT_NE(late.message().find("'never' (_Recv) on "), std::string::npos) << late.message();
  std::promise<Status> stopped;
  std::thread client([&] { stopped.set_value(RunFor(0, *session, {}, {"far"})); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(session->Close().ok());
  EXPECT_EQ(stopped.get_future().get().code(), Code::kCancelled);
  client.join();
}

// X8, X18, F27: a NextIteration that is dead sends nothing, and who waits for it on another device waits for nothing.
TEST(Partitions, EndWhenNothingMoreCanHappen) {
  TestGraph graph;
  graph.Placeholder("pred", DType::kBool);
  graph.Float("x", 1);
  graph.Op("switch", "Switch", kFloat, {"x", "pred"});
  graph.Op("next", "NextIteration", kFloat, {"switch:1"});
  graph.Add("far", "Neg", {"next"}, {{"T", kFloat}}, "/device:SIM:0");
  TestSession session(graph, WithSims(2));
  EXPECT_EQ(session.Try({{"pred", MakeScalar(false)}}, {"far"}), Code::kInvalidArgument);
}

// Traces name the devices that nodes ran on.
TEST(Partitions, AreTracedByDevice) {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Add("far", "Neg", {"x"}, {{"T", kFloat}}, "/device:SIM:1");
  TestSession session(graph, {.threads = 2, .sim_devices = 2, .sim_seed = 0, .allow_soft_placement = true});
  RunMetadata metadata;
  std::vector<Tensor> outputs;
  const std::vector<Feed> feeds = {{"x", MakeScalar(1.0f)}};
  RunOptions options;
  options.trace = true;
  ASSERT_TRUE(session->Run(options, feeds, std::vector<std::string>{"far"}, {}, &outputs, &metadata).ok());
  ASSERT_EQ(metadata.step_stats.size(), 3u);
  size_t ran = 0;
  for (size_t device = 1; device < 3; ++device) {
    for (const NodeStats& node : metadata.step_stats[device].nodes) ran += node.node == "far";
  }
  EXPECT_EQ(ran, 1u);
}

}  // namespace
}  // namespace plumb::fast

// Laws of where resources are held (R1, W10–W14): on an accelerator, if that changes nothing but time.
#include "fastpath/compile/placement/resource_devices.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fastpath/session/devices.h"
#include "fastpath/testing/test_graph.h"
#include "spec/graph/function_testing.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;
const AttrMap kVariable = {{"dtype", kFloat}, {"shape", PartialShape(Shape())}};
constexpr const char* kHost = "/job:localhost/replica:0/task:0/device:CPU:0";

AttrMap Called(const std::string& shared_name) {
  AttrMap attrs = kVariable;
  attrs["shared_name"] = shared_name;
  return attrs;
}

// Whether the graph's variable "v" is held by the accelerator; it is known by the host in any case.
bool IsHeldByAccelerator(const GraphDef& def, bool soft = false) {
  Graph graph = Graph::Load(def);
  const DeviceSet devices = MakeDevices({.cpu_devices = 2, .sim_devices = 1});
  PlaceResources(graph, nullptr, devices, soft);
  const Node& node = graph.node(*graph.Find("v"));
  EXPECT_EQ(node.device, kHost);
  return GetAttrOr<std::string>(node.attrs, "_holder", "") == devices[2].name();
}

TEST(ResourceDevices, AreAcceleratorsThatHaveAllTheKernels) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, kVariable);
  graph.Float("one", 1);
  graph.Op("set", "Assign", kFloat, {"v", "one"});
  graph.Op("read", "Identity", kFloat, {"set"});
  EXPECT_TRUE(IsHeldByAccelerator(graph.def()));
}

TEST(ResourceDevices, AreTheHostsWhereTextsAreKept) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"dtype", DType::kString}, {"shape", PartialShape(Shape())}});
  EXPECT_FALSE(IsHeldByAccelerator(graph.def()));
}

// One resource has one holder, whoever makes it.
TEST(ResourceDevices, AreOneForEqualNames) {
  TestGraph graph;
  graph.Add("v", "VarHandleOp", {}, Called("s"));
  graph.Add("again", "VarHandleOp", {}, Called("s"));
  EXPECT_TRUE(IsHeldByAccelerator(graph.def()));
  AttrMap in_its_container = Called("s");
  in_its_container["container"] = std::string("localhost");
  graph.Add("here", "VarHandleOp", {}, in_its_container, "/cpu:0");
  EXPECT_FALSE(IsHeldByAccelerator(graph.def()));
}

TEST(ResourceDevices, AreTheHostsWhereBodiesNameThem) {
  const auto holds = [](const AttrMap& in_body) {
    const NodeDef own = MakeNode("own", "VarHandleOp", {}, in_body);
    const NodeDef read = MakeNode("read", "ReadVariableOp", {"own:resource:0"}, {{"dtype", kFloat}});
    const FunctionDef function = MakeFunction("Own() -> (y: float32)", "", {own, read}, {{"y", "read:value:0"}});
    return IsHeldByAccelerator(MakeGraph({MakeNode("v", "VarHandleOp", {}, Called("s"))}, {function}));
  };
  EXPECT_TRUE(holds(Called("of_its_own")));
  EXPECT_TRUE(holds(kVariable));
  EXPECT_FALSE(holds(Called("s")));
  AttrMap bound_by_the_call = kVariable;
  bound_by_the_call["shared_name"] = AttrPlaceholder{"name"};
  EXPECT_FALSE(holds(bound_by_the_call));
}

// R31, R36: whoever reads an alias elsewhere gets what a session without accelerators would give.
TEST(ResourceDevices, AreTheHostsForReadersThere) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, kVariable);
  graph.Op("read", "Identity", kFloat, {"v"});
  graph.Add("here", "Neg", {"read"}, {{"T", kFloat}}, "/cpu:0");
  EXPECT_FALSE(IsHeldByAccelerator(graph.def()));
}

// R36: a Merge hands on both.
TEST(ResourceDevices, AreTheHostsForAliasesThatMeetSomeOfTheHost) {
  for (const bool is_first : {false, true}) {
    for (const char* device : {"", "/cpu:0"}) {
      TestGraph graph;
      graph.Add("v", "VariableV2", {}, kVariable);
      graph.Add("w", "VariableV2", {}, kVariable, device);
      graph.Op("read_v", "Identity", kFloat, {"v"});
      graph.Op("read_w", "Identity", kFloat, {"w"});
      graph.Bool("yes", true);
      graph.Op("either_v", "Switch", kFloat, {"read_v", "yes"});
      graph.Op("either_w", "Switch", kFloat, {"read_w", "yes"});
      graph.Merge("met", kFloat, {is_first ? "either_v" : "either_w:1", is_first ? "either_w:1" : "either_v"}, 2);
      EXPECT_EQ(IsHeldByAccelerator(graph.def()), *device == '\0') << is_first;
    }
  }
}

// R31: what a queue keeps shows the buffer, which therefore stays beside the queue.
TEST(ResourceDevices, AreTheHostsForQueuesThatKeepTheirAliases) {
  const std::vector<DType> types = {kFloat};
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, kVariable);
  graph.Op("read", "Identity", kFloat, {"v"});
  graph.Add("q", "FIFOQueueV2", {}, {{"component_types", types}});
  EXPECT_TRUE(IsHeldByAccelerator(graph.def()));
  graph.Add("put", "QueueEnqueueV2", {"q", "read"}, {{"Tcomponents", types}});
  EXPECT_FALSE(IsHeldByAccelerator(graph.def()));
}

// R41: in a step that only reads, the handle's maker says that an alias may come out.
TEST(ResourceDevices, SayWhatMayHoldAliases) {
  for (const bool is_kept : {false, true}) {
    TestGraph graph;
    graph.Add("v", "VariableV2", {}, kVariable);
    graph.Float("one", 1);
    graph.Add("h", "VarHandleOp", {}, Called("s"));
    graph.Add("keep", "AssignVariableOp", {"h", is_kept ? "v" : "one"}, {{"dtype", kFloat}});
    Graph loaded = Graph::Load(graph.def());
    PlaceResources(loaded, nullptr, MakeDevices({.sim_devices = 1}), false);
    EXPECT_EQ(GetAttrOr<bool>(loaded.node(*loaded.Find("h")).attrs, "_holds_aliases", false), is_kept);
  }
}

// W10: unless what is new would see it.
TEST(ResourceDevices, StayWhereTheyAreWhenTheGraphIsExtended) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, kVariable);
  graph.Op("read", "Identity", kFloat, {"v"});
  const DeviceSet devices = MakeDevices({.sim_devices = 1});
  Graph before = Graph::Load(graph.def());
  PlaceResources(before, nullptr, devices, false);
  const auto holders = [&](const TestGraph& extended) {
    Graph after = Graph::Load(extended.def());
    PlaceResources(after, &before, devices, false);
    std::set<std::string> found;
    for (const char* name : {"v", "set"}) {
      found.insert(GetAttrOr<std::string>(after.node(*after.Find(name)).attrs, "_holder", ""));
    }
    return found;
  };
  graph.Float("one", 1);
  graph.Op("set", "Assign", kFloat, {"v", "one"});
  EXPECT_EQ(holders(graph), std::set<std::string>{devices[1].name()});
  TestGraph with_reader = graph, with_namesake = graph;
  with_reader.Add("here", "Neg", {"read"}, {{"T", kFloat}}, "/cpu:0");
  EXPECT_EQ(holders(with_reader), std::set<std::string>{""});
  with_namesake.Add("again", "VariableV2", {}, Called("v"), "/cpu:0");
  EXPECT_EQ(holders(with_namesake), std::set<std::string>{""});
}

// W10, W13.
TEST(ResourceDevices, GoToTheHostForAnOpThatTheirAcceleratorLacks) {
  int stayed = 0, went = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const DeviceSet devices = MakeDevices({.sim_devices = 2, .sim_seed = seed});
    TestGraph graph;
    graph.Add("v", "VariableV2", {}, kVariable, devices[2].name());
    Graph before = Graph::Load(graph.def());
    PlaceResources(before, nullptr, devices, true);
    const auto holder_in = [](const Graph& placed) {
      return GetAttrOr<std::string>(placed.node(*placed.Find("v")).attrs, "_holder", "");
    };
    if (holder_in(before) != devices[2].name()) continue;
    graph.Float("one", 1);
    graph.Op("set", "Assign", kFloat, {"v", "one"});
    Graph after = Graph::Load(graph.def());
    PlaceResources(after, &before, devices, true);
    const bool has_kernel = devices[2].HasKernel(after.node(*after.Find("set")));
    EXPECT_EQ(holder_in(after), has_kernel ? devices[2].name() : "") << seed;
    ++(has_kernel ? stayed : went);
  }
  EXPECT_GT(stayed, 0);
  EXPECT_GT(went, 0);
}

TEST(ResourceDevices, AreTheHostsWhereCallsAreHandedThem) {
  const NodeDef read = MakeNode("read", "ReadVariableOp", {"h"}, {{"dtype", kFloat}});
  const FunctionDef function = MakeFunction("Read(h: resource) -> (y: float32)", "", {read}, {{"y", "read:value:0"}});
  const std::vector<DType> resource = {DType::kResource}, number = {kFloat};
  const NodeDef call =
      MakeNode("call", "PartitionedCall", {"v"}, {{"Tin", resource}, {"Tout", number}, {"f", Ref("Read")}});
  EXPECT_FALSE(IsHeldByAccelerator(MakeGraph({MakeNode("v", "VarHandleOp", {}, kVariable), call}, {function})));
}

TEST(ResourceDevices, AreTheHostsInLoopsWithoutAPredicate) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, kVariable);
  graph.Enter("entered", kFloat, {"v"}, "frame", true);
  graph.Op("used", "Neg", kFloat, {"entered"});
  EXPECT_FALSE(IsHeldByAccelerator(graph.def()));
}

// W13: asked for by name, an accelerator is refused, or taken where placement is soft.
TEST(ResourceDevices, AreWhatIsAskedForWherePlacementIsSoft) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, kVariable, "/device:SIM:0");
  EXPECT_TRUE(IsHeldByAccelerator(graph.def(), true));
  EXPECT_THROW(IsHeldByAccelerator(graph.def(), false), Error);
}

}  // namespace
}  // namespace plumb::fast

// Integers beside an emulated GPU: what follows from shapes cuts no step, and nothing of it is copied.
#include <algorithm>

#include "fastpath/gpu/gpu_section_testing.h"

namespace plumb::fast::section_testing {
namespace {

constexpr DType kInt = DType::kInt32;

NodeDef Int(const std::string& op, const std::string& name, std::vector<std::string> inputs) {
  return MakeNode(name, op, std::move(inputs), {{"T", kInt}});
}
NodeDef ShapeOf(const std::string& op, const std::string& name, const std::string& of, DType type = DType::kFloat) {
  return MakeNode(name, op, {of}, {{"T", type}, {"out_type", kInt}});
}
NodeDef Ints(const std::string& name, std::initializer_list<int32_t> values) {
  return MakeConst(name, MakeVector<int32_t>(values));
}

// The loss is the mean of squares; the gradient of the mean is what gradient rules make of it, for shapes that only a
// step knows.
GraphDef LearnsByMean() {
  const AttrMap of = {{"dtype", DType::kFloat}}, sized = {{"T", kInt}, {"index_type", kInt}};
  GraphDef graph;
  graph.nodes = {
      Fed("x"),
      Fed("first"),
      MakeConst("rate", MakeScalar(0.125f)),
      MakeConst("begin", MakeScalar(0)),
      MakeConst("one", MakeScalar(1)),
      MakeConst("two", MakeScalar(2.0f)),
      MakeConst("unit", MakeScalar(1.0f)),
      Ints("all", {0, 1}),
      Ints("flat", {-1}),
      MakeNode("w", "VarHandleOp", {},
               {{"dtype", DType::kFloat}, {"shape", PartialShape({3, 2})}, {"shared_name", std::string("w")}}),
      MakeNode("w_set", "AssignVariableOp", {"w", "first"}, of),
      MakeNode("w_now", "ReadVariableOp", {"w"}, of),
      Op("MatMul", "y", {"x", "w_now"}),
      Op("Square", "squares", {"y"}),
      Op("Mean", "loss", {"squares", "all"}),
      // How many there are to one result.
      ShapeOf("Size", "results", "loss"),
      Int("Maximum", "some", {"results", "one"}),
      ShapeOf("Size", "all_squares", "squares"),
      Int("FloorDiv", "count", {"all_squares", "some"}),
      MakeNode("divisor", "Cast", {"count"}, {{"SrcT", kInt}, {"DstT", DType::kFloat}}),
      // The shape with the axes kept, and how often it is repeated.
      ShapeOf("Shape", "shape", "squares"),
      MakeNode("rank", "Rank", {"squares"}, {{"T", DType::kFloat}}),
      MakeNode("axes", "Reshape", {"all", "flat"}, {{"T", kInt}, {"Tshape", kInt}}),
      Int("Add", "later_axes", {"axes", "rank"}),
      Int("Maximum", "ranks", {"rank", "one"}),
      Int("FloorMod", "reduced", {"later_axes", "ranks"}),
      MakeNode("axes_in_order", "Range", {"begin", "rank", "one"}, {{"Tidx", kInt}}),
      ShapeOf("Shape", "reduced_shape", "reduced", kInt),
      MakeNode("ones", "Fill", {"reduced_shape", "one"}, sized),
      MakeNode("kept", "DynamicStitch", {"axes_in_order", "reduced", "shape", "ones"}, {{"T", kInt}, {"N", 2}}),
      Int("Maximum", "some_kept", {"kept", "one"}),
      Int("FloorDiv", "repeats", {"shape", "some_kept"}),
      MakeNode("seed", "Reshape", {"unit", "kept"}, {{"T", DType::kFloat}, {"Tshape", kInt}}),
      MakeNode("spread", "Tile", {"seed", "repeats"}, {{"T", DType::kFloat}, {"Tmultiples", kInt}}),
      Op("RealDiv", "slope", {"spread", "divisor"}),
      Op("Mul", "twice", {"y", "two"}),
      Op("Mul", "y_slope", {"slope", "twice"}),
      MakeNode("w_slope", "MatMul", {"x", "y_slope"}, {{"T", DType::kFloat}, {"transpose_a", true}}),
      Op("ResourceApplyGradientDescent", "w_step", {"w", "rate", "w_slope"}),
  };
  return graph;
}

Request Step(uint32_t step, int64_t batch, std::vector<std::string> fetches = {}) {
  return {{{"x", Numbers({batch, 3}, 10 + step)}}, std::move(fetches), {"w_step"}};
}

TEST(HostValues, AStepWithAMeanIsOneLaunchForEachShape) {
  Both both(LearnsByMean());
  both.Run({{{"first", Numbers({3, 2}, 1)}}, {}, {"w_set"}}, "at first");
  for (uint32_t step = 0; step < 2 * kSteps; ++step) {
    both.Run(Step(step, 4 + step % 2), "");
    both.Run({{}, {"w_now"}, {}}, Str("after step ", step));
  }
  for (const int64_t batch : {4, 5}) {
    std::vector<Tensor> none;
    const LaunchCounts launches = LaunchesOf(both.with(), Step(kSteps, batch), &none);
    EXPECT_EQ(launches.graphs, 1);
    EXPECT_EQ(launches.kernels, 0);
    EXPECT_EQ(launches.fills, 0);
  }
}

// What follows from shapes may leave a section: it is what it was when the section was captured.
TEST(HostValues, SizesLeaveStepsThatAreLaunchedAsOne) {
  Both both(LearnsByMean());
  both.Run({{{"first", Numbers({3, 2}, 1)}}, {}, {"w_set"}}, "at first");
  int64_t graphs = 0;
  for (uint32_t step = 0; step < 2 * kSteps; ++step) {
    graphs += both.Run(Step(step, 4 + step % 2, {"loss", "count", "repeats", "divisor"}), Str("step ", step));
  }
  EXPECT_GE(graphs, kSteps);
}

// What is fed is not known when the section is captured, and is another each time.
TEST(HostValues, NumbersThatAreFedAreThoseOfTheirStep) {
  GraphDef graph;
  graph.nodes = {Fed("x"),
                 Fed("rows", kInt),
                 MakeConst("one", MakeScalar(1)),
                 Op("Tanh", "y", {"x"}),
                 ShapeOf("Size", "size", "y"),
                 Int("FloorDiv", "columns", {"size", "rows"}),
                 MakeNode("shape", "Pack", {"rows", "columns"}, {{"T", kInt}, {"N", 2}, {"axis", 0}}),
                 MakeNode("shaped", "Reshape", {"y", "shape"}, {{"T", DType::kFloat}, {"Tshape", kInt}}),
                 MakeNode("number", "Cast", {"columns"}, {{"SrcT", kInt}, {"DstT", DType::kFloat}}),
                 Op("Square", "squares", {"shaped"}),
                 Op("Mul", "scaled", {"squares", "number"})};
  Both both(graph);
  for (int32_t step = 0; step < 4 * kSteps; ++step) {
    const int32_t rows = 1 + step % 12;
    both.Run({{{"x", Numbers({12 * rows, 5}, 7)}, {"rows", MakeScalar(rows)}}, {"scaled", "columns"}, {}},
             Str("step ", step));
  }
}

// How many copies to the device and from it a step's trace shows.
int CopiesOf(Session& session, const Request& request) {
  std::vector<Tensor> outputs;
  RunMetadata metadata;
  const Status status =
      session.Run({.trace = true}, request.feeds, request.fetches, request.targets, &outputs, &metadata);
  EXPECT_TRUE(status.ok()) << status.ToString();
  int copies = 0;
  for (const DeviceStats& line : metadata.step_stats) {
    if (line.device == "/device:GPU:0/memcpy") copies += static_cast<int>(line.nodes.size());
  }
  return copies;
}

// A cell that is written down once for each of its steps, with gradients of what it joins, and a state whose shape
// follows from the batch.
GraphDef Unrolled(int cells) {
  GraphDef graph;
  graph.nodes = {Fed("x"),
                 Fed("w"),
                 MakeConst("zero", MakeScalar(0.0f)),
                 MakeConst("last", MakeScalar(1)),
                 MakeConst("units", MakeScalar(2)),
                 Ints("begin", {0}),
                 Ints("end", {1}),
                 ShapeOf("Shape", "x_shape", "x"),
                 MakeNode("batch", "StridedSlice", {"x_shape", "begin", "end", "end"},
                          {{"T", kInt}, {"Index", kInt}, {"shrink_axis_mask", int64_t{1}}}),
                 MakeNode("state_shape", "Pack", {"batch", "units"}, {{"T", kInt}, {"N", 2}, {"axis", 0}}),
                 MakeNode("h0", "Fill", {"state_shape", "zero"}, {{"T", DType::kFloat}, {"index_type", kInt}})};
  for (int i = 0; i < cells; ++i) {
    const std::string n = std::to_string(i), before = "h" + n, after = "h" + std::to_string(i + 1);
    for (NodeDef node :
         {MakeNode("joined" + n, "ConcatV2", {"x", before, "last"}, {{"T", DType::kFloat}, {"N", 2}, {"Tidx", kInt}}),
          Op("MatMul", "sum" + n, {"joined" + n, "w"}), Op("Tanh", "out" + n, {"sum" + n}),
          MakeNode("shapes" + n, "ShapeN", {"x", before}, {{"T", DType::kFloat}, {"out_type", kInt}, {"N", 2}}),
          MakeNode("places" + n, "ConcatOffset", {"last", "shapes" + n, "shapes" + n + ":1"}, {{"N", 2}}),
          MakeNode("part" + n, "Slice", {"joined" + n, "places" + n + ":1", "shapes" + n + ":1"},
                   {{"T", DType::kFloat}, {"Index", kInt}}),
          Op("Add", after, {"out" + n, "part" + n})}) {
      graph.nodes.push_back(std::move(node));
    }
  }
  graph.nodes.push_back(Op("Identity", "state", {"h" + std::to_string(cells)}));
  return graph;
}

TEST(HostValues, AnUnrolledCellCopiesWhatIsFedAndFetchedAlone) {
  for (const int cells : {1, 6}) {
    for (const bool has_graphs : {false, true}) {
      const auto session = Open(Unrolled(cells), has_graphs);
      const Request request = {{{"x", Numbers({4, 3}, 1)}, {"w", Numbers({5, 2}, 2)}}, {"state"}, {}};
      for (int step = 0; step < kSteps; ++step) EXPECT_EQ(CopiesOf(*session, request), 3) << cells << " cells";
    }
  }
  Both both(Unrolled(6));
  int64_t graphs = 0;
  for (uint32_t step = 0; step < kSteps; ++step) {
    const int64_t batch = 4 + step % 2;
    graphs += both.Run({{{"x", Numbers({batch, 3}, step)}, {"w", Numbers({5, 2}, 2)}}, {"state"}, {}}, "");
  }
  for (uint32_t step = 0; step < kSteps; ++step) {
    std::vector<Tensor> state;
    const Request request = {{{"x", Numbers({4, 3}, step)}, {"w", Numbers({5, 2}, 2)}}, {"state"}, {}};
    const LaunchCounts launches = LaunchesOf(both.with(), request, &state);
    EXPECT_EQ(launches.graphs, step < 1 ? launches.graphs : 1);
  }
}

// A loop of the device that counts on the host: what it copies does not depend on how often it goes round.
TEST(HostValues, ALoopCountsWithoutCopies) {
  const AttrMap in = {{"T", kInt}, {"frame_name", std::string("loop")}, {"is_constant", false}},
                invariant = {{"T", kInt}, {"frame_name", std::string("loop")}, {"is_constant", true}},
                floats = {{"T", DType::kFloat}, {"frame_name", std::string("loop")}, {"is_constant", false}};
  GraphDef graph;
  graph.nodes = {Fed("x"),
                 Fed("limit", kInt),
                 MakeConst("zero", MakeScalar(0)),
                 MakeConst("unit", MakeScalar(1)),
                 Op("Tanh", "start", {"x"}),
                 MakeNode("i", "Enter", {"zero"}, in),
                 MakeNode("most", "Enter", {"limit"}, invariant),
                 MakeNode("one", "Enter", {"unit"}, invariant),
                 MakeNode("v", "Enter", {"start"}, floats),
                 MakeNode("i_now", "Merge", {"i", "i_next"}, {{"T", kInt}, {"N", 2}}),
                 MakeNode("v_now", "Merge", {"v", "v_next"}, {{"T", DType::kFloat}, {"N", 2}}),
                 Int("Less", "less", {"i_now", "most"}),
                 MakeNode("goes_on", "LoopCond", {"less"}),
                 Int("Switch", "i_switch", {"i_now", "goes_on"}),
                 Op("Switch", "v_switch", {"v_now", "goes_on"}),
                 Int("Add", "i_sum", {"i_switch:1", "one"}),
                 Op("Tanh", "v_tanh", {"v_switch:1"}),
                 Int("NextIteration", "i_next", {"i_sum"}),
                 Op("NextIteration", "v_next", {"v_tanh"}),
                 Op("Exit", "v_exit", {"v_switch"}),
                 Int("Exit", "i_exit", {"i_switch"})};
  const auto session = Open(graph, false);
  for (const int32_t limit : {1, 4, 16}) {
    EXPECT_EQ(CopiesOf(*session, {{{"x", Numbers({4}, 1)}, {"limit", MakeScalar(limit)}}, {"v_exit", "i_exit"}, {}}), 2)
        << limit;
    std::vector<Tensor> outputs;
    LaunchesOf(*session, {{{"x", Numbers({4}, 1)}, {"limit", MakeScalar(limit)}}, {"i_exit"}, {}}, &outputs);
    EXPECT_EQ(outputs[0].data<int32_t>()[0], limit);
  }
}

}  // namespace
}  // namespace plumb::fast::section_testing

// Steps over ranks. Under mpirun, with PLUMB_CLUSTER: plumb_ranks ROW SERVERS MB[,MB]. The first worker prints the
// median seconds of a step, or of an iteration.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "backends/backends.h"
#include "bench/check.h"
#include "bench/mpi/steady.h"
#include "spec/graph/graph_def.h"

namespace plumb::bench {
namespace {

constexpr int kRows = 32, kColumns = 64;
constexpr double kBudget = 0.4;  // seconds
constexpr int kLoopIterations = 5000;
constexpr DType kFloat = DType::kFloat;

struct Run {
  std::string row;
  int servers;
  std::vector<int> megabytes;  // that a row moves, or keeps in each of its tables
  int rank, size;
  int64_t floats(size_t i = 0) const { return int64_t{megabytes[i]} * 1'000'000 / 4; }
};

GraphDef Empty() { return {{}, {kGraphVersion, 0, {}}, ""}; }

void Add(GraphDef& graph, std::string name, std::string op, std::vector<std::string> inputs, AttrMap attrs,
         std::string device = "") {
  graph.nodes.push_back({std::move(name), std::move(op), std::move(inputs), std::move(device), std::move(attrs), ""});
}

void AddInts(GraphDef& graph, const std::string& name, Tensor value, const std::string& device = "") {
  Add(graph, name, "Const", {}, {{"value", std::move(value)}, {"dtype", DType::kInt32}}, device);
}

// A variable of ones on a server; "v_set" sets that named "v".
void AddVariable(GraphDef& graph, const std::string& v, int server, const Shape& shape) {
  const std::string device = Str("/job:ps/task:", server);
  const std::vector<int64_t> dims = shape.ToVector();
  Tensor size(DType::kInt32, Shape{static_cast<int64_t>(dims.size())});
  for (size_t i = 0; i < dims.size(); ++i) size.mutable_data<int32_t>()[i] = static_cast<int32_t>(dims[i]);
  Add(graph, v, "VariableV2", {}, {{"shape", PartialShape(dims)}, {"dtype", kFloat}}, device);
  AddInts(graph, v + "_size", std::move(size), device);
  Add(graph, v + "_one", "Const", {}, {{"value", MakeScalar(1.0F)}, {"dtype", kFloat}}, device);
  Add(graph, v + "_ones", "Fill", {v + "_size", v + "_one"}, {{"T", kFloat}}, device);
  Add(graph, v + "_set", "Assign", {v, v + "_ones"}, {{"T", kFloat}}, device);
}

std::unique_ptr<Session> Open(const GraphDef& graph) {
  auto session = OpenSession("mpi");
  Check(session->Extend(graph));
  return session;
}

std::unique_ptr<Session::Callable> Fetching(Session& session, const std::vector<std::string>& feeds,
                                            const std::vector<std::string>& fetches) {
  std::unique_ptr<Session::Callable> callable;
  Check(session.MakeCallable(feeds, fetches, {}, &callable));
  return callable;
}

// Fetches what each server keeps.
double FetchAll(const Run& run, const Shape& shape) {
  GraphDef graph = Empty();
  std::vector<std::string> fetches, sets;
  for (int server = 0; server < run.servers; ++server) {
    const std::string v = Str("v", server);
    AddVariable(graph, v, server, shape);
    Add(graph, v + "_read", "Identity", {v}, {{"T", kFloat}}, Str("/job:ps/task:", server));
    fetches.push_back(v + "_read");
    sets.push_back(v + "_set");
  }
  const auto session = Open(graph);
  std::vector<Tensor> outputs;
  Check(session->Run({}, {}, sets, &outputs));
  const auto step = Fetching(*session, {}, fetches);
  return MediansFor(kBudget, 1, [&](int) { Check(step->Run({}, &outputs)); })[0];
}

std::vector<double> GatherRows(const Run& run) {
  GraphDef graph = Empty();
  Add(graph, "indices", "Placeholder", {}, {{"dtype", DType::kInt32}, {"shape", PartialShape({kRows})}});
  const auto count = [&](size_t table) { return run.floats(table) / kColumns; };
  std::vector<std::string> sets;
  for (size_t i = 0; i < run.megabytes.size(); ++i) {
    const std::string v = Str("v", i);
    AddVariable(graph, v, 0, {count(i), kColumns});
    Add(graph, v + "_rows", "Gather", {v, "indices"}, {{"Tparams", kFloat}, {"Tindices", DType::kInt32}},
        "/job:ps/task:0");
    sets.push_back(v + "_set");
  }
  const auto session = Open(graph);
  std::vector<Tensor> outputs;
  std::vector<std::unique_ptr<Session::Callable>> steps;
  for (size_t i = 0; i < sets.size(); ++i) {
    Check(session->Run({}, {}, std::span(&sets[i], 1), &outputs));
    steps.push_back(Fetching(*session, {"indices"}, {Str("v", i, "_rows")}));
  }
  std::mt19937 random(1);
  return MediansFor(kBudget, static_cast<int>(steps.size()), [&](int table) {
    std::vector<Tensor> feeds = {Tensor(DType::kInt32, Shape{kRows})};
    for (int32_t& index : feeds[0].mutable_data<int32_t>()) index = static_cast<int32_t>(random() % count(table));
    Check(steps[table]->Run(feeds, &outputs));
  });
}

double AllReduce(const Run& run) {
  GraphDef graph = Empty();
  Add(graph, "x", "Placeholder", {}, {{"dtype", kFloat}});
  Add(graph, "sum", "CollectiveReduce", {"x"},
      {{"T", kFloat},
       {"group_size", int64_t{run.size}},
       {"group_key", int64_t{1}},
       {"instance_key", int64_t{1}},
       {"merge_op", std::string("Add")},
       {"final_op", std::string("Id")},
       {"subdiv_offsets", std::vector<int64_t>{}}});
  const auto session = Open(graph);
  const auto step = Fetching(*session, {"x"}, {"sum"});
  std::vector<Tensor> feeds = {Tensor(kFloat, Shape{run.floats()})}, outputs;
  for (float& number : feeds[0].mutable_data<float>()) number = 1;
  return MedianOf(5, [&] {
    outputs.clear();
    Check(step->Run(feeds, &outputs));
  });
}

// while (i < limit) i = i + 1, where the addition lies on the other rank.
double Loop() {
  GraphDef graph = Empty();
  const AttrMap ints = {{"T", DType::kInt32}};
  const auto enter = [&](const char* name, const char* input, bool is_constant) {
    Add(graph, name, "Enter", {input},
        {{"T", DType::kInt32},
         {"frame_name", std::string("loop")},
         {"is_constant", is_constant},
         {"parallel_iterations", int64_t{10}}});
  };
  AddInts(graph, "zero", MakeScalar<int32_t>(0));
  AddInts(graph, "last", MakeScalar<int32_t>(kLoopIterations));
  enter("enter", "zero", false);
  enter("limit", "last", true);
  Add(graph, "i", "Merge", {"enter", "next"}, {{"T", DType::kInt32}, {"N", int64_t{2}}});
  Add(graph, "less", "Less", {"i", "limit"}, ints);
  Add(graph, "cond", "LoopCond", {"less"}, {});
  Add(graph, "switch", "Switch", {"i", "cond"}, ints);
  Add(graph, "body", "Identity", {"switch:1"}, ints);
  AddInts(graph, "one", MakeScalar<int32_t>(1), "/job:worker/task:1");
  graph.nodes.back().inputs = {"^body"};
  Add(graph, "add", "Add", {"body", "one"}, ints, "/job:worker/task:1");
  Add(graph, "next", "NextIteration", {"add"}, ints);
  Add(graph, "exit", "Exit", {"switch"}, ints);
  const auto session = Open(graph);
  const auto step = Fetching(*session, {}, {"exit"});
  std::vector<Tensor> outputs;
  return MediansFor(kBudget, 1, [&](int) { Check(step->Run({}, &outputs)); })[0] / kLoopIterations;
}

std::vector<double> Measure(const Run& run) {
  if (run.row == "null") return {FetchAll(run, Shape())};
  if (run.row == "dense") return {FetchAll(run, Shape{run.floats()})};
  if (run.row == "sparse") return GatherRows(run);
  return {run.row == "loop" ? Loop() : AllReduce(run)};
}

int Given(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

}  // namespace
}  // namespace plumb::bench

int main(int argc, char** argv) {
  using plumb::bench::Given;
  if (argc != 4) {
    std::fprintf(stderr, "usage: mpirun -n RANKS %s null|dense|sparse|allreduce|loop SERVERS MB[,MB]\n", argv[0]);
    return 2;
  }
  try {
    const plumb::bench::Run run = {argv[1], std::atoi(argv[2]), plumb::bench::Numbers(argv[3]),
                                   Given("OMPI_COMM_WORLD_RANK", 0), Given("OMPI_COMM_WORLD_SIZE", 1)};
    const std::vector<double> seconds = plumb::bench::Measure(run);
    if (run.rank == run.servers) plumb::bench::Print(seconds);
    return 0;
  } catch (const plumb::Error& error) {
    std::fprintf(stderr, "%s\n", error.status().ToString().c_str());
    return 1;
  }
}

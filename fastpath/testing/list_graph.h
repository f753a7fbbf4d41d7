// Graphs over lists of tensors, for tests of devices that hold their elements, and answers of sessions to compare.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fastpath/testing/test_graph.h"
#include "spec/ops/catalogue.h"

namespace plumb::fast {

class ListGraph : public TestGraph {
 public:
  explicit ListGraph(DType dtype = DType::kFloat) : dtype_(dtype) {
    Int("any", -1);
    for (int i = 0; i < 4; ++i) Int(std::to_string(i), i);
  }
  DType dtype() const { return dtype_; }

  // A list op: with the type of elements where its row has one, and shapes of int32.
  std::string List(const std::string& name, const std::string& op, std::vector<std::string> inputs,
                   const std::string& device = "") {
    return List(name, op, std::move(inputs), dtype_, device);
  }
  std::string List(const std::string& name, const std::string& op, std::vector<std::string> inputs, DType dtype,
                   const std::string& device = "") {
    const OpDef& row = *FindOp("TensorList" + op);
    AttrMap attrs;
    if (row.FindAttr("element_dtype") != nullptr) attrs["element_dtype"] = dtype;
    if (row.FindAttr("shape_type") != nullptr) attrs["shape_type"] = DType::kInt32;
    return Add(name, "TensorList" + op, std::move(inputs), std::move(attrs), device);
  }

 private:
  const DType dtype_;
};

// What a step answered, and which nodes ran on a device.
struct ListAnswers {
  Status status;
  std::vector<Tensor> values;
  RunMetadata metadata;

  std::set<std::string> RanOn(const std::string& device) const {
    std::set<std::string> names;
    for (const DeviceStats& each : metadata.step_stats) {
      for (const NodeStats& node : each.nodes) {
        if (each.device.ends_with(device)) names.insert(node.node);
      }
    }
    return names;
  }
};

// Of one step, which is traced.
inline ListAnswers StepOf(Session& session, const std::vector<Feed>& feeds, const std::vector<std::string>& fetches,
                          const std::vector<std::string>& targets = {}, int64_t timeout_ms = 60'000) {
  ListAnswers answers;
  RunOptions run;
  run.trace = true;
  run.timeout_ms = timeout_ms;
  answers.status = session.Run(run, feeds, fetches, targets, &answers.values, &answers.metadata);
  return answers;
}

inline ListAnswers AnswersOf(const TestGraph& graph, const std::vector<Feed>& feeds,
                             const std::vector<std::string>& fetches, const SessionOptions& options,
                             const FastOptions& more = {}) {
  const auto session = NewFastSession(options, more);
  const Status status = session->Extend(graph.def());
  return status.ok() ? StepOf(*session, feeds, fetches) : ListAnswers{status, {}, {}};
}

// Both answered, bit by bit the same.
inline void ExpectSameAnswers(const ListAnswers& got, const ListAnswers& wanted,
                              const std::vector<std::string>& fetches) {
  ASSERT_EQ(wanted.status.ToString(), "OK");
  ASSERT_EQ(got.status.ToString(), "OK");
  for (size_t i = 0; i < fetches.size(); ++i) {
    EXPECT_TRUE(got.values.at(i).BitwiseEquals(wanted.values.at(i)))
        << fetches[i] << ": " << got.values[i].ToString() << ", not " << wanted.values[i].ToString();
  }
}

inline const SessionOptions kOnHost = {.threads = 2, .allow_soft_placement = true},
                            kBesideGpu = {.threads = 2, .emulated_gpus = 1, .allow_soft_placement = true},
                            kBesideSim = {.threads = 2, .sim_devices = 1, .allow_soft_placement = true};

// What is made on one device and taken out on another is what the host gives: from a device to the host, and back.
template <class GraphOf>
void ExpectTravels(const GraphOf& graph_of, const std::vector<Feed>& feeds, const std::vector<std::string>& fetches) {
  for (const auto& [options, device] :
       {std::pair(kBesideGpu, "/device:GPU:0"), std::pair(kBesideSim, "/device:SIM:0")}) {
    for (const bool there : {true, false}) {
      const TestGraph graph = graph_of(there ? "/cpu:0" : device, there ? device : "/cpu:0");
      ExpectSameAnswers(AnswersOf(graph, feeds, fetches, options), AnswersOf(graph, feeds, fetches, kOnHost), fetches);
    }
  }
}

// Lists of the rows of a fed matrix "rows" and a fed "row", by every op that has to do with numbers alone.
inline const std::vector<std::string> kListFetches = {"stack", "gather", "item", "unset", "last",   "joined",
                                                      "sizes", "length", "sum",  "zero",  "strewn", "shape"};

inline ListGraph EveryListOp(DType dtype) {
  ListGraph graph(dtype);
  graph.Placeholder("rows", dtype);
  graph.Placeholder("row", dtype);
  graph.Const("some", MakeVector<int32_t>({2, 0, 4}));
  graph.Const("lengths", MakeVector<int64_t>({2, 0, 1}));
  graph.Const("none", Tensor(DType::kInt64, {0}));
  graph.Add("whole", "Shape", {"row"}, {{"T", dtype}, {"out_type", DType::kInt32}});
  graph.List("list", "FromTensor", {"rows", "whole"});
  graph.List("set", "SetItem", {"list", "1", "row"});
  graph.List("pushed", "PushBack", {"set", "row"});
  graph.List("longer", "Resize", {"pushed", "5"});
  graph.Int("5", 5);
  graph.List("stack", "Stack", {"longer", "any"});
  graph.List("gather", "Gather", {"longer", "some", "any"});
  graph.List("item", "GetItem", {"longer", "1", "any"});
  graph.List("unset", "GetItem", {"longer", "any_at", "any"});
  graph.Int("any_at", 4);
  graph.List("popped", "PopBack", {"pushed", "any"});
  graph.Op("last", "Identity", dtype, {"popped:1"});
  graph.List("pieces", "Split", {"rows", "any", "lengths"});
  graph.List("joined", "ConcatV2", {"pieces", "any", "none"});
  graph.Op("sizes", "Identity", DType::kInt64, {"joined:1"});
  graph.List("length", "Length", {"popped"});
  graph.List("shape", "ElementShape", {"popped"});
  graph.Add("added", "AddN", {"longer", "longer", "more"}, {{"T", DType::kVariant}, {"N", int64_t{3}}});
  graph.List("reserved", "Reserve", {"whole", "5"});
  graph.List("more", "SetItem", {"reserved", "3", "row"});
  graph.List("sum", "Stack", {"added", "any"});
  graph.Op("zeros", "ZerosLike", DType::kVariant, {"longer"});
  graph.List("zero", "Stack", {"zeros", "any"});
  graph.List("strewn_list", "ScatterIntoExistingList", {"more", "rows", "places"});
  graph.Const("places", MakeVector<int32_t>({4, 0, 1}));
  graph.List("strewn", "Stack", {"strewn_list", "any"});
  return graph;
}

// A list that goes round in a loop, where a fed "row" is pushed each time and then doubled: "stack" is what it holds.
inline ListGraph LoopOfPushes(DType dtype, int32_t times) {
  ListGraph graph(dtype);
  graph.Placeholder("row", dtype);
  graph.Int("times", times);
  graph.Enter("times_in", DType::kInt32, {"times"}, "loop", true);
  graph.List("none", "Reserve", {"any", "0"});
  const std::vector<std::tuple<std::string, std::string, DType>> variables = {
      {"list", "none", DType::kVariant}, {"row_at", "row", dtype}, {"count", "0", DType::kInt32}};
  for (const auto& [name, initial, type] : variables) {
    graph.Enter(name + "_in", type, {initial}, "loop");
    graph.Merge(name, type, {name + "_in", name + "_next"}, 2);
    graph.Op(name + "_now", "Switch", type, {name, "goes_on"});
  }
  graph.Op("less", "Less", DType::kInt32, {"count", "times_in"});
  graph.Add("goes_on", "LoopCond", {"less"});
  graph.Int("one", 1, {"^goes_on"});
  graph.List("pushed", "PushBack", {"list_now:1", "row_at_now:1"});
  graph.Op("doubled", "AddV2", dtype, {"row_at_now:1", "row_at_now:1"});
  graph.Op("more", "AddV2", DType::kInt32, {"count_now:1", "one"});
  graph.Op("list_next", "NextIteration", DType::kVariant, {"pushed"});
  graph.Op("row_at_next", "NextIteration", dtype, {"doubled"});
  graph.Op("count_next", "NextIteration", DType::kInt32, {"more"});
  graph.Op("list_out", "Exit", DType::kVariant, {"list_now"});
  graph.List("stack", "Stack", {"list_out", "any"});
  return graph;
}

inline std::vector<Feed> FeedsOf(DType dtype, int64_t columns) {
  const auto counted = [&](const Shape& shape, int first) {
    Tensor tensor(dtype, shape);
    VisitType(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_constructible_v<T, float> && !std::is_same_v<T, std::string>) {
        for (T& element : tensor.mutable_data<T>()) element = T(static_cast<float>(first++ % 7));
      }
    });
    return tensor;
  };
  return {{"rows", counted(Shape({3, columns}), 1)}, {"row", counted(Shape({columns}), 4)}};
}

}  // namespace plumb::fast

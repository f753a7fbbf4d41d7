// How many dimensions, coordinates and turns an op takes: as many as TensorFlow's kernels are there for, and not one
// more, on every backend (rules T9 and T10). So it is with what an attribute or a size may be.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"
#include "spec/ops/sparse/tensors_map.h"

namespace plumb::conformance {
namespace {

using Dims = std::vector<int64_t>;

// A float32 of this shape. Its elements are of no matter.
NodeDef Floats(const Dims& dims) { return MakeConst("x", Zeros(DType::kFloat, Shape(dims))); }
NodeDef Int32s(const std::string& name, const Dims& dims) { return MakeConst(name, Zeros(DType::kInt32, Shape(dims))); }

// Takes turns in which of two shapes is longer, from axis to axis.
NodeDef Turns(const std::string& name, int64_t count, int64_t longer) {
  Dims dims(static_cast<size_t>(count), 1);
  for (size_t i = 0; i < dims.size(); ++i) dims[i] += static_cast<int64_t>(i) % 2 == longer;
  return MakeConst(name, Zeros(DType::kFloat, Shape(dims)));
}

// An op over the nodes "x", "a" and the like, which has something `count` times.
struct Limit {
  const char* op;
  int64_t most;
  Code beyond;
  std::vector<NodeDef> (*inputs)(int64_t count);
  AttrMap attrs;
  const char* counted = nullptr;  // an attribute that says how often, if any
  Code within = Code::kOk;        // of as many
};

Dims Ones(int64_t count) { return Dims(static_cast<size_t>(count), 1); }

std::vector<NodeDef> WithPaddings(int64_t rank) { return {Floats(Ones(rank)), Int32s("paddings", {rank, 2})}; }

std::vector<NodeDef> InBlocks(int64_t count) {
  Dims dims(static_cast<size_t>(count + 2), 2);
  const std::vector<int32_t> twos(static_cast<size_t>(count), 2);
  return {Floats(dims), MakeConst("blocks", MakeTensor<int32_t>({count}, std::span<const int32_t>(twos))),
          Int32s("crops", {count, 2})};
}

std::vector<Limit> Limits() {
  const AttrMap of_floats = {{"T", DType::kFloat}};
  const AttrMap padding = {{"T", DType::kFloat}, {"Tpaddings", DType::kInt32}};
  AttrMap mirroring = padding;
  mirroring["mode"] = "REFLECT";
  return {
      {"AddV2", 5, Code::kUnimplemented,
       [](int64_t count) -> std::vector<NodeDef> {
         return {Turns("x", count, 0), Turns("y", count, 1)};
       },
       of_floats},
      {"ArgMax",
       7,
       Code::kInvalidArgument,
       [](int64_t rank) -> std::vector<NodeDef> {
         return {Floats(Ones(rank)), Int32s("axis", {})};
       },
       {{"T", DType::kFloat}, {"Tidx", DType::kInt32}, {"output_type", DType::kInt64}}},
      {"GatherNd",
       7,
       Code::kInvalidArgument,
       [](int64_t count) -> std::vector<NodeDef> {
         return {Floats(Ones(count)), Int32s("indices", {1, count})};
       },
       {{"Tparams", DType::kFloat}, {"Tindices", DType::kInt32}}},
      {"MirrorPad", 5, Code::kUnimplemented, WithPaddings, mirroring},
      {"Pad", 8, Code::kUnimplemented, WithPaddings, padding},
      {"ReverseV2",
       8,
       Code::kUnimplemented,
       [](int64_t rank) -> std::vector<NodeDef> {
         return {Floats(Ones(rank)), Int32s("axis", {1})};
       },
       {{"T", DType::kFloat}, {"Tidx", DType::kInt32}}},
      {"SpaceToBatchND",
       4,
       Code::kInvalidArgument,
       InBlocks,
       {{"T", DType::kFloat}, {"Tblock_shape", DType::kInt32}, {"Tpaddings", DType::kInt32}}},
      {"Where", 8, Code::kInvalidArgument, [](int64_t rank) -> std::vector<NodeDef> { return {Floats(Ones(rank))}; },
       of_floats},
  };
}

std::vector<NodeDef> NoSamples(int64_t) { return {Floats({0, 1})}; }

// Of values so few that nothing is computed, or of which there would be more than a machine holds.
std::vector<Limit> SizeLimits() {
  const AttrMap sampler = {{"num_true", 1},
                           {"num_sampled", 1},
                           {"unique", false},
                           {"range_max", 2},
                           {"shard", 1},
                           {"num_shards", int64_t{1} << 24},
                           {"unigrams", std::vector<float>{1}}};
  return {
      {"AsString",
       int64_t{1} << 20,
       Code::kInvalidArgument,
       [](int64_t) -> std::vector<NodeDef> { return {Int32s("x", {})}; },
       {{"T", DType::kInt32}},
       "width"},
      {"AsString",
       int64_t{1} << 20,
       Code::kInvalidArgument,
       [](int64_t) -> std::vector<NodeDef> { return {Floats({})}; },
       {{"T", DType::kFloat}},
       "precision"},
      {"AudioSpectrogram", int64_t{1} << 28, Code::kInvalidArgument, NoSamples, {{"stride", 1}}, "window_size"},
      {"AudioSpectrogram", INT32_MAX, Code::kInvalidArgument, NoSamples, {{"window_size", 2}}, "stride"},
      {"FixedUnigramCandidateSampler", int64_t{1} << 24, Code::kInvalidArgument,
       [](int64_t) -> std::vector<NodeDef> {
         return {MakeConst("x", Zeros(DType::kInt64, {1, 1}))};
       },
       sampler, "num_reserved_ids"},
      {"ImageSummary",
       (1 << 15) - 1,
       Code::kInvalidArgument,
       [](int64_t width) -> std::vector<NodeDef> {
         return {MakeConst("tag", MakeScalar<std::string>("a")), Floats({0, 1 << 14, width, 1})};
       },
       {{"T", DType::kFloat}}},
      {"KmeansPlusPlusInitialization",
       int64_t{1} << 20,
       Code::kInvalidArgument,
       [](int64_t retries) -> std::vector<NodeDef> {
         return {Floats({1, 1}), MakeConst("count", MakeScalar<int64_t>(1)), MakeConst("seed", MakeScalar<int64_t>(1)),
                 MakeConst("retries", MakeScalar(retries))};
       },
       {}},
      {"LRN",
       INT32_MAX - 1,
       Code::kInvalidArgument,
       [](int64_t) -> std::vector<NodeDef> {
         return {Floats({1, 1, 1, 1})};
       },
       {{"T", DType::kFloat}},
       "depth_radius"},
      {"RandomGamma",
       int64_t{1} << 40,
       Code::kInvalidArgument,
       [](int64_t count) -> std::vector<NodeDef> {
         return {MakeConst("shape", MakeVector<int64_t>({count})), Floats({})};
       },
       {{"S", DType::kInt64}, {"T", DType::kFloat}},
       nullptr,
       Code::kResourceExhausted},
      {"ThreadPoolHandle",
       (1 << 16) - 1,
       Code::kInvalidArgument,
       [](int64_t) { return std::vector<NodeDef>(); },
       {{"display_name", ""}},
       "num_threads"},
      {"TopKV2",
       INT32_MAX,
       Code::kInvalidArgument,
       [](int64_t columns) -> std::vector<NodeDef> {
         return {Floats({0, columns}), Int32s("k", {})};
       },
       {{"T", DType::kFloat}}},
  };
}

// An empty sparse matrix of so many rows, which are kept by themselves.
std::vector<NodeDef> EmptyRows(int64_t rows) {
  return {MakeConst("indices", Zeros(DType::kInt64, {0, 2})), Floats({0}),
          MakeConst("shape", MakeVector<int64_t>({rows, 1}))};
}

Code CodeOfTried(std::string_view backend, std::vector<NodeDef> nodes) {
  const auto session = OpenSession(backend);
  Status status = session->Extend(MakeGraph(std::move(nodes)));
  std::vector<Tensor> outputs;
  if (status.ok()) status = session->Run({}, std::vector<std::string>{"tried:0"}, {}, &outputs);
  return status.code();
}

Code CodeOn(std::string_view backend, const Limit& limit, int64_t count) {
  std::vector<NodeDef> nodes = limit.inputs(count);
  NodeDef tried = MakeNode("tried", limit.op, {}, limit.attrs);
  if (limit.counted != nullptr) tried.attrs[limit.counted] = count;
  for (const NodeDef& node : nodes) tried.inputs.push_back(node.name);
  nodes.push_back(std::move(tried));
  return CodeOfTried(backend, std::move(nodes));
}

void ExpectOn(std::string_view backend, const Limit& limit) {
  EXPECT_EQ(CodeOn(backend, limit, limit.most), limit.within) << limit.op << " on " << backend;
  EXPECT_EQ(CodeOn(backend, limit, limit.most + 1), limit.beyond) << limit.op << " on " << backend;
}

TEST(Limits, AreTakenAndNotPassed) {
  for (const std::string_view backend : BackendNames()) {
    for (const Limit& limit : Limits()) ExpectOn(backend, limit);
  }
}

TEST(Limits, OfSizesAreTakenAndNotPassed) {
  for (const std::string_view backend : BackendNames()) {
    for (const Limit& limit : SizeLimits()) ExpectOn(backend, limit);
  }
}

TEST(Limits, ShapesOfVariablesAreOfInt32) {
  const auto code_on = [](std::string_view backend, int64_t columns) {
    const AttrMap type = {{"dtype", DType::kFloat}};
    return CodeOfTried(
        backend,
        {Floats({0, columns}), MakeNode("v", "VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}}),
         MakeNode("a", "AssignVariableOp", {"v", "x"}, type),
         MakeNode("tried", "VariableShape", {"v", "^a"}, {{"out_type", DType::kInt32}})});
  };
  for (const std::string_view backend : BackendNames()) {
    EXPECT_EQ(code_on(backend, INT32_MAX), Code::kOk) << backend;
    EXPECT_EQ(code_on(backend, int64_t{INT32_MAX} + 1), Code::kInvalidArgument) << backend;
  }
}

// As many rows as are kept take a while.
TEST(Limits, RowsBeyondWhatIsKeptAreRefused) {
  const Limit limit{
      "AddManySparseToTensorsMap", kMaxKeptRows, Code::kResourceExhausted, EmptyRows, {{"T", DType::kFloat}}};
  for (const std::string_view backend : BackendNames()) {
    EXPECT_EQ(CodeOn(backend, limit, 2), Code::kOk) << backend;
    EXPECT_EQ(CodeOn(backend, limit, limit.most + 1), limit.beyond) << backend;
  }
}

}  // namespace
}  // namespace plumb::conformance

#include <string>
#include <vector>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// What `serialized` says of the shapes: one dimension for many examples, none for one.
Shapes ExampleShapes(const ShapeContext& c, const PartialShape& serialized, size_t ragged) {
  const size_t sparse = c.attr<std::vector<DType>>("sparse_types").size();
  const int64_t rank = serialized.has_rank() ? serialized.rank() + 1 : -1;
  Shapes shapes(sparse, PartialShape{-1, rank});
  shapes.insert(shapes.end(), sparse, PartialShape{-1});
  shapes.insert(shapes.end(), sparse, PartialShape{rank});
  for (const PartialShape& shape : c.attr<std::vector<PartialShape>>("dense_shapes")) {
    shapes.push_back(Join(serialized, shape));
  }
  shapes.insert(shapes.end(), ragged, PartialShape{-1});
  const bool is_batch = serialized.rank() == 1;
  shapes.insert(shapes.end(), ragged, PartialShape{is_batch ? AddSizes(serialized.dim(0), 1) : -1});
  Require(shapes.size() == static_cast<size_t>(c.num_outputs()), c.op().name,
          " has attributes that disagree about how many features there are");
  return shapes;
}

Shapes ParseExampleShapes(const ShapeContext& c) { return ExampleShapes(c, WithRank(c, 0, 1), 0); }

Shapes ParseExampleV2Shapes(const ShapeContext& c) {
  const PartialShape& serialized = WithRankAtMost(c, 0, 1);
  for (int keys = 2; keys < 5; ++keys) WithRank(c, keys, 1);
  return ExampleShapes(c, serialized, c.attr<std::vector<DType>>("ragged_value_types").size());
}

Shapes ParseSingleShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  return ExampleShapes(c, PartialShape(Shape()), 0);
}

// Examples as bytes, of the features a (integers), b (strings) and c (floats). The last has numbers that are not
// packed.
const std::string kAbc =
    "x'0a350a140a0161120f1a0d0a0b01feffffffffffffffff010a0a0a016212050a030a01780a110a0163120c120a0a080000c03f000000c0'";
const std::string kAc = "x'0a280a0b0a016112061a040a0203040a190a0163121412120a100000803e000000410000803f00000040'";
const std::string kAb = "x'0a1c0a0b0a016112061a040a0205060a0d0a016212080a060a02797a0a00'";
const std::string kLoose = "x'0a200a0b0a016112061a04080708090a110a0163120c120a0d0000803f0d00000040'";

// Settings and inputs of a parser for a vector of so many examples, the same one `n` times.
std::string ManyOf(const std::string& example, const std::string& settings, const std::string& keys) {
  return "s = Shape T=float32 out_type=int32: [n]; f = Fill T=string index_type=int32: s " + example + "; " + settings +
         "f" + keys;
}

// So that rows can hold on to them.
std::vector<const char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

std::vector<const char*> ExampleSamples() {
  static const std::vector<std::string> samples = {
      "Nsparse=2 Ndense=1 sparse_types=[string, float32] Tdense=[int64] dense_shapes=[[2]]: {" + kAbc + ", " + kAc +
          ", " + kLoose + ", " + kAb + "} {} ('b' 'c') ('a') ({7, 8})",
      "Nsparse=0 Ndense=2 sparse_types=[] Tdense=[string, float32] dense_shapes=[[1], [2]]: {" + kAbc + ", " + kLoose +
          "} {'one', 'two'} () ('b' 'c') ({'none'} {0.5, 0.25})",
      "Nsparse=1 Ndense=1 sparse_types=[int64] Tdense=[float32] dense_shapes=[[?, 2]]: {" + kAbc + ", " + kAc + ", " +
          kAb + "} {} ('a') ('c') ({9.5})",
      ManyOf(kAbc, "Nsparse=2 Ndense=1 sparse_types=[string, float32] Tdense=[int64] dense_shapes=[[2]]: ",
             " {} ('b' 'c') ('a') ({7, 8})"),
      "Nsparse=1 Ndense=0 sparse_types=[int64] Tdense=[] dense_shapes=[]: {} {} ('a') () ()"};
  return Pointers(samples);
}

std::vector<const char*> ExampleV2Samples() {
  const std::string settings =
      "num_sparse=1 sparse_types=[string] Tdense=[int64, float32] dense_shapes=[[2], [?]] "
      "ragged_value_types=[float32] "
      "ragged_split_types=[int32]: ";
  const std::string keys = " {} {'b'} {'a', 'd'} {'c'} ({7, 8} {0.5})";
  static const std::vector<std::string> samples = {
      settings + "{" + kAbc + ", " + kAc + ", " + kLoose + "}" + keys, settings + kAbc + keys,
      ManyOf(kAbc, settings, keys), settings + kAb + " 'name' {'b'} {'a', 'd'} {'c'} ({} {0.5})",
      "num_sparse=0 sparse_types=[] Tdense=[float32] dense_shapes=[[?, 2]] ragged_value_types=[string, int64] "
      "ragged_split_types=[int64, int32]: {" +
          kAbc + ", " + kAc + ", " + kAb + ", ''} {} {} {'c'} {'b', 'a'} ({9.5})"};
  return Pointers(samples);
}

std::vector<const char*> SingleExampleSamples() {
  const std::string settings =
      "num_sparse=1 sparse_keys=['b'] dense_keys=['a', 'c'] sparse_types=[string] Tdense=[int64, float32] "
      "dense_shapes=[[2], [?]]: ";
  static const std::vector<std::string> samples = {settings + kAbc + " ({} {0.5})", settings + kAb + " ({1, 2} {0.5})",
                                                   settings + "'' ({1, 2} {0.5})"};
  return Pointers(samples);
}

}  // namespace

std::span<const OpRow> ParsingExample() {
  static const OpRow rows[] = {
      {.signature = "ParseExample(serialized: string, names: string, sparse_keys: string*Nsparse, dense_keys: "
                    "string*Ndense, dense_defaults: list(Tdense)) -> (sparse_indices: int64*Nsparse, sparse_values: "
                    "list(sparse_types), sparse_shapes: int64*Nsparse, dense_values: list(Tdense))",
       .attrs = "Nsparse: int >= 0; Ndense: int >= 0; sparse_types: list(type) >= 0 in [float32, int64, string]; "
                "Tdense: list(type) >= 0 in [float32, int64, string]; dense_shapes: list(shape) >= 0",
       .doc = "Examples (rule 9.16) as tensors, a feature each: sparse ones as coordinates, values and shapes, dense "
              "ones of these shapes with defaults where they are missing; where the default is empty they must not "
              "be. A first dimension that is unknown is as long as the longest needs it.",
       .shape_fn = ParseExampleShapes,
       .samples = ExampleSamples()},
      {.signature = "ParseExampleV2(serialized: string, names: string, sparse_keys: string, dense_keys: string, "
                    "ragged_keys: string, dense_defaults: list(Tdense)) -> (sparse_indices: int64*num_sparse, "
                    "sparse_values: list(sparse_types), sparse_shapes: int64*num_sparse, dense_values: list(Tdense), "
                    "ragged_values: list(ragged_value_types), ragged_row_splits: list(ragged_split_types))",
       .attrs = "Tdense: list(type) >= 0 in [float32, int64, string]; num_sparse: int >= 0; sparse_types: list(type) "
                ">= 0 in [float32, int64, string]; ragged_value_types: list(type) >= 0 in [float32, int64, string]; "
                "ragged_split_types: list(type) >= 0 in [int32, int64]; dense_shapes: list(shape) >= 0",
       .doc =
           "ParseExample, of many examples or of one, whose keys are tensors; ragged features besides, as values and "
           "where the rows begin.",
       .shape_fn = ParseExampleV2Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = ExampleV2Samples()},
      {.signature = "ParseSingleExample(serialized: string, dense_defaults: list(Tdense)) -> (sparse_indices: "
                    "int64*num_sparse, sparse_values: list(sparse_types), sparse_shapes: int64*num_sparse, "
                    "dense_values: list(Tdense))",
       .attrs = "num_sparse: int >= 0; sparse_keys: list(string) >= 0; dense_keys: list(string) >= 0; sparse_types: "
                "list(type) >= 0 in [float32, int64, string]; Tdense: list(type) >= 0 in [float32, int64, string]; "
                "dense_shapes: list(shape) >= 0",
       .doc = "ParseExample of one example, whose keys are attributes.",
       .shape_fn = ParseSingleShapes,
       .samples = SingleExampleSamples()},
  };
  return rows;
}

}  // namespace plumb::topics

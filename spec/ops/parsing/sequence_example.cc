#include <string>
#include <vector>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

size_t Count(const ShapeContext& c, const char* attr) { return c.attr<std::vector<DType>>(attr).size(); }

void AddSparse(size_t count, int64_t rank, Shapes& shapes) {
  shapes.insert(shapes.end(), count, PartialShape{-1, rank});
  shapes.insert(shapes.end(), count, PartialShape{-1});
  shapes.insert(shapes.end(), count, PartialShape{rank});
}

// One dimension of `serialized` for many messages, none for one; lists have one more.
Shapes SequenceShapes(const ShapeContext& c, const PartialShape& serialized, bool has_ragged, bool has_lengths) {
  const int64_t rank = serialized.rank();
  const PartialShape splits = rank == 1   ? PartialShape{AddSizes(serialized.dim(0), 1)}
                              : rank == 0 ? serialized
                                          : PartialShape();
  Shapes shapes;
  AddSparse(Count(c, "context_sparse_types"), rank < 0 ? -1 : rank + 1, shapes);
  for (const PartialShape& shape : c.attr<std::vector<PartialShape>>("context_dense_shapes")) {
    shapes.push_back(Join(serialized, shape));
  }
  if (has_ragged) {
    shapes.insert(shapes.end(), Count(c, "context_ragged_value_types"), PartialShape{-1});
    shapes.insert(shapes.end(), Count(c, "context_ragged_split_types"), splits);
  }
  AddSparse(Count(c, "feature_list_sparse_types"), rank < 0 ? -1 : rank + 2, shapes);
  const auto& lists = c.attr<std::vector<PartialShape>>("feature_list_dense_shapes");
  for (const PartialShape& shape : lists) shapes.push_back(Join(Join(serialized, PartialShape{-1}), shape));
  if (has_lengths) shapes.insert(shapes.end(), lists.size(), serialized);
  if (has_ragged) {
    shapes.insert(shapes.end(), Count(c, "feature_list_ragged_value_types"), PartialShape{-1});
    shapes.insert(shapes.end(), Count(c, "feature_list_ragged_split_types"), splits);
    shapes.insert(shapes.end(), Count(c, "feature_list_ragged_split_types"), PartialShape{-1});
  }
  Require(shapes.size() == static_cast<size_t>(c.num_outputs()), c.op().name,
          " has attributes that disagree about how many features there are");
  return shapes;
}

// A graph is built with vectors; kernels take a message by itself, and names of any shape.
Shapes ParseSequenceShapes(const ShapeContext& c) {
  WithRank(c, 1, 1);
  const auto dense = static_cast<size_t>(c.attr<int64_t>("Ncontext_dense"));
  const size_t keys = c.attr<std::vector<std::string>>("context_dense_keys").size();
  Require(dense == keys, c.op().name, ": Ncontext_dense is ", dense, ", and there are ", keys, " context_dense_keys");
  const bool is_one = c.input(0).rank() == 0;
  Require(!is_one, InputName(c, 0), " must be a vector");
  return SequenceShapes(c, WithRankAtMost(c, 0, 1), false, true);
}
Shapes ParseSequenceV2Shapes(const ShapeContext& c) {
  WithRankAtMost(c, 1, 1);
  return SequenceShapes(c, WithRankAtMost(c, 0, 1), true, true);
}
Shapes ParseSingleSequenceShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  WithRank(c, 1, 1);
  return SequenceShapes(c, PartialShape(Shape()), false, false);
}

// ParseSingleSequenceExample reads its message by the library of protocol buffers, which both sides call: recorded
// cases judge it.

// Messages as bytes: in the context a (integers) and, in the first, b (strings); lists p (floats) and q (strings).
const std::string kFirst =
    "x'0a190a0b0a016112061a040a0201020a0a0a016212050a030a0178123b0a210a0170121c0a0c120a0a080000c03f000000400a0c120a0a08"
    "00004040000080400a160a017112110a050a030a01750a080a060a01760a0177'";
const std::string kSecond =
    "x'0a0d0a0b0a016112061a040a020304121c0a130a0170120e0a0c120a0a080000a0400000c0400a050a01711200'";

std::vector<const char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

const std::string kCounts =
    "Ncontext_sparse=1 Tcontext_dense=[int64] context_sparse_types=[string] context_dense_shapes=[[2]] "
    "Nfeature_list_sparse=1 Nfeature_list_dense=1 feature_list_dense_types=[float32] "
    "feature_list_sparse_types=[string] feature_list_dense_shapes=[[2]] ";

std::vector<const char*> SequenceSamples() {
  const std::string settings =
      kCounts +
      "Ncontext_dense=1 context_sparse_keys=['b'] context_dense_keys=['a'] feature_list_sparse_keys=['q'] "
      "feature_list_dense_keys=['p'] feature_list_dense_missing_assumed_empty=['p']: ";
  const std::string many =
      "s = Shape T=float32 out_type=int32: [n]; f = Fill T=string index_type=int32: s " + kFirst + "; ";
  static const std::vector<std::string> samples = {settings + "{" + kFirst + ", " + kSecond + ", ''} {} ({8, 9})",
                                                   many + settings + "f {} ({8, 9})",
                                                   settings + "{" + kFirst + "} {'name'} ({})"};
  return Pointers(samples);
}

std::vector<const char*> SequenceV2Samples() {
  const std::string settings = kCounts +
                               "context_ragged_value_types=[int64] context_ragged_split_types=[int32] "
                               "feature_list_ragged_value_types=[float32] feature_list_ragged_split_types=[int64]: ";
  const std::string keys = " {} {'b'} {'a'} {'d'} {'q'} {'p'} {'r'} {true} ({8, 9})";
  const std::string ragged =
      "Ncontext_sparse=0 Tcontext_dense=[] context_sparse_types=[] context_dense_shapes=[] Nfeature_list_sparse=0 "
      "Nfeature_list_dense=0 feature_list_dense_types=[] feature_list_sparse_types=[] feature_list_dense_shapes=[] "
      "context_ragged_value_types=[int64] context_ragged_split_types=[int32] feature_list_ragged_value_types=[float32, "
      "string] feature_list_ragged_split_types=[int64, int32]: ";
  static const std::vector<std::string> samples = {
      settings + "{" + kFirst + ", " + kSecond + ", ''}" + keys, settings + kFirst + keys,
      ragged + "{" + kSecond + ", " + kFirst + "} {'one', 'two'} {} {} {'a'} {} {} {'p', 'q'} {} ()"};
  return Pointers(samples);
}

std::vector<const char*> SingleSequenceSamples() {
  const std::string settings = kCounts + "Ncontext_dense=1: ";
  const std::string keys = " ('b') ('a') ('q') ('p') ({8, 9}) 'name'";
  static const std::vector<std::string> samples = {settings + kFirst + " {}" + keys, settings + kSecond + " {}" + keys,
                                                   settings + "'' {'p'}" + keys};
  return Pointers(samples);
}

}  // namespace

std::span<const OpRow> ParsingSequenceExample() {
  static const OpRow rows[] = {
      {.signature =
           "ParseSequenceExample(serialized: string, debug_name: string, context_dense_defaults: list(Tcontext_dense)) "
           "-> "
           "(context_sparse_indices: int64*Ncontext_sparse, context_sparse_values: list(context_sparse_types), "
           "context_sparse_shapes: int64*Ncontext_sparse, context_dense_values: list(Tcontext_dense), "
           "feature_list_sparse_indices: int64*Nfeature_list_sparse, feature_list_sparse_values: "
           "list(feature_list_sparse_types), feature_list_sparse_shapes: int64*Nfeature_list_sparse, "
           "feature_list_dense_values: list(feature_list_dense_types), feature_list_dense_lengths: "
           "int64*Nfeature_list_dense)",
       .attrs = "feature_list_dense_missing_assumed_empty: list(string) >= 0; context_sparse_keys: list(string) >= 0; "
                "context_dense_keys: list(string) >= 0; feature_list_sparse_keys: list(string) >= 0; "
                "feature_list_dense_keys: list(string) >= 0; Ncontext_sparse: int = 0 >= 0; Ncontext_dense: int = 0 >= "
                "0; Nfeature_list_sparse: int = 0 >= 0; Nfeature_list_dense: int = 0 >= 0; context_sparse_types: "
                "list(type) = [] >= 0 in [float32, int64, string]; Tcontext_dense: list(type) = [] >= 0 in [float32, "
                "int64, string]; feature_list_dense_types: list(type) = [] >= 0 in [float32, int64, string]; "
                "context_dense_shapes: list(shape) = [] >= 0; feature_list_sparse_types: list(type) = [] >= 0 in "
                "[float32, int64, string]; feature_list_dense_shapes: list(shape) = [] >= 0",
       .doc = "SequenceExamples (rule 9.16), of which there are many or one, as tensors: features of the context as "
              "ParseExample gives them, and lists of features, which have one dimension more. Dense lists end with "
              "zeros where others are longer.",
       .shape_fn = ParseSequenceShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = SequenceSamples()},
      {.signature =
           "ParseSequenceExampleV2(serialized: string, debug_name: string, context_sparse_keys: string, "
           "context_dense_keys: "
           "string, context_ragged_keys: string, feature_list_sparse_keys: string, feature_list_dense_keys: string, "
           "feature_list_ragged_keys: string, feature_list_dense_missing_assumed_empty: bool, context_dense_defaults: "
           "list(Tcontext_dense)) -> (context_sparse_indices: int64*Ncontext_sparse, context_sparse_values: "
           "list(context_sparse_types), context_sparse_shapes: int64*Ncontext_sparse, context_dense_values: "
           "list(Tcontext_dense), context_ragged_values: list(context_ragged_value_types), context_ragged_row_splits: "
           "list(context_ragged_split_types), feature_list_sparse_indices: int64*Nfeature_list_sparse, "
           "feature_list_sparse_values: list(feature_list_sparse_types), feature_list_sparse_shapes: "
           "int64*Nfeature_list_sparse, feature_list_dense_values: list(feature_list_dense_types), "
           "feature_list_dense_lengths: int64*Nfeature_list_dense, feature_list_ragged_values: "
           "list(feature_list_ragged_value_types), feature_list_ragged_outer_splits: "
           "list(feature_list_ragged_split_types), "
           "feature_list_ragged_inner_splits: list(feature_list_ragged_split_types))",
       .attrs = "Ncontext_sparse: int = 0 >= 0; Tcontext_dense: list(type) = [] >= 0 in [float32, int64, string]; "
                "context_sparse_types: list(type) = [] >= 0 in [float32, int64, string]; context_ragged_value_types: "
                "list(type) = [] >= 0 in [float32, int64, string]; context_ragged_split_types: list(type) = [] >= 0 in "
                "[int32, int64]; context_dense_shapes: list(shape) = [] >= 0; Nfeature_list_sparse: int = 0 >= 0; "
                "Nfeature_list_dense: int = 0 >= 0; feature_list_dense_types: list(type) = [] >= 0 in [float32, int64, "
                "string]; feature_list_sparse_types: list(type) = [] >= 0 in [float32, int64, string]; "
                "feature_list_ragged_value_types: list(type) = [] >= 0 in [float32, int64, string]; "
                "feature_list_ragged_split_types: list(type) = [] >= 0 in [int32, int64]; feature_list_dense_shapes: "
                "list(shape) = [] >= 0",
       .doc = "ParseSequenceExample whose keys are tensors; ragged features besides, as values and where their parts "
              "begin: in lists the messages (outer splits) and the features (inner splits).",
       .shape_fn = ParseSequenceV2Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = SequenceV2Samples()},
      {.signature =
           "ParseSingleSequenceExample(serialized: string, feature_list_dense_missing_assumed_empty: string, "
           "context_sparse_keys: string*Ncontext_sparse, context_dense_keys: string*Ncontext_dense, "
           "feature_list_sparse_keys: "
           "string*Nfeature_list_sparse, feature_list_dense_keys: string*Nfeature_list_dense, context_dense_defaults: "
           "list(Tcontext_dense), debug_name: string) -> (context_sparse_indices: int64*Ncontext_sparse, "
           "context_sparse_values: list(context_sparse_types), context_sparse_shapes: int64*Ncontext_sparse, "
           "context_dense_values: list(Tcontext_dense), feature_list_sparse_indices: int64*Nfeature_list_sparse, "
           "feature_list_sparse_values: list(feature_list_sparse_types), feature_list_sparse_shapes: "
           "int64*Nfeature_list_sparse, feature_list_dense_values: list(feature_list_dense_types))",
       .attrs = "Ncontext_sparse: int = 0 >= 0; Ncontext_dense: int = 0 >= 0; Nfeature_list_sparse: int = 0 >= 0; "
                "Nfeature_list_dense: int = 0 >= 0; context_sparse_types: list(type) = [] >= 0 in [float32, int64, "
                "string]; Tcontext_dense: list(type) = [] >= 0 in [float32, int64, string]; feature_list_dense_types: "
                "list(type) = [] >= 0 in [float32, int64, string]; context_dense_shapes: list(shape) = [] >= 0; "
                "feature_list_sparse_types: list(type) = [] >= 0 in [float32, int64, string]; "
                "feature_list_dense_shapes: list(shape) = [] >= 0",
       .doc = "ParseSequenceExample of one message, whose keys are scalars.",
       .shape_fn = ParseSingleSequenceShapes,
       .samples = SingleSequenceSamples()},
  };
  return rows;
}

}  // namespace plumb::topics

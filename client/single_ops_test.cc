// What single ops do and refuse on each backend, beside what the courts draw: types that do not go together, files that
// say too little or are there, readers that are not.
#include <cmath>
#include <complex>

#include "client/testing.h"
#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNan;

template <class T>
Tensor Filled(const Shape& shape, T value) {
  Tensor filled(DTypeOf<T>, shape);
  for (T& element : filled.mutable_data<T>()) element = value;
  return filled;
}

// A field of a message that holds bytes: its tag, their number, and they.
std::string Field(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

class SingleOps : public OnEachBackend {
 protected:
  // With which code a graph is refused that has the op alone, or a step that runs it. The shape of the
  // first input is seen by the kernel alone.
  Code CodeOf(std::string_view op, const std::vector<Tensor>& inputs, AttrMap attrs = {}) {
    return StatusOf([&] {
             Scope scope;
             std::vector<Endpoint> ends;
             for (const Tensor& input : inputs) ends.push_back(Constant(scope, input).endpoint);
             if (!ends.empty()) {
               const AttrMap unknown = {{"shape", PartialShape::Unknown()}};
               ends[0] = scope.Call("PlaceholderWithDefault", {{&scope.builder(), ends[0]}}, unknown).endpoint;
             }
             const NodeId node = scope.builder().Add(op, ends, std::move(attrs));
             RunTarget(scope, scope.builder().graph().node(node).name);
           })
        .code();
  }
  // In a session of its own, behind the target of `before`.
  void RunTarget(const Scope& scope, const std::string& target, const std::string& before = {}) {
    const auto session = OpenSession(GetParam());
    Status status = session->Extend(scope.ToGraphDef());
    for (const std::string& name : {before, target}) {
      if (status.ok() && !name.empty()) status = session->Run({}, {}, std::vector{name}, nullptr);
    }
    if (!status.ok()) throw Error(status);
  }
};
PLUMB_ON_EACH_BACKEND(SingleOps);

TEST_P(SingleOps, RefusePartsAndNumbersOfOtherWidths) {
  using enum DType;
  const Tensor wide = MakeVector<double>({1, 2}), length = MakeVector<int32_t>({2});
  const Tensor numbers = MakeVector<std::complex<float>>({{1, 2}, {3, 4}});
  EXPECT_EQ(CodeOf("RFFT", {wide, length}, {{"Treal", kDouble}, {"Tcomplex", kComplex64}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOf("IRFFT", {numbers, length}, {{"Treal", kDouble}, {"Tcomplex", kComplex64}}), Code::kInvalidArgument);
  const Tensor wide_numbers = MakeVector<std::complex<double>>({{1, 2}});
  for (const char* op : {"Real", "Imag", "ComplexAbs", "Angle"}) {
    EXPECT_EQ(CodeOf(op, {numbers}, {{"T", kComplex64}, {"Tout", kDouble}}), Code::kInvalidArgument) << op;
    EXPECT_EQ(CodeOf(op, {wide_numbers}, {{"T", kComplex128}, {"Tout", kFloat}}), Code::kInvalidArgument) << op;
    EXPECT_EQ(CodeOf(op, {wide_numbers}, {{"T", kComplex128}, {"Tout", kDouble}}), Code::kOk) << op;
  }
  EXPECT_EQ(CodeOf("Complex", {wide, wide}, {{"T", kDouble}, {"Tout", kComplex64}}), Code::kInvalidArgument);
  const Tensor matrix = MakeTensor<double>({1, 1}, {3});
  EXPECT_EQ(CodeOf("Eig", {matrix}, {{"T", kDouble}, {"Tout", kComplex64}}), Code::kInvalidArgument);
}

TEST_P(SingleOps, RefuseTypesWithoutAKernel) {
  using enum DType;
  const Tensor wide_codes(DType::kQint32, Shape({1, 2, 2, 1})), zero = MakeScalar(0.0F), one = MakeScalar(1.0F);
  const std::vector<int64_t> ones = {1, 1, 1, 1};
  for (const char* op : {"QuantizedMaxPool", "QuantizedAvgPool"}) {
    EXPECT_EQ(
        CodeOf(op, {wide_codes, zero, one}, {{"T", kQint32}, {"ksize", ones}, {"strides", ones}, {"padding", "VALID"}}),
        Code::kInvalidArgument)
        << op;
  }
  EXPECT_EQ(CodeOf("HashTableV2", {}, {{"key_dtype", kString}, {"value_dtype", kVariant}}), Code::kInvalidArgument);
}

TEST_P(SingleOps, RefuseRowsThatFitNoMatrix) {
  const Tensor scalar = MakeScalar(1.0F), row = MakeVector<float>({1}), first = MakeVector<int32_t>({0});
  for (const char* op : {"InplaceUpdate", "InplaceAdd", "InplaceSub"}) {
    EXPECT_EQ(CodeOf(op, {scalar, first, scalar}), Code::kInvalidArgument) << op;
    EXPECT_EQ(CodeOf(op, {row, first, row}), Code::kOk) << op;
  }
}

// T9: so many dimensions and no more.
TEST_P(SingleOps, TakeTensorsOfSoManyDimensions) {
  const auto ones = [](int rank) { return Filled<float>(Shape(std::vector<int64_t>(rank, 1)), 1); };
  const auto twos = [](int rank) { return Filled<float>(Shape(std::vector<int64_t>(rank, 2)), 1); };
  const auto margins = [](int rank) { return Filled<int32_t>(Shape({rank, 2}), 0); };
  const auto sizes = [](int rank) { return Filled<int32_t>(Shape({rank}), 2); };
  const auto in_pad = [&](int rank) { return CodeOf("Pad", {ones(rank), margins(rank)}); };
  const auto in_mirror = [&](int rank) {
    return CodeOf("MirrorPad", {twos(rank), margins(rank)}, {{"mode", "REFLECT"}});
  };
  const auto in_reverse = [&](int rank) { return CodeOf("ReverseV2", {ones(rank), MakeVector<int32_t>({0})}); };
  const auto in_search = [&](int rank) { return CodeOf("ArgMax", {twos(rank), MakeScalar<int32_t>(0)}); };
  const auto in_blocks = [&](int rank) {
    std::vector<int64_t> dims(rank + 1, 2);
    dims[0] = 1;
    return CodeOf("SpaceToBatchND", {Filled<float>(Shape(dims), 1), sizes(rank), margins(rank)});
  };
  const auto from_blocks = [&](int rank) {
    std::vector<int64_t> dims(rank + 1, 1);
    dims[0] = int64_t{1} << rank;
    return CodeOf("BatchToSpaceND", {Filled<float>(Shape(dims), 1), sizes(rank), margins(rank)});
  };
  const auto expect = [](std::string_view op, const auto& code_of, int most, Code refused) {
    EXPECT_EQ(code_of(most), Code::kOk) << op;
    EXPECT_EQ(code_of(most + 1), refused) << op;
  };
  expect("Pad", in_pad, 8, Code::kUnimplemented);
  expect("MirrorPad", in_mirror, 5, Code::kUnimplemented);
  expect("ReverseV2", in_reverse, 8, Code::kUnimplemented);
  expect("ArgMax", in_search, 7, Code::kInvalidArgument);
  expect("SpaceToBatchND", in_blocks, 4, Code::kInvalidArgument);
  expect("BatchToSpaceND", from_blocks, 4, Code::kInvalidArgument);
}

TEST_P(SingleOps, RefuseAnAxisForAModeThatKnowsNone) {
  const Tensor numbers = MakeVector<float>({1, 2}), low = MakeVector<float>({0, 0}), high = MakeVector<float>({3, 3});
  const AttrMap attrs = {{"T", DType::kQuint8}, {"axis", 0}, {"mode", "MIN_FIRST"}};
  EXPECT_EQ(CodeOf("QuantizeV2", {numbers, low, high}, attrs), Code::kUnimplemented);
}

TEST_P(SingleOps, RefuseVocabulariesThatSayAWordTwice) {
  const TemporaryFolder folder;
  const std::string twice = folder.path() + "/twice", once = folder.path() + "/once";
  WriteFile(twice, "word\nother\nword\n");
  WriteFile(once, "word\nother\n");
  const AttrMap attrs = {{"new_vocab_offset", 0}, {"num_new_vocab", 2}};
  const auto code = [&](const std::string& from, const std::string& to) {
    return CodeOf("GenerateVocabRemapping", {MakeScalar(to), MakeScalar(from)}, attrs);
  };
  EXPECT_EQ(code(once, once), Code::kOk);
  EXPECT_EQ(code(twice, once), Code::kFailedPrecondition);
}

// As TensorFlow answers: it starts at the first center, and no distance is less than one that is no number.
TEST_P(SingleOps, OneNearestCenterIsTheFirstUntilAnotherIsNearer) {
  const Output points = Matrix(2, 2, {1, 2, 5, 1}), k = Constant(scope_, int64_t{1});
  const auto nearest = [&](std::initializer_list<float> centers) {
    const Output found = Call("NearestNeighbors", {points, Matrix(3, 2, centers), k});
    const Tensor indices = Evaluate(GetParam(), scope_, {found})[0];
    return std::vector<int64_t>(indices.data<int64_t>().begin(), indices.data<int64_t>().end());
  };
  EXPECT_EQ(nearest({NAN, 0, 1, 2, 5, 1}), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(nearest({5, 1, NAN, 0, 1, 2}), (std::vector<int64_t>{2, 0}));
  EXPECT_EQ(nearest({1, 2, 1, 2, 5, 1}), (std::vector<int64_t>{0, 2}));
}

// As TensorFlow answers, which adds up |p|² + |c|² − 2pc: where infinities meet that is no number, and centers are
// ranked without |p|².
TEST_P(SingleOps, CentersAndPointsMayBeInfinite) {
  const auto nearest = [&](const Output& points, const Output& centers, int64_t count) {
    const Output indices = Call("NearestNeighbors", {points, centers, Constant(scope_, count)});
    const std::vector<Tensor> found = Evaluate(GetParam(), scope_, {indices, OutputOf(indices.endpoint.node, 1)});
    const auto at = found[0].data<int64_t>();
    return std::pair(std::vector<int64_t>(at.begin(), at.end()), Numbers(found[1]));
  };
  const auto [one, distance] =
      nearest(Matrix(3, 2, {1, 1, -1, -1, INFINITY, 1}), Matrix(2, 2, {INFINITY, INFINITY, 1, 1}), 1);
  EXPECT_EQ(one, (std::vector<int64_t>{0, 1, 0}));
  EXPECT_THAT(distance, ElementsAre(IsNan(), 8, IsNan()));
  const auto [two, distances] =
      nearest(Matrix(3, 2, {1, 1, INFINITY, 1, -INFINITY, 2}), Matrix(2, 2, {-1, 0, 1, 0}), 2);
  EXPECT_EQ(two, (std::vector<int64_t>{1, 0, 1, 0, 0, 1}));
  EXPECT_THAT(distances, ElementsAre(1, 5, IsNan(), INFINITY, IsNan(), INFINITY));
}

// As TensorFlow answers: of several tries one counts that leaves a finite sum of distances, else the first row stands
// for them.
TEST_P(SingleOps, SeedsThatLeaveNoFiniteDistanceAreTheFirstRow) {
  const Output points = Matrix(3, 2, {0, 0, INFINITY, 1, 2, 2});
  for (const int64_t seed : {1, 2, 3}) {
    const Output drawn = Call("KmeansPlusPlusInitialization", {points, Constant(scope_, int64_t{2}),
                                                               Constant(scope_, seed), Constant(scope_, int64_t{3})});
    EXPECT_EQ(Numbers(Evaluate(GetParam(), scope_, {drawn})[0]), (std::vector<double>{0, 0, 0, 0})) << seed;
  }
}

// As TensorFlow answers.
TEST_P(SingleOps, SingularValuesOfWhatIsNotFiniteAreNanOrComplexZeros) {
  const auto values = [&](const Tensor& matrix) {
    return Evaluate(GetParam(), scope_, {Call("Svd", {Constant(scope_, matrix)}, {{"compute_uv", false}})})[0];
  };
  EXPECT_THAT(Numbers(values(MakeTensor<float>({1, 2}, {NAN, 1}))), ElementsAre(IsNan()));
  using C = std::complex<float>;
  for (const float missing : {NAN, INFINITY}) {
    EXPECT_EQ(values(MakeTensor<C>({1, 2}, {C(missing, 0), C(1, 2)})).data<C>()[0], C(0, 0)) << missing;
  }
}

TEST_P(SingleOps, RefuseRecordsOfEmptyFiles) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/records", "");
  EXPECT_EQ(CodeOf("RecordInput", {}, {{"file_pattern", folder.path() + "/records"}}), Code::kOutOfRange);
  const AttrMap vast = {{"file_pattern", folder.path() + "/none"}, {"batch_size", int64_t{1} << 31}};
  EXPECT_EQ(CodeOf("RecordInput", {}, vast), Code::kNotFound) << "files are looked for first, as TensorFlow does";
}

TEST_P(SingleOps, RefuseReadersThatAreNotThere) {
  const Tensor name = MakeVector<std::string>({"", "nobody"});
  for (const char* op : {"ReaderNumRecordsProduced", "ReaderReset"}) {
    Scope scope;
    const Output handle = scope.Call("VariableV2", {}, {{"shape", PartialShape({2})}, {"dtype", DType::kString}}, "v");
    const NodeId set = scope.builder().Add("Assign", {handle.endpoint, Constant(scope, name).endpoint});
    const NodeId asks = scope.builder().Add(op, {handle.endpoint});
    const auto name_of = [&](NodeId node) { return scope.builder().graph().node(node).name; };
    EXPECT_EQ(StatusOf([&] { RunTarget(scope, name_of(set)); }).ToString(), "OK");
    EXPECT_EQ(StatusOf([&] { RunTarget(scope, name_of(asks), name_of(set)); }).code(), Code::kNotFound) << op;
  }
}

// R23, R24: what a variable's own numbers update is read row by row, as the rows before left it.
TEST_P(SingleOps, ReadTheirVariablesOwnRowsAsTheyAre) {
  const Output v = scope_.Call("VariableV2", {}, {{"shape", PartialShape({3})}, {"dtype", DType::kFloat}}, "v");
  const NodeId set = scope_.builder().Add("Assign", {v.endpoint, Floats({1, 2, 3}).endpoint});
  const Output rows = Constant(scope_, MakeTensor<int32_t>({3, 1}, {2, 1, 0}));
  const Output own = scope_.Call("Identity", {v});
  const Output updated = scope_.Call("ScatterNdUpdate", {v, rows, own});
  const std::string before = scope_.builder().graph().node(set).name;
  const Tensor value = Evaluate(GetParam(), scope_, {updated}, {}, {before})[0];
  EXPECT_EQ(Numbers(value), (std::vector<double>{1, 2, 1}));
}

TEST_P(SingleOps, PrintBehindWhatTheFileHas) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/printed";
  const AttrMap attrs = {{"output_stream", "file://" + path}};
  for (const char* text : {"one", "two"}) {
    EXPECT_EQ(CodeOf("PrintV2", {MakeScalar<std::string>(text)}, attrs), Code::kOk);
  }
  EXPECT_EQ(ReadFile(path), "one\ntwo\n");
}

// N19: the gradient of a row begins with what comes first.
TEST_P(SingleOps, AddNegativeZerosUpToOneInGradientsOfSparseSegments) {
  const Output grad = Matrix(2, 2, {-0.0F, 1, 2, -0.0F});
  const Output indices = Constant(scope_, {0, 1, 1, 2, 2}), segments = Constant(scope_, {0, 1, 1, 0, 0});
  for (const char* op : {"SparseSegmentSumGrad", "SparseSegmentMeanGrad", "SparseSegmentSqrtNGrad"}) {
    const std::vector<double> rows = Value(Call(op, {grad, indices, segments, Int(4)}));
    std::vector<bool> are_negative;
    for (const double number : rows) are_negative.push_back(std::signbit(number));
    EXPECT_THAT(are_negative, ElementsAre(true, false, false, true, true, false, false, false)) << op;
    EXPECT_EQ(rows[0] + rows[3] + rows[4] + rows[6] + rows[7], 0) << op;
  }
}

// A context or a list with one feature under the key "p".
std::string ContextOf(const std::string& feature) { return Field(1, Field(1, Field(1, "p") + Field(2, feature))); }
std::string ListOf(const std::string& rows) { return Field(2, Field(1, Field(1, "p") + Field(2, rows))); }

TEST_P(SingleOps, TakeFeaturesOfNoKindForSparseColumnsAlone) {
  const std::vector<DType> integers = {DType::kInt64};
  const std::vector<PartialShape> none = {{0}};
  const auto code = [&](const std::string& bytes, bool is_list, bool is_sparse) {
    AttrMap attrs = {
        {"Ncontext_sparse", 0}, {"Ncontext_dense", 0}, {"Nfeature_list_sparse", 0}, {"Nfeature_list_dense", 0}};
    const std::string group = is_list ? "feature_list" : "context";
    attrs["N" + group + (is_sparse ? "_sparse" : "_dense")] = 1;
    attrs[is_sparse ? group + "_sparse_types" : is_list ? "feature_list_dense_types" : "Tcontext_dense"] = integers;
    if (!is_sparse) attrs[group + "_dense_shapes"] = none;
    std::vector<Tensor> inputs = {MakeScalar(bytes), Tensor(DType::kString, {0}), MakeScalar<std::string>("p")};
    if (!is_list && !is_sparse) inputs.emplace_back(DType::kInt64, Shape{0});
    inputs.push_back(MakeScalar<std::string>("name"));
    return CodeOf("ParseSingleSequenceExample", inputs, attrs);
  };
  for (const bool is_list : {false, true}) {
    const std::string no_kind = is_list ? ListOf(Field(1, "")) : ContextOf("");
    const std::string empty = is_list ? ListOf(Field(1, Field(3, ""))) : ContextOf(Field(3, ""));
    EXPECT_EQ(code(no_kind, is_list, true), Code::kOk) << is_list;
    EXPECT_EQ(code(no_kind, is_list, false), Code::kInvalidArgument) << is_list;
    EXPECT_EQ(code(empty, is_list, false), Code::kOk) << is_list;
  }
}

TEST_P(SingleOps, RefuseARowOfTwoBytesThatSaysItHasValues) {
  const auto code = [&](const std::string& row) {
    const Tensor none(DType::kString, {0}), p = MakeVector<std::string>({"p"});
    return CodeOf("ParseSequenceExampleV2",
                  {MakeVector<std::string>({ListOf(Field(1, row))}), none, none, none, none, none, none, p,
                   Tensor(DType::kBool, {0})},
                  {{"feature_list_ragged_value_types", std::vector<DType>{DType::kFloat}},
                   {"feature_list_ragged_split_types", std::vector<DType>{DType::kInt64}}});
  };
  EXPECT_EQ(code(""), Code::kOk);
  EXPECT_EQ(code(Field(2, "")), Code::kOk);
  EXPECT_EQ(code("\x12\x02"), Code::kInvalidArgument);
  EXPECT_EQ(code(Field(3, "")), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb

// Which ops hand on what they get where there is nothing to do, an alias of a variable's buffer too, on both sides as
// TensorFlow answers (rules R31–R33).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "conformance/suites/alias_steps_testing.h"
#include "conformance/suites/variants.h"
#include "spec/ops/traits.h"

namespace plumb::conformance {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;

struct Handed {
  std::string op;
  std::vector<std::string> inputs;
  AttrMap attrs = {};
  Shape shape = {2, 1};  // of the variable
  std::string output = ":0";
  DType dtype = DType::kFloat;  // of the variable
};

// What the op's output shows when the step is over in which the variable was written after the op.
std::vector<float> Shown(std::string_view backend, const Handed& handed) {
  Steps steps(backend, handed.shape, handed.dtype);
  steps.Constant("zero", MakeScalar<int32_t>(0));
  steps.Constant("zeros", MakeVector<int32_t>({0, 0}));
  steps.Constant("once", MakeVector<int32_t>({1, 1}));
  steps.Constant("own_shape", MakeVector<int32_t>({2, 1}));
  steps.Constant("other_shape", MakeVector<int32_t>({1, 2}));
  steps.Constant("sizes", MakeVector<int64_t>({1, 1}));
  steps.Constant("a_row", MakeVector<int32_t>({1, 16}));
  steps.Constant("no_truths", Zeros(DType::kBool, {0}));
  steps.Constant("no_truths_of_2", Zeros(DType::kBool, {2}));
  steps.Constant("no_margins", Zeros(DType::kInt32, {2, 2}));
  steps.Constant("no_margins_of_1", Zeros(DType::kInt32, {1, 2}));
  steps.Constant("no_margins_of_0", Zeros(DType::kInt32, {0, 2}));
  steps.Constant("margins", MakeTensor<int32_t>({2, 2}, {0, 1, 0, 0}));
  steps.Constant("no_axes", Zeros(DType::kInt32, {0}));
  steps.Constant("in_order", MakeVector<int32_t>({0, 1}));
  steps.Constant("in_turn", MakeVector<int32_t>({1, 0}));
  steps.Constant("block", MakeVector<int32_t>({1}));
  steps.Constant("true", MakeScalar(true));
  steps.Constant("false", MakeScalar(false));
  steps.Constant("true_false", MakeTensor<bool>({2, 1}, {true, false}));
  steps.Constant("minus_one", MakeScalar<int32_t>(-1));
  steps.Constant("one", MakeScalar<int32_t>(1));
  steps.Constant("two", MakeScalar<int32_t>(2));
  steps.Constant("eight", Filled(handed.dtype, {}, 8));
  steps.Constant("rising", MakeTensor<int64_t>({2, 2}, {0, 3, 1, 0}));
  steps.Constant("falling", MakeTensor<int64_t>({2, 2}, {1, 0, 0, 3}));
  steps.Constant("repeated", MakeTensor<int64_t>({2, 2}, {1, 0, 1, 0}));
  steps.Constant("extents", MakeVector<int64_t>({2, 4}));
  steps.Constant("small_extents", MakeVector<int64_t>({2, 3}));
  steps.Add("y", handed.op, handed.inputs, handed.attrs);
  steps.Add("write_later", "Assign", {"v", "nines", "^y"});
  return steps.Fetch("y" + handed.output, {"write_later"});
}

const Shape kAligned = {2, 16};  // rows of 64 bytes
const AttrMap kBand = {{"Tindex", DType::kInt32}}, kMirror = {{"mode", "SYMMETRIC"}};
AttrMap OfEquation(const char* equation) { return {{"equation", equation}, {"N", 1}}; }

constexpr DType kFloat = DType::kFloat;

std::vector<Handed> WithNothingToDo() {
  const AttrMap check = {{"message", "v"}};
  return {
      {"Identity", {"v"}},
      {"StopGradient", {"v"}},
      {"PreventGradient", {"v"}},
      {"IdentityN", {"v"}, {{"T", std::vector{kFloat}}}},
      {"GuaranteeConst", {"v"}},
      {"EnsureShape", {"v"}, {{"shape", PartialShape({2, -1})}}},
      {"PlaceholderWithDefault", {"v"}, {{"dtype", kFloat}, {"shape", PartialShape({2, 1})}}},
      {"Print", {"v"}, {{"U", std::vector<DType>()}}},
      {"CheckNumerics", {"v"}, check},
      {"CheckNumericsV2", {"v"}, check},
      {"Bitcast", {"v"}, {{"type", kFloat}}},
      {"Bitcast", {"v"}, {{"type", DType::kUint32}}, {2, 1}, ":0", DType::kInt32},
      {"Cast", {"v"}, {{"SrcT", kFloat}, {"DstT", kFloat}}},
      {"AddN", {"v"}, {{"N", 1}}},
      {"Reshape", {"v", "other_shape"}},
      {"ExpandDims", {"v", "one"}},
      {"Squeeze", {"v"}},
      {"Pack", {"v"}, {{"N", 1}}},
      {"Unpack", {"v"}, {{"num", 2}}, kAligned, ":1"},
      {"Tile", {"v", "once"}},
      {"BroadcastTo", {"v", "own_shape"}},
      {"Split", {"zero", "v"}, {{"num_split", 2}}, kAligned, ":1"},
      {"SplitV", {"v", "sizes", "zero"}, {{"num_split", 2}}, kAligned, ":1"},
      {"Slice", {"v", "zeros", "own_shape"}, {{"Index", DType::kInt32}}},
      {"Slice", {"v", "zeros", "a_row"}, {{"Index", DType::kInt32}}, kAligned},
      {"StridedSlice", {"v", "zeros", "own_shape", "once"}, {{"Index", DType::kInt32}}},
      {"StridedSlice", {"v", "zeros", "a_row", "once"}, {{"Index", DType::kInt32}}, kAligned},
      {"Transpose", {"v", "in_order"}},
      {"Transpose", {"v", "in_turn"}},
      {"Reverse", {"v", "no_truths"}, {}, {}},
      {"Sum", {"v", "one"}},
      {"Mean", {"v", "one"}},
      {"Prod", {"v", "one"}},
      {"Max", {"v", "one"}},
      {"Min", {"v", "one"}},
      {"All", {"v", "one"}, {}, {2, 1}, ":0", DType::kBool},
      {"Any", {"v", "one"}, {}, {2, 1}, ":0", DType::kBool},
      {"SparseReshape", {"v", "extents", "extents"}, {}, {1, 2}, ":0", DType::kInt64},
      {"Pad", {"v", "no_margins"}},
      {"Pad", {"v", "no_margins_of_0"}, {}, {}},
      {"PadV2", {"v", "no_margins", "eight"}},
      {"MirrorPad", {"v", "no_margins"}, kMirror},
      {"MirrorPadGrad", {"v", "no_margins"}, kMirror},
      {"Select", {"true", "v", "ones"}},
      {"Select", {"false", "ones", "v"}},
      {"MatrixBandPart", {"v", "minus_one", "one"}, kBand},  // all below, as many above as there are columns
      {"MatrixBandPart", {"v", "two", "minus_one"}, kBand},
      {"SpaceToBatchND", {"v", "block", "no_margins_of_1"}},
      {"BatchToSpaceND", {"v", "block", "no_margins_of_1"}},
      {"ReverseV2", {"v", "no_axes"}, {}, {}},
      {"RandomShuffle", {"v"}, {}, {1, 2}},
      {"SparseReorder", {"rising", "v", "extents"}, {}, {2}, ":1"},
      {"SparseFillEmptyRows", {"rising", "v", "extents", "eight"}, {}, {2}, ":1"},
      {"Einsum", {"v"}, OfEquation("ab->ab")},
      {"Einsum", {"v"}, OfEquation("...a->...a")},
  };
}

std::vector<Handed> WithSomethingToDo() {
  return {
      {"MirrorPad", {"v", "margins"}, kMirror},
      // Pieces begin and end at multiples of 64 bytes where they are handed on.
      {"Unpack", {"v"}, {{"num", 2}}, {2, 1}, ":1"},
      {"Split", {"zero", "v"}, {{"num_split", 2}}, {2, 1}, ":1"},
      {"SplitV", {"v", "sizes", "zero"}, {{"num_split", 2}}, {2, 1}, ":1"},
      {"Slice", {"v", "zeros", "once"}, {{"Index", DType::kInt32}}},
      {"StridedSlice", {"v", "zeros", "once", "once"}, {{"Index", DType::kInt32}}},
      {"Reverse", {"v", "no_truths_of_2"}},
      {"Select", {"true_false", "v", "ones"}},
      {"SelectV2", {"true", "v", "ones"}},
      {"MatrixBandPart", {"v", "one", "minus_one"}, kBand},  // one below is all there is, too
      {"ReverseV2", {"v", "no_axes"}},
      {"RandomShuffle", {"v"}},
      {"ConjugateTranspose", {"v", "in_order"}},
      {"SparseReorder", {"falling", "v", "extents"}, {}, {2}, ":1"},
      {"SparseReorder", {"repeated", "v", "extents"}, {}, {2}, ":1"},
      {"SparseReorder", {"rising", "v", "small_extents"}, {}, {2}, ":1"},
      {"SparseFillEmptyRows", {"falling", "v", "extents", "eight"}, {}, {2}, ":1"},
      {"Einsum", {"v"}, OfEquation("ab->ba")},
      {"Einsum", {"v"}, OfEquation("a...->a...")},
  };
}

// The same of a type whose elements are read and written under their variable's lock (R33); nothing where the op does
// not take it.
std::optional<Handed> Wide(Handed handed) {
  const OpDef& op = *FindOp(handed.op);
  const AttrDef* attr = nullptr;
  for (const char* const name : {"T", "dtype", "SrcT"}) attr = attr == nullptr ? op.FindAttr(name) : attr;
  if (handed.dtype != kFloat || attr == nullptr) return std::nullopt;
  const std::vector<DType> types = DeclaredTypes(op, *attr);
  if (std::find(types.begin(), types.end(), DType::kComplex128) == types.end()) return std::nullopt;
  handed.dtype = DType::kComplex128;
  for (auto& [name, value] : handed.attrs) {
    if (value == AttrValue(kFloat)) value = handed.dtype;
    if (value == AttrValue(std::vector{kFloat})) value = std::vector{handed.dtype};
  }
  return handed;
}

// Each, and where the op takes it each of complex128.
std::vector<Handed> AlsoWide(const std::vector<Handed>& all) {
  std::vector<Handed> both = all;
  for (const Handed& handed : all) {
    const std::optional<Handed> wide = Wide(handed);
    if (wide.has_value()) both.push_back(*wide);
  }
  return both;
}

class HandedAliases : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Backends, HandedAliases, ::testing::Values("reference", "cpu"));

TEST_P(HandedAliases, AreHandedOnWhereThereIsNothingToDo) {
  std::set<std::string> tried;
  for (const Handed& handed : AlsoWide(WithNothingToDo())) {
    tried.insert(handed.op);
    EXPECT_THAT(Shown(GetParam(), handed), AllOf(Not(IsEmpty()), Each(WrittenTo(handed.dtype))))
        << handed.op << " of " << DTypeName(handed.dtype);
  }
  for (const OpDef* const op : AllOps()) {
    const bool is_tried = tried.contains(op->name) || op->deprecated.version > 0;
    EXPECT_LE(Has(*op, Trait::kHandsOn), is_tried) << op->name;
  }
}

TEST_P(HandedAliases, AreReadWhereThereIsSomethingToDo) {
  for (const Handed& handed : AlsoWide(WithSomethingToDo())) {
    EXPECT_THAT(Shown(GetParam(), handed), AllOf(Not(IsEmpty()), Each(1)))
        << handed.op << " of " << DTypeName(handed.dtype);
  }
}

}  // namespace
}  // namespace plumb::conformance

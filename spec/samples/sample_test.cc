#include "spec/samples/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "spec/ops/shape_test_context.h"

namespace plumb {
namespace {

// Assignments of types to the op's type attributes: for each attribute in turn, every type it allows, while the others
// take their first.
std::vector<AttrMap> TypeChoices(const OpDef& op) {
  AttrMap first;
  std::vector<AttrMap> choices;
  const std::vector<DType> any = {DType::kFloat, DType::kInt32, DType::kBool, DType::kComplex64};
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType || attr.is_list) continue;
    first.emplace(attr.name, attr.allowed_types.empty() ? any.front() : attr.allowed_types.front());
  }
  choices.push_back(first);
  for (const auto& [name, unused] : first) {
    const AttrDef& attr = *op.FindAttr(name);
    for (const DType type : attr.allowed_types.empty() ? any : attr.allowed_types) {
      AttrMap choice = first;
      choice.insert_or_assign(name, type);
      choices.push_back(choice);
    }
  }
  return choices;
}

std::vector<PartialShape> ShapesOf(const OpDef& op, const SampledCase& sample) {
  std::vector<PartialShape> shapes;
  for (const Tensor& input : sample.inputs) {
    shapes.push_back(input.IsSet() ? PartialShape(input.shape()) : PartialShape::Unknown());
  }
  // A resource is a scalar handle, whatever its variable holds.
  for (size_t a = 0; a < op.inputs.size() && a < shapes.size(); ++a) {
    if (op.inputs[a].type == DType::kResource) shapes[a] = Shape();
  }
  return shapes;
}

// Their rules refuse a graph that does not know the shapes of some inputs.
const std::set<std::string_view> kNeedShapes = {"BatchToSpaceND", "ParallelConcat", "SpaceToBatchND"};

// Their rules refuse a graph that does not know the value of a shape which is a scalar.
const std::map<std::string_view, int> kNeedScalarShapes = {{"RaggedTensorToTensor", 0},
                                                           {"TensorListFromTensor", 1},
                                                           {"TensorListScatter", 2},
                                                           {"TensorListScatterV2", 2},
                                                           {"TensorListStack", 1}};

// With the shapes of all inputs, and no more values than the rule cannot do without.
std::vector<PartialShape> VagueShapes(const OpDef& op, const SampledCase& sample) {
  const auto shapes = ShapesOf(op, sample);
  const auto needed = kNeedScalarShapes.find(op.name);
  if (needed == kNeedScalarShapes.end()) return InferShapes(TestShapeContext(op, shapes, sample.attrs));
  const Tensor& shape = sample.inputs.at(static_cast<size_t>(needed->second));
  if (shape.rank() > 0) return InferShapes(TestShapeContext(op, shapes, sample.attrs));
  EXPECT_THROW(InferShapes(TestShapeContext(op, shapes, sample.attrs)), Error) << op.name << ": " << sample.label;
  return InferShapes(TestShapeContext(op, shapes, sample.attrs, {{needed->second, shape}}));
}

// Without any shapes.
std::vector<PartialShape> BlankShapes(const OpDef& op, const SampledCase& sample) {
  const TestShapeContext nothing(op, std::vector<PartialShape>(sample.inputs.size()), sample.attrs);
  if (!kNeedShapes.contains(op.name)) return InferShapes(nothing);
  EXPECT_THROW(InferShapes(nothing), Error) << op.name << ": " << sample.label;
  return std::vector<PartialShape>(static_cast<size_t>(nothing.num_outputs()));
}

TEST(Sample, EveryCaseIsAcceptedByTheShapeRules) {
  for (const OpDef* op : AllOps()) {
    if (!CanSample(*op)) continue;
    for (const AttrMap& types : TypeChoices(*op)) {
      for (const SampledCase& sample : SampleInputs(*op, types, 1)) {
        std::map<int, Tensor> constants;
        for (size_t i = 0; i < sample.inputs.size(); ++i) {
          if (sample.inputs[i].IsSet()) constants.emplace(static_cast<int>(i), sample.inputs[i]);
        }
        const auto shapes = ShapesOf(*op, sample);
        const TestShapeContext with_values(*op, shapes, sample.attrs, constants);
        try {
          const auto precise = InferShapes(with_values);
          const auto vague = VagueShapes(*op, sample);
          const auto blank = BlankShapes(*op, sample);
          ASSERT_EQ(precise.size(), vague.size()) << op->name;
          ASSERT_EQ(precise.size(), blank.size()) << op->name;
          for (size_t i = 0; i < precise.size(); ++i) {
            EXPECT_TRUE(precise[i].IsCompatibleWith(vague[i])) << op->name << ": " << sample.label;
            EXPECT_TRUE(precise[i].IsCompatibleWith(blank[i])) << op->name << ": " << sample.label;
          }
        } catch (const Error& error) {
          ADD_FAILURE() << op->name << ": " << sample.label << ": " << error.what();
        }
      }
    }
  }
}

TEST(Sample, WhatCannotBeTriedSaysWhy) {
  for (const OpDef* op : AllOps()) {
    if (CanSample(*op)) continue;
    ASSERT_EQ(op->samples.size(), 1u) << op->name;
    EXPECT_TRUE(op->samples[0].starts_with("-: ")) << op->name << ": '" << op->samples[0] << "'";
  }
}

TEST(Sample, WhatKernelsDoCanBeTried) {
  std::set<std::string> untried;
  for (const OpDef* op : AllOps()) {
    if (op->kind == OpKind::kKernel && !CanSample(*op)) untried.insert(op->name);
  }
  EXPECT_EQ(untried, (std::set<std::string>{"Abort", "BoostedTreesCreateEnsemble",
                                            "BoostedTreesCreateQuantileStreamResource", "CollectiveBcastRecv",
                                            "NonDeterministicInts", "Timestamp", "_DeviceRetval", "_Retval"}))
      << "its row says why; of the others, only the executor's";
}

TEST(Sample, TheSeedDecides) {
  const AttrMap types = {{"T", DType::kFloat}};
  const auto a = SampleInputs(GetOp("Add"), types, 5);
  const auto b = SampleInputs(GetOp("Add"), types, 5);
  const auto other = SampleInputs(GetOp("Add"), types, 6);
  ASSERT_EQ(a.size(), b.size());
  bool differs = false;
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].label, b[i].label);
    EXPECT_TRUE(a[i].inputs[0].BitwiseEquals(b[i].inputs[0]));
    differs |= !a[i].inputs[0].BitwiseEquals(other[i].inputs[0]);
  }
  EXPECT_TRUE(differs);
}

struct Seen {
  bool nan = false, infinity = false, negative_zero = false, subnormal = false, empty = false, scalar = false;
};

Seen LookAt(std::string_view op) {
  Seen seen;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    for (const SampledCase& sample : SampleInputs(GetOp(op), {{"T", DType::kFloat}}, seed)) {
      seen.empty |= sample.inputs[0].elements() == 0;
      seen.scalar |= sample.inputs[0].rank() == 0;
      for (const float x : sample.inputs[0].data<float>()) {
        seen.nan |= std::isnan(x);
        seen.infinity |= std::isinf(x);
        seen.negative_zero |= x == 0 && std::signbit(x);
        seen.subnormal |= std::fpclassify(x) == FP_SUBNORMAL;
      }
    }
  }
  return seen;
}

TEST(Sample, SpecialValuesAppearWhereTheyAreAllowed) {
  const Seen free = LookAt("Abs");
  EXPECT_TRUE(free.nan && free.infinity && free.negative_zero && free.subnormal && free.empty && free.scalar);
  const Seen finite = LookAt("CheckNumerics");
  EXPECT_FALSE(finite.nan || finite.infinity);
  EXPECT_TRUE(finite.empty);
}

OpDef Row(const char* signature, const char* attrs, std::vector<const char*> samples) {
  return ParseOpRow({.signature = signature, .attrs = attrs, .samples = std::move(samples)});
}

TEST(Sample, ConstantsMayNameSizes) {
  const OpDef op = Row("F(a: float32, b: int32, c: int64) -> ()", "", {"[m 3] {{m, 1}, {2, 3}} -1"});
  for (const SampledCase& sample : SampleInputs(op, {}, 3)) {
    const int64_t m = sample.inputs[0].dim(0);
    EXPECT_EQ(sample.inputs[0].shape(), Shape({m, 3}));
    EXPECT_TRUE(sample.inputs[1].BitwiseEquals(MakeTensor<int32_t>({2, 2}, {static_cast<int32_t>(m), 1, 2, 3})));
    EXPECT_TRUE(sample.inputs[2].BitwiseEquals(MakeScalar<int64_t>(-1)));
  }
}

TEST(Sample, SaysWhichInputsMayBeOthers) {
  const OpDef op = Row("F(a: T, b: T, c: T, d: int32, e: int32, f: int32) -> ()", "T: type",
                       {"[m] [m] finite [m] nonzero [n] in 0..3 {1, 2} [n] permutation"});
  using enum Freedom;
  for (const SampledCase& sample : SampleInputs(op, {{"T", DType::kFloat}}, 1)) {
    EXPECT_EQ(sample.freedoms, (std::vector<Freedom>{kAny, kFinite, kAny, kThis, kThis, kThis})) << sample.label;
  }
  for (const SampledCase& sample : SampleInputs(op, {{"T", DType::kInt32}}, 1)) {
    EXPECT_EQ(sample.freedoms, (std::vector<Freedom>{kAny, kFinite, kThis, kThis, kThis, kThis})) << sample.label;
  }
}

TEST(Sample, RangesAndWordsHold) {
  const OpDef op = Row("F(a: int32, b: int32, c: int64, d: float32) -> ()", "",
                       {"[9] in 2..5 [9] nonzero [9] permutation [N] positive"});
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (const SampledCase& sample : SampleInputs(op, {}, seed)) {
      for (const int32_t x : sample.inputs[0].data<int32_t>()) EXPECT_TRUE(x >= 2 && x < 5) << x;
      for (const int32_t x : sample.inputs[1].data<int32_t>()) EXPECT_NE(x, 0);
      std::vector<int64_t> sorted = ToInt64s(sample.inputs[2]);
      std::sort(sorted.begin(), sorted.end());
      for (size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], static_cast<int64_t>(i));
      EXPECT_GE(sample.inputs[3].elements(), 1);
      for (const float x : sample.inputs[3].data<float>()) EXPECT_GT(x, 0);
    }
  }
}

TEST(Sample, AlternativesAreForTheTypesTheyName) {
  const OpDef op =
      Row("F(a: T) -> ()", "T: type; axis: int = 0", {"T in [ints]: [2]", "T in [floats] axis=1/2: [3]", "[4]"});
  const auto shapes = [&](DType type) {
    std::vector<int64_t> sizes;
    for (const SampledCase& sample : SampleInputs(op, {{"T", type}}, 1)) sizes.push_back(sample.inputs[0].dim(0));
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
  };
  EXPECT_EQ(shapes(DType::kInt8), (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(shapes(DType::kHalf), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(shapes(DType::kString), (std::vector<int64_t>{4}));
}

TEST(Sample, TypesThatNobodyGivesAreCommonOnes) {
  const auto cases = SampleInputs(GetOp("GatherV2"), {{"Tparams", DType::kInt8}}, 1);
  ASSERT_FALSE(cases.empty());
  EXPECT_EQ(cases[0].inputs[0].dtype(), DType::kInt8);
  EXPECT_EQ(cases[0].inputs[1].dtype(), DType::kInt32);
  EXPECT_EQ(SampleInputs(GetOp("Cast"), {{"DstT", DType::kHalf}}, 1)[0].inputs[0].dtype(), DType::kFloat);
  EXPECT_EQ(SampleInputs(GetOp("Where"), {}, 1)[0].inputs[0].dtype(), DType::kBool);  // its default
}

TEST(Sample, ListsGiveOneInputForEachValue) {
  const OpDef op = Row("F(a: float32*N, b: int32) -> ()", "N: int", {"([2] [k 3]) [k]"});
  const auto cases = SampleInputs(op, {}, 1);
  ASSERT_FALSE(cases.empty());
  ASSERT_EQ(cases[0].inputs.size(), 3u);
  EXPECT_EQ(GetAttr<int64_t>(cases[0].attrs, "N"), 2);
  EXPECT_EQ(cases[0].inputs[1].dim(0), cases[0].inputs[2].dim(0));
}

TEST(Sample, ConstantsMayBeTextsAndBytes) {
  const OpDef op = Row("F(a: string, b: string) -> ()", "", {"{'a', 'it\\'s'} x'00ff'"});
  const auto cases = SampleInputs(op, {}, 1);
  ASSERT_FALSE(cases.empty());
  EXPECT_TRUE(cases[0].inputs[0].BitwiseEquals(MakeVector<std::string>({"a", "it's"})));
  EXPECT_TRUE(cases[0].inputs[1].BitwiseEquals(MakeScalar<std::string>(std::string("\0\xff", 2))));
}

TEST(Sample, SortedRowsAscendAndDiffer) {
  const OpDef op = Row("F(a: int64) -> ()", "", {"[6 2] in 0..4 sorted"});
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor rows = SampleInputs(op, {}, seed)[0].inputs[0];
    const auto at = [&](int64_t row) {
      return std::pair(rows.data<int64_t>()[2 * row], rows.data<int64_t>()[2 * row + 1]);
    };
    for (int64_t row = 1; row < 6; ++row) EXPECT_LT(at(row - 1), at(row));
  }
  EXPECT_THROW(SampleInputs(Row("F(a: int64) -> ()", "", {"[6] in 0..4 sorted"}), {}, 1), Error);
  try {
    SampleInputs(Row("F(a: float32) -> ()", "", {"[6] permutation"}), {}, 1);
    ADD_FAILURE() << "a permutation of fractions";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
  }
}

TEST(Sample, AScenarioHasNodesBeforeAndAfter) {
  const OpDef op = Row("F(handle: resource<Stack>, x: T) -> (y: T)", "T: type",
                       {"s = StackV2 elem_type=$T: -1; s [a 2]; p = StackPopV2 elem_type=$T: s"});
  const auto cases = SampleInputs(op, {{"T", DType::kInt16}}, 1);
  ASSERT_FALSE(cases.empty());
  const SampledCase& sample = cases[0];
  ASSERT_EQ(sample.before.size(), 1u);
  EXPECT_FALSE(sample.StandsAlone());
  EXPECT_EQ(sample.before[0].op->name, "StackV2");
  EXPECT_EQ(GetAttr<DType>(sample.before[0].attrs, "elem_type"), DType::kInt16);
  EXPECT_FALSE(sample.inputs[0].IsSet());
  EXPECT_EQ(sample.from.at(0).node, "s");
  EXPECT_EQ(sample.inputs[1].dtype(), DType::kInt16);
  ASSERT_EQ(sample.after.size(), 1u);
  EXPECT_EQ(std::get<SampledOutput>(sample.after[0].inputs[0]).node, "s");
  EXPECT_THROW(SampleInputs(Row("F(x: float32) -> ()", "", {"[2]; [3]"}), {}, 1), Error);
  EXPECT_THROW(SampleInputs(Row("F(x: float32) -> ()", "", {"later; later = StackV2: 1"}), {}, 1), Error);
}

TEST(Sample, MistakesAreNamedWithTheirPosition) {
  try {
    SampleInputs(Row("F(a: float32) -> ()", "", {"[2] sideways"}), {}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    EXPECT_NE(error.status().message().find("character 5"), std::string::npos) << error.what();
  }
  EXPECT_THROW(SampleInputs(Row("F(a: float32) -> ()", "", {"[2] [3]"}), {}, 1), Error);
  EXPECT_THROW(SampleInputs(Row("F(a: float32) -> ()", "", {"axis=1: [2]"}), {}, 1), Error);
}

// Names in capitals are at least 1; of a name that stands for several sizes, one is 0.
TEST(EmptySamples, EachSizeThatMayBeZeroIsZeroByItself) {
  const OpDef op = Row("F(a: float32, b: float32, c: float32) -> ()", "", {"[r... n] [C n m] [n m]", "[2] [C] [C]"});
  const auto cases = SampleEmptyInputs(op, {}, 1);
  ASSERT_EQ(cases.size(), 3u);
  const auto zeros = [&](size_t name, size_t input) {
    const auto dims = cases[name].inputs[input].shape().ToVector();
    return std::count(dims.begin(), dims.end(), 0);
  };
  EXPECT_EQ(zeros(0, 0), 1);
  EXPECT_NE(cases[0].inputs[0].shape().ToVector().back(), 0);
  EXPECT_EQ(zeros(0, 1) + zeros(0, 2), 0);
  for (const size_t name : {1, 2}) {
    for (const SampledCase& sampled : cases) EXPECT_GE(sampled.inputs[1].dim(0), 1) << sampled.label;
    EXPECT_EQ(cases[name].inputs[1].dim(name), 0) << cases[name].label;
    EXPECT_EQ(zeros(name, 0), name == 1 ? 1 : 0);
    EXPECT_EQ(zeros(name, 1), 1);
    EXPECT_EQ(zeros(name, 2), 1);
  }
}

TEST(LargeSamples, TheProductOfTheSizesIsNearTheVolume) {
  const OpDef& matmul = GetOp("MatMul");
  const int64_t volume = 1 << 20;
  const auto cases = SampleLargeInputs(matmul, {{"T", DType::kFloat}}, 1, volume);
  ASSERT_GE(cases.size(), 4u);  // every alternative with free sizes
  for (const SampledCase& sampled : cases) {
    const bool turned = GetAttr<bool>(sampled.attrs, "transpose_a");
    const Shape &a = sampled.inputs[0].shape(), &b = sampled.inputs[1].shape();
    const int64_t products = a.elements() * (b.elements() / a.dim(turned ? 0 : 1));
    EXPECT_GE(products, volume / 8) << sampled.label;
    EXPECT_LE(products, volume * 64) << sampled.label;
  }
}

TEST(LargeSamples, SeedsGiveOtherProportions) {
  const auto shape_of = [](uint64_t seed) {
    return SampleLargeInputs(GetOp("MatMul"), {{"T", DType::kFloat}}, seed, 1 << 20)[0].inputs[0].shape().ToString();
  };
  EXPECT_EQ(shape_of(1), shape_of(1));
  EXPECT_NE(shape_of(1), shape_of(2));
}

}  // namespace
}  // namespace plumb

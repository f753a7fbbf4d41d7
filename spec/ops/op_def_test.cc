#include "spec/ops/op_def.h"

#include <gtest/gtest.h>

#include "spec/ops/attr_notation.h"
#include "spec/ops/listing.h"
#include "spec/ops/shape_test_context.h"

namespace plumb {
namespace {

OpDef Parse(const char* signature, const char* attrs = "") {
  return ParseOpRow({.signature = signature, .attrs = attrs});
}

std::string MessageOf(const char* signature, const char* attrs = "") {
  try {
    Parse(signature, attrs);
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    return error.what();
  }
  return "";
}

TEST(OpRow, ArgumentsHaveAFixedTypeOrOneFromAnAttribute) {
  const OpDef op = Parse("F(a: T, b: int64, c: T*N, d: list(Ts), e: ref T) -> (y: string*M)",
                         "T: type; N: int; M: int >= 0; Ts: list(type)");
  EXPECT_EQ(op.name, "F");
  ASSERT_EQ(op.inputs.size(), 5u);
  EXPECT_EQ(op.inputs[0].type_attr, "T");
  EXPECT_EQ(op.inputs[1].type, DType::kInt64);
  EXPECT_EQ(op.inputs[1].type_attr, "");
  EXPECT_EQ(op.inputs[2].number_attr, "N");
  EXPECT_EQ(op.inputs[3].type_list_attr, "Ts");
  EXPECT_TRUE(op.inputs[4].is_ref);
  EXPECT_FALSE(op.inputs[0].is_ref);
  ASSERT_EQ(op.outputs.size(), 1u);
  EXPECT_EQ(op.outputs[0].type, DType::kString);
  EXPECT_EQ(op.outputs[0].number_attr, "M");
}

TEST(OpRow, CountsAndTypeListsHaveAMinimumOfOneUnlessTheySayTheirs) {  // rule A5
  const OpDef op = Parse("F(a: T*N, b: T*M, c: list(Ts), d: list(Us)) -> ()",
                         "T: type; N: int; M: int >= 0; Ts: list(type); Us: list(type) >= 0; k: int");
  EXPECT_EQ(op.FindAttr("N")->minimum, 1);
  EXPECT_EQ(op.FindAttr("M")->minimum, 0);
  EXPECT_EQ(op.FindAttr("Ts")->minimum, 1);
  EXPECT_EQ(op.FindAttr("Us")->minimum, 0);
  EXPECT_FALSE(op.FindAttr("k")->minimum.has_value());
}

TEST(OpRow, AnAttributeNameWinsOverATypeName) {
  const OpDef op = Parse("F(a: string) -> ()", "string: type");
  EXPECT_EQ(op.inputs[0].type_attr, "string");
}

TEST(OpRow, FlagsFollowTheOutputs) {
  const OpDef none = Parse("F() -> ()");
  EXPECT_FALSE(none.is_stateful || none.is_commutative || none.is_aggregate || none.allows_uninitialized_input);
  const OpDef all = Parse("F() -> () stateful commutative aggregate allows_uninitialized_input");
  EXPECT_TRUE(all.is_stateful && all.is_commutative && all.is_aggregate && all.allows_uninitialized_input);
}

TEST(OpRow, DefaultsHaveTheKindOfTheirAttribute) {
  const OpDef op = Parse("F() -> ()",
                         "a: string = 'x;\\'y\\n'; b: int = -3; c: float = 9.99999975e-05; d: bool = true; e: type = "
                         "int32; f: shape = [2, ?]; g: shape = ?; h: list(int) = [1, 2]; i: list(string) = []; j: "
                         "list(type) = [float32]; k: shape = []");
  const auto value = [&](const char* name) { return *op.FindAttr(name)->default_value; };
  EXPECT_EQ(value("a"), AttrValue("x;'y\n"));
  EXPECT_EQ(value("b"), AttrValue(int64_t{-3}));
  EXPECT_EQ(value("c"), AttrValue(9.99999975e-05f));
  EXPECT_EQ(value("d"), AttrValue(true));
  EXPECT_EQ(value("e"), AttrValue(DType::kInt32));
  EXPECT_EQ(value("f"), AttrValue(PartialShape{2, -1}));
  EXPECT_EQ(value("g"), AttrValue(PartialShape::Unknown()));
  EXPECT_EQ(value("h"), AttrValue(std::vector<int64_t>{1, 2}));
  EXPECT_EQ(value("i"), AttrValue(std::vector<std::string>{}));
  EXPECT_EQ(value("j"), AttrValue(std::vector<DType>{DType::kFloat}));
  EXPECT_EQ(value("k"), AttrValue(PartialShape(Shape())));
}

TEST(OpRow, SetsOfTypesAreWrittenOut) {
  const OpDef op = Parse("F() -> ()", "T: type in [floats, complexes, string]; p: string in ['SAME', 'VALID']");
  using enum DType;
  EXPECT_EQ(op.FindAttr("T")->allowed_types,
            (std::vector{kHalf, kBfloat16, kFloat, kDouble, kComplex64, kComplex128, kString}));
  EXPECT_EQ(op.FindAttr("p")->allowed_strings, (std::vector<std::string>{"SAME", "VALID"}));
  EXPECT_EQ(FindTypeSet("numbers")->size(), 14u);
  EXPECT_EQ(FindTypeSet("T"), nullptr);
}

TEST(OpRow, MinimumAndDefaultComeInAnyOrder) {
  const OpDef op = Parse("F() -> ()", "a: list(int) = [] >= 0; b: int >= 2 = 5");
  EXPECT_EQ(op.FindAttr("a")->minimum, 0);
  EXPECT_EQ(op.FindAttr("b")->minimum, 2);
  EXPECT_EQ(op.FindAttr("b")->default_value, AttrValue(int64_t{5}));
}

TEST(OpRow, MistakesAreNamedWithTheirPosition) {
  EXPECT_NE(MessageOf("F(a: T) -> ()").find("character 7: 'T' is neither an element type"), std::string::npos)
      << MessageOf("F(a: T) -> ()");
  EXPECT_NE(MessageOf("F(a: float32 -> ()").find("character 14"), std::string::npos);
  EXPECT_NE(MessageOf("F() -> () wrong").find("a flag is expected"), std::string::npos);
  EXPECT_NE(MessageOf("F(a: float32*N) -> ()").find("no attribute 'N'"), std::string::npos);
  EXPECT_NE(MessageOf("F() -> ()", "a: integer").find("a kind is expected"), std::string::npos);
  EXPECT_NE(MessageOf("F() -> ()", "a: int = x").find("an integer is expected"), std::string::npos);
  EXPECT_NE(MessageOf("F() -> ()", "a: string = 'x").find("no closing quote"), std::string::npos);
  EXPECT_NE(MessageOf("F() -> ()", "a: type in [reals]").find("'reals'"), std::string::npos);
  EXPECT_NE(MessageOf("F() -> ()", "a: int b: int").find("';' is expected"), std::string::npos);
}

// Hard signatures that the catalogue does not have yet.
constexpr OpRow kEinsum = {.signature = "Einsum(inputs: T*N) -> (output: T)",
                           .attrs = "equation: string; N: int >= 1; T: type",
                           .shape = "? -> ?"};
constexpr OpRow kDequeueMany = {
    .signature = "QueueDequeueManyV2(handle: resource, n: int32) -> (components: list(component_types)) stateful",
    .attrs = "component_types: list(type) >= 1; timeout_ms: int = -1",
    .shape = "[] [] -> ?"};
constexpr OpRow kParseExample = {
    .signature =
        "ParseExample(serialized: string, names: string, sparse_keys: string*Nsparse, dense_keys: "
        "string*Ndense, dense_defaults: list(Tdense)) -> (sparse_indices: int64*Nsparse, sparse_values: "
        "list(sparse_types), sparse_shapes: int64*Nsparse, dense_values: list(Tdense))",
    .attrs =
        "Nsparse: int >= 0; Ndense: int >= 0; sparse_types: list(type) >= 0 in [float32, int64, string]; "
        "Tdense: list(type) >= 0 in [float32, int64, string]; dense_shapes: list(shape) >= 0",
    .shape = "[n] [?] [] [] [d...] -> [? 2] [?] [2] [n d...]"};
constexpr OpRow kSparseConcat = {
    .signature =
        "SparseConcat(indices: int64*N, values: T*N, shapes: int64*N) -> (output_indices: int64, "
        "output_values: T, output_shape: int64)",
    .attrs = "concat_dim: int; N: int >= 2; T: type",
    .shape = "[? r] [?] [r] -> [? r] [?] [r]"};
constexpr OpRow kDecodeJpeg = {.signature = "DecodeJpeg(contents: string) -> (image: uint8)",
                               .attrs =
                                   "channels: int = 0; ratio: int = 1; fancy_upscaling: bool = true; "
                                   "acceptable_fraction: float = 1; dct_method: string = ''",
                               .shape = "[] -> [? ? ?]"};

TEST(HardSignatures, SurviveTheRoundTrip) {
  for (const OpRow& row : {kEinsum, kDequeueMany, kParseExample, kSparseConcat, kDecodeJpeg}) {
    EXPECT_EQ(SignatureText(ParseOpRow(row)), row.signature);
  }
}

std::vector<PartialShape> InferRow(const OpRow& row, std::vector<PartialShape> inputs, AttrMap attrs) {
  const OpDef op = ParseOpRow(row);
  return InferShapes(TestShapeContext(op, std::move(inputs), std::move(attrs)));
}

TEST(HardSignatures, TheirShapesAreInferred) {
  using Shapes = std::vector<PartialShape>;
  const PartialShape scalar = Shape();
  const std::vector<DType> two = {DType::kFloat, DType::kString};
  EXPECT_EQ(InferRow(kEinsum, {{2, 3}, {3, 4}}, {{"N", 2}}), Shapes(1));
  EXPECT_EQ(InferRow(kDequeueMany, {scalar, scalar}, {{"component_types", two}}), Shapes(2));
  EXPECT_EQ(InferRow(kSparseConcat, {{5, 2}, {6, -1}, {5}, {6}, {2}, {-1}}, {{"N", 2}}), (Shapes{{-1, 2}, {-1}, {2}}));
  EXPECT_THROW(InferRow(kSparseConcat, {{5, 2}, {6, 3}, {5}, {6}, {2}, {3}}, {{"N", 2}}), Error);
  EXPECT_EQ(InferRow(kDecodeJpeg, {scalar}, {}), (Shapes{PartialShape::OfRank(3)}));
  const AttrMap parse = {
      {"Nsparse", 2}, {"Ndense", 1}, {"sparse_types", two}, {"Tdense", std::vector<DType>{DType::kFloat}}};
  EXPECT_EQ(InferRow(kParseExample, {{8}, {0}, scalar, scalar, scalar, {3}}, parse),
            (Shapes{{-1, 2}, {-1, 2}, {-1}, {-1}, {2}, {2}, {8, 3}}));
}

// ConcatV2, StridedSlice, Conv2DBackpropInput, BatchMatMulV2, DynamicStitch and SplitV are in shape_rules_*_test.cc.
TEST(HardSignatures, ATensorArrayStacksItsElements) {
  const PartialShape scalar = Shape();
  EXPECT_EQ(Infer("TensorArrayGatherV3", {scalar, {7}, scalar}, {{"element_shape", PartialShape{2, -1}}})[0],
            (PartialShape{7, 2, -1}));
  EXPECT_EQ(Infer("TensorArrayGatherV3", {scalar, {7}, scalar})[0], PartialShape::Unknown());
}

}  // namespace
}  // namespace plumb

#include "spec/graph/proto_io.h"

#include <gtest/gtest.h>

#include <cmath>

#include "spec/core/status_testing.h"
#include "spec/proto/graph.pb.h"
#include "spec/proto/tensor.pb.h"

namespace plumb {
namespace {

template <class Action>
Code CodeOf(const Action& action) {
  return StatusOf(action).code();
}

pb::TensorProto Proto(DType dtype, std::initializer_list<int64_t> dims) {
  pb::TensorProto proto;
  proto.set_dtype(static_cast<pb::DataType>(dtype));
  for (const int64_t dim : dims) proto.mutable_tensor_shape()->add_dim()->set_size(dim);
  return proto;
}

Tensor Decode(const pb::TensorProto& proto) {
  Expansion expansion;
  return FromProto(proto, &expansion);
}
Code DecodeCode(const pb::TensorProto& proto) {
  return CodeOf([&] { Decode(proto); });
}

template <class T>
std::vector<T> Values(const Tensor& tensor) {
  const auto data = tensor.data<T>();
  return {data.begin(), data.end()};
}

// Rule 9.4, from bytes written by hand: dtype 1, shape {dim {size 2}}, content of two floats.
TEST(TensorProto, IsReadFromHandWrittenBytes) {
  const char bytes[] = "\x08\x01\x12\x04\x12\x02\x08\x02\x22\x08\x00\x00\x80\x3f\x00\x00\x00\xc0";
  const Tensor tensor = ParseTensorProto(std::string_view(bytes, sizeof(bytes) - 1));
  EXPECT_TRUE(tensor.BitwiseEquals(MakeVector<float>({1, -2})));
}

TEST(TensorProto, FewerValuesRepeatTheLast) {
  pb::TensorProto proto = Proto(DType::kInt32, {4});
  proto.add_int_val(5);
  proto.add_int_val(7);
  EXPECT_EQ(Values<int32_t>(Decode(proto)), (std::vector<int32_t>{5, 7, 7, 7}));
}

TEST(TensorProto, NoValuesAreZerosAndSurplusIsIgnored) {
  pb::TensorProto proto = Proto(DType::kInt64, {2});
  EXPECT_EQ(Values<int64_t>(Decode(proto)), (std::vector<int64_t>{0, 0}));
  for (int i = 1; i <= 3; ++i) proto.add_int64_val(i);
  EXPECT_EQ(Values<int64_t>(Decode(proto)), (std::vector<int64_t>{1, 2}));
}

TEST(TensorProto, SixteenBitFloatsAreBitPatterns) {
  pb::TensorProto proto = Proto(DType::kHalf, {});
  proto.add_half_val(0x3c00);
  EXPECT_EQ(static_cast<float>(Decode(proto).scalar<Half>()), 1.0f);
  proto.set_dtype(pb::DT_BFLOAT16);
  proto.set_half_val(0, 0xbf80);
  EXPECT_EQ(static_cast<float>(Decode(proto).scalar<BFloat16>()), -1.0f);
}

TEST(TensorProto, ComplexValuesArePairs) {
  pb::TensorProto proto = Proto(DType::kComplex64, {2});
  for (const float part : {1.0f, 2.0f, 3.0f}) proto.add_scomplex_val(part);
  const std::complex<float> first(1, 2);
  EXPECT_EQ(Values<std::complex<float>>(Decode(proto)), (std::vector<std::complex<float>>{first, first}));
}

TEST(TensorProto, ContentMustFillTheShapeExactly) {
  pb::TensorProto proto = Proto(DType::kInt16, {3});
  proto.set_tensor_content(std::string("\1\0\2\0\3", 5));
  EXPECT_EQ(DecodeCode(proto), Code::kInvalidArgument);
  proto.set_tensor_content(std::string("\1\0\2\0\3\0", 6));
  EXPECT_EQ(Values<int16_t>(Decode(proto)), (std::vector<int16_t>{1, 2, 3}));
  proto.set_tensor_content(std::string("\1\0\2\0\3\0\0", 7));
  EXPECT_EQ(DecodeCode(proto), Code::kInvalidArgument);
}

TEST(TensorProto, StringContentIsLengthsThenBytes) {
  pb::TensorProto proto = Proto(DType::kString, {2});
  proto.set_tensor_content(
      "\x01\x02"
      "abc");
  EXPECT_EQ(Values<std::string>(Decode(proto)), (std::vector<std::string>{"a", "bc"}));
  for (const char* bad : {"\x01\x02"
                          "ab",
                          "\x01\x02"
                          "abcd",
                          "\x01", "\xff\xff\xff\xff\xff\xff"}) {
    proto.set_tensor_content(bad);
    EXPECT_EQ(DecodeCode(proto), Code::kInvalidArgument) << bad;
  }
}

TEST(TensorProto, HandlesAndMissingHandles) {
  pb::TensorProto proto = Proto(DType::kResource, {2});
  pb::ResourceHandleProto* handle = proto.add_resource_handle_val();
  handle->set_name("v");
  handle->set_maybe_type_name("Var");
  handle->add_dtypes_and_shapes()->set_dtype(pb::DT_FLOAT);
  const auto handles = Values<ResourceHandle>(Decode(proto));
  EXPECT_EQ(handles[0].name, "v");
  EXPECT_EQ(handles[0].dtype, DType::kFloat);
  EXPECT_EQ(handles[1], ResourceHandle());
}

TEST(TensorProto, ValuesThatNoElementIsForAreLeft) {
  pb::TensorProto proto = Proto(DType::kString, {2});
  for (int i = 0; i < 1000; ++i) proto.add_string_val(Str("text number ", i, ", too long to lie in the string"));
  EXPECT_EQ(Values<std::string>(Decode(proto)), (std::vector<std::string>{proto.string_val(0), proto.string_val(1)}));
}

// Elements are listed where that halves them, because the last one is repeated; else they are written as bytes.
TEST(TensorProto, ListsElementsWhereThatSavesHalf) {
  const auto listed = [](const Tensor& tensor) {
    pb::TensorProto proto;
    EXPECT_TRUE(proto.ParseFromString(SerializeTensorProto(tensor)));
    EXPECT_EQ(proto.tensor_content().empty(), proto.int_val_size() > 0);
    return proto.int_val_size();
  };
  EXPECT_EQ(listed(MakeVector<int32_t>({1, 2, 2, 2})), 2);
  EXPECT_EQ(listed(MakeVector<int32_t>({1, 2, 3, 3})), 0);
  EXPECT_EQ(listed(MakeVector<int32_t>({5, 5, 5})), 1);
}

TEST(TensorProto, AnEmptyTensorHasNoData) {
  pb::TensorProto proto = Proto(DType::kFloat, {0, int64_t{1} << 40});
  proto.add_float_val(1);
  EXPECT_EQ(Decode(proto).elements(), 0);
}

TEST(TensorProto, ImpossibleTypesAndShapesAreRefused) {
  EXPECT_EQ(DecodeCode(Proto(DType::kInvalid, {})), Code::kInvalidArgument);
  EXPECT_EQ(DecodeCode(Proto(MakeRef(DType::kFloat), {})), Code::kInvalidArgument);
  EXPECT_EQ(DecodeCode(Proto(DType(99), {})), Code::kInvalidArgument);
  EXPECT_EQ(DecodeCode(Proto(DType::kFloat, {-1})), Code::kInvalidArgument);
  EXPECT_EQ(DecodeCode(Proto(DType::kFloat, {-5})), Code::kInvalidArgument);
  EXPECT_EQ(DecodeCode(Proto(DType::kFloat, {int64_t{1} << 40, int64_t{1} << 40})), Code::kInvalidArgument);
  pb::TensorProto unknown = Proto(DType::kFloat, {});
  unknown.mutable_tensor_shape()->set_unknown_rank(true);
  EXPECT_EQ(DecodeCode(unknown), Code::kInvalidArgument);
}

TEST(TensorProto, ExpansionIsLimitedOverTheWholeMessage) {
  const int64_t half = kMaxExpansion / 2 / int64_t{sizeof(float)};
  EXPECT_EQ(DecodeCode(Proto(DType::kFloat, {2 * half + 1})), Code::kResourceExhausted);
  EXPECT_EQ(DecodeCode(Proto(DType::kString, {int64_t{1} << 60})), Code::kResourceExhausted);
  pb::TensorProto long_string = Proto(DType::kString, {1 << 20});
  long_string.add_string_val(std::string(1 << 10, 'x'));
  EXPECT_EQ(DecodeCode(long_string), Code::kResourceExhausted);

  pb::AttrValue list;
  for (int i = 0; i < 3; ++i) *list.mutable_list()->add_tensor() = Proto(DType::kFloat, {half});
  Expansion expansion;
  EXPECT_EQ(CodeOf([&] { FromProto(list, &expansion); }), Code::kResourceExhausted);
}

TEST(TensorProto, EveryTypeSurvivesARoundTrip) {
  for (int number = 1; number <= 23; ++number) {
    const DType dtype = DType(number);
    for (const Shape& shape : {Shape(), Shape({2, 3}), Shape({0, 2})}) {
      Tensor tensor = Zeros(dtype, shape);
      EXPECT_TRUE(ParseTensorProto(SerializeTensorProto(tensor)).BitwiseEquals(tensor)) << tensor.ToString();
      if (ElementSize(dtype) == 0 || shape.elements() == 0) continue;
      auto* bytes = static_cast<uint8_t*>(tensor.mutable_raw());
      for (size_t i = 0; i < tensor.bytes(); ++i) bytes[i] = dtype == DType::kBool ? i & 1 : 37 * (i + 1);
      EXPECT_TRUE(ParseTensorProto(SerializeTensorProto(tensor)).BitwiseEquals(tensor)) << tensor.ToString();
    }
  }
}

TEST(TensorProto, ObjectsSurviveARoundTrip) {
  const ResourceHandle handle{.device = "/cpu:0",
                              .container = "c",
                              .name = "n",
                              .type_name = "Var",
                              .hash_code = 77,
                              .dtype = DType::kFloat,
                              .shape_text = "[2,?]",
                              .target = {}};
  const Tensor handles = MakeVector<ResourceHandle>({handle, ResourceHandle()});
  EXPECT_EQ(Values<ResourceHandle>(ParseTensorProto(SerializeTensorProto(handles))), Values<ResourceHandle>(handles));
  const Tensor variants = MakeVector<Variant>({Variant{.type_name = "t", .metadata = std::string("\0x", 2)}});
  EXPECT_TRUE(ParseTensorProto(SerializeTensorProto(variants)).BitwiseEquals(variants));
  const Tensor strings = MakeVector<std::string>({"a", std::string("\xff\0", 2), "z", "z", "z"});
  EXPECT_TRUE(ParseTensorProto(SerializeTensorProto(strings)).BitwiseEquals(strings));
}

TEST(AttrValue, EveryKindSurvivesARoundTrip) {
  auto inner = std::make_shared<AttrMap>();
  inner->emplace("T", DType::kInt32);
  const FunctionRef function{.name = "f", .attrs = inner};
  const std::vector<AttrValue> values = {AttrValue(),
                                         "text",
                                         3,
                                         1.5,
                                         true,
                                         DType::kHalf,
                                         MakeRef(DType::kFloat),
                                         PartialShape({2, -1}),
                                         PartialShape::Unknown(),
                                         MakeVector<int32_t>({1, 2}),
                                         function,
                                         AttrPlaceholder{"N"},
                                         EmptyList(),
                                         std::vector<std::string>{"a", ""},
                                         std::vector<int64_t>{1, -2},
                                         std::vector<float>{0.5f},
                                         std::vector<bool>{true, false},
                                         std::vector<DType>{DType::kFloat, DType::kString},
                                         std::vector<PartialShape>{PartialShape::Unknown(), PartialShape({3})},
                                         std::vector<Tensor>{MakeScalar<float>(1), MakeScalar<std::string>("s")},
                                         std::vector<FunctionRef>{function}};
  for (const AttrValue& value : values) {
    EXPECT_EQ(ParseAttrValue(SerializeAttrValue(value)), value) << value.ToString();
  }
}

TEST(AttrValue, AListOfTwoKindsIsRefused) {
  pb::AttrValue value;
  value.mutable_list()->add_i(1);
  value.mutable_list()->add_f(1);
  Expansion expansion;
  EXPECT_EQ(CodeOf([&] { FromProto(value, &expansion); }), Code::kInvalidArgument);
}

GraphDef SmallGraph() {
  GraphDef graph;
  graph.versions = {.producer = 134, .min_consumer = 12, .bad_consumers = {3}};
  graph.nodes.push_back({.name = "a",
                         .op = "Const",
                         .inputs = {},
                         .device = "/cpu:0",
                         .attrs = {{"dtype", DType::kFloat}, {"value", MakeVector<float>({1, 2})}},
                         .debug_info = {}});
  pb::NodeDef::ExperimentalDebugInfo info;
  info.add_original_node_names("was");
  graph.nodes.push_back({.name = "b",
                         .op = "Neg",
                         .inputs = {"a", "^a"},
                         .device = {},
                         .attrs = {},
                         .debug_info = info.SerializeAsString()});
  pb::FunctionDefLibrary library;
  library.add_function()->mutable_signature()->set_name("f");
  graph.library = library.SerializeAsString();
  return graph;
}

TEST(GraphDef, SurvivesARoundTripWithLibraryAndDebugInfo) {
  const GraphDef graph = SmallGraph();
  const std::string bytes = SerializeGraphDef(graph);
  const GraphDef again = ParseGraphDef(bytes);
  EXPECT_EQ(again.versions, graph.versions);
  EXPECT_EQ(again.library, graph.library);
  ASSERT_EQ(again.nodes.size(), 2u);
  EXPECT_EQ(again.nodes[0].attrs, graph.nodes[0].attrs);
  EXPECT_EQ(again.nodes[0].device, "/cpu:0");
  EXPECT_EQ(again.nodes[1].inputs, graph.nodes[1].inputs);
  EXPECT_EQ(again.nodes[1].debug_info, graph.nodes[1].debug_info);
  EXPECT_EQ(SerializeGraphDef(again), bytes);
}

TEST(GraphDef, TruncatedBytesAreRefused) {
  const std::string bytes = SerializeGraphDef(SmallGraph());
  int refused = 0;
  for (size_t length = 0; length < bytes.size(); ++length) {
    const Code code = CodeOf([&] { ParseGraphDef(bytes.substr(0, length)); });
    EXPECT_TRUE(code == Code::kOk || code == Code::kInvalidArgument) << length;
    refused += code != Code::kOk;
  }
  EXPECT_GT(refused, 100);  // all but the cuts between fields
}

TEST(GraphDef, DeepNestingIsRefused) {
  pb::AttrValue value;
  value.set_i(1);
  for (int depth = 0; depth < 200; ++depth) {
    pb::AttrValue outer;
    (*outer.mutable_func()->mutable_attr())["x"].Swap(&value);
    value.Swap(&outer);
  }
  EXPECT_EQ(CodeOf([&] { ParseAttrValue(value.SerializeAsString()); }), Code::kInvalidArgument);
}

TEST(GraphDef, AnErrorNamesNodeAndAttribute) {
  pb::GraphDef graph;
  pb::NodeDef* node = graph.add_node();
  node->set_name("weights");
  *(*node->mutable_attr())["value"].mutable_tensor() = Proto(DType::kFloat, {-7});
  try {
    ParseGraphDef(graph.SerializeAsString());
    FAIL() << "a negative dimension was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("node 'weights', attribute 'value'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace plumb

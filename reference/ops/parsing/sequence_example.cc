#include <algorithm>
#include <map>

#include "reference/ops/parsing/feature_values.h"
#include "reference/ops/parsing/sequence_columns.h"
#include "spec/proto/example.pb.h"

namespace plumb::reference {
namespace {

constexpr char kField1 = 1 << 3 | 2, kField2 = 2 << 3 | 2;

using Keys = std::vector<std::string>;

// The parts of a message, in its bytes. What comes later takes the place of what came before.
struct Parts {
  std::map<std::string, std::string_view> context, lists;
};

void ReadMap(WireReader& reader, std::map<std::string, std::string_view>& map) {
  const size_t end = reader.Narrow(reader.Length());
  while (!reader.AtEnd()) {
    reader.Expect(kField1);
    const size_t end_of_entry = reader.Narrow(reader.Length());
    reader.Expect(kField1);
    const std::string key(reader.Text());
    reader.Expect(kField2);
    map[key] = reader.Text();
    Require(reader.AtEnd(), "an entry of a map has more than a key and a value");
    reader.Widen(end_of_entry);
  }
  reader.Widen(end);
}

Parts ReadParts(std::string_view bytes) {
  Parts parts;
  WireReader reader(bytes);
  while (!reader.AtEnd()) {
    if (reader.Try(kField1)) {
      ReadMap(reader, parts.context);
    } else if (reader.Try(kField2)) {
      ReadMap(reader, parts.lists);
    } else {
      reader.SkipField();
    }
  }
  return parts;
}

// A feature of two bytes is an empty list of its type; one of none is empty too.
std::vector<Tensor> ReadRows(std::string_view bytes, DType type) {
  std::vector<Tensor> rows;
  WireReader reader(bytes);
  while (!reader.AtEnd()) {
    reader.Expect(kField1);
    const uint32_t length = reader.Length();
    Require(length != 1, "a feature in a list is one byte long");
    if (length == 0) {
      rows.emplace_back(type, Shape{0});
      continue;
    }
    if (length == 2) {
      ReadEmptyFeature(reader, type);
      rows.emplace_back(type, Shape{0});
      continue;
    }
    const size_t end = reader.Narrow(length);
    rows.push_back(ReadFeature(reader, type, Message::kSequenceExample));
    reader.Widen(end);
  }
  return rows;
}

SequenceFeatures FeaturesOf(const Parts& parts) {
  return {[&parts](const std::string& key, DType type) -> std::optional<Tensor> {
            const auto found = parts.context.find(key);
            if (found == parts.context.end()) return std::nullopt;
            if (found->second.empty()) return Tensor(type, Shape{0});
            WireReader reader(found->second);
            return ReadFeature(reader, type, Message::kSequenceExample);
          },
          [&parts](const std::string& key, DType type) -> std::optional<std::vector<Tensor>> {
            const auto found = parts.lists.find(key);
            if (found == parts.lists.end()) return std::nullopt;
            return ReadRows(found->second, type);
          }};
}

void Parse(OpContext& c, const SequenceRequest& request) {
  request.CheckForms();
  const Tensor &serialized = c.tensor(0), &names = c.tensor(1);
  Require(serialized.rank() <= 1, "serialized must be a scalar or a vector, not of shape ",
          serialized.shape().ToString());
  Require(names.elements() == 0 || names.elements() == serialized.elements(),
          "debug_name must have a name for each of ", serialized.elements(), " messages, or none, not ",
          names.elements());
  std::vector<Parts> parts;
  for (const std::string& bytes : serialized.data<std::string>()) parts.push_back(ReadParts(bytes));
  std::vector<SequenceFeatures> messages;
  for (const Parts& part : parts) messages.push_back(FeaturesOf(part));
  OutputSequences(c, request, messages, serialized.rank() == 1);
}

void ParseSequenceExample(OpContext& c) {
  SequenceRequest request(c.node, false);
  request.context.sparse_keys = c.attr<Keys>("context_sparse_keys");
  request.context.dense_keys = c.attr<Keys>("context_dense_keys");
  request.lists.sparse_keys = c.attr<Keys>("feature_list_sparse_keys");
  request.lists.dense_keys = c.attr<Keys>("feature_list_dense_keys");
  const auto& missing = c.attr<Keys>("feature_list_dense_missing_assumed_empty");
  for (const std::string& key : request.lists.dense_keys) {
    request.may_miss.push_back(std::find(missing.begin(), missing.end(), key) != missing.end());
  }
  request.first_default = 2;
  Parse(c, request);
}

void ParseSequenceExampleV2(OpContext& c) {
  SequenceRequest request(c.node, true);
  int input = 2;
  for (FeatureGroup* group : {&request.context, &request.lists}) {
    for (Keys* keys : {&group->sparse_keys, &group->dense_keys, &group->ragged_keys}) {
      const auto texts = c.tensor(input++).data<std::string>();
      keys->assign(texts.begin(), texts.end());
    }
  }
  const Tensor& missing = c.tensor(input++);
  Require(missing.elements() == std::ssize(request.lists.dense_keys), "feature_list_dense_missing_assumed_empty must ",
          "have an element for each of ", request.lists.dense_keys.size(), " dense lists, not ", missing.elements());
  for (const bool may : missing.data<bool>()) request.may_miss.push_back(may);
  request.first_default = input;
  Parse(c, request);
}

void CheckSequence(const Node& node) {
  SequenceRequest request(node, false);
  request.context.sparse_keys = GetAttr<Keys>(node.attrs, "context_sparse_keys");
  request.context.dense_keys = GetAttr<Keys>(node.attrs, "context_dense_keys");
  request.lists.sparse_keys = GetAttr<Keys>(node.attrs, "feature_list_sparse_keys");
  request.lists.dense_keys = GetAttr<Keys>(node.attrs, "feature_list_dense_keys");
  request.CheckKeys();
}
void CheckSequenceV2(const Node& node) { SequenceRequest(node, true); }

// ---- One message ---------------------------------------------------------------------------------------------------

template <class T, class List>
Tensor VectorOf(const List& list) {
  const std::vector<T> values(list.begin(), list.end());
  return MakeTensor<T>({std::ssize(values)}, std::span<const T>(values));
}

// The values of a feature, which must be of this type; one that has none of any type may be let pass.
Tensor ValuesOf(const pb::Feature& feature, DType type, bool may_be_unset) {
  if (may_be_unset && feature.kind_case() == pb::Feature::KIND_NOT_SET) return {type, Shape{0}};
  switch (feature.kind_case()) {
    case pb::Feature::kBytesList:
      if (type == DType::kString) return VectorOf<std::string>(feature.bytes_list().value());
      break;
    case pb::Feature::kFloatList:
      if (type == DType::kFloat) return VectorOf<float>(feature.float_list().value());
      break;
    case pb::Feature::kInt64List:
      if (type == DType::kInt64) return VectorOf<int64_t>(feature.int64_list().value());
      break;
    default:
      break;
  }
  throw InvalidArgument("a feature has no values of type ", DTypeName(type));
}

bool Contains(const Keys& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// Sparse features may be of no type.
SequenceFeatures FeaturesOf(const pb::SequenceExample& message, const SequenceRequest& request) {
  return {[&](const std::string& key, DType type) -> std::optional<Tensor> {
            const auto& features = message.context().feature();
            const auto found = features.find(key);
            if (found == features.end()) return std::nullopt;
            return ValuesOf(found->second, type, Contains(request.context.sparse_keys, key));
          },
          [&](const std::string& key, DType type) -> std::optional<std::vector<Tensor>> {
            const auto& lists = message.feature_lists().feature_list();
            const auto found = lists.find(key);
            if (found == lists.end()) return std::nullopt;
            std::vector<Tensor> rows;
            for (const pb::Feature& feature : found->second.feature()) {
              rows.push_back(ValuesOf(feature, type, Contains(request.lists.sparse_keys, key)));
            }
            return rows;
          }};
}

// The library of protocol buffers reads the message, as it does in TensorFlow.
void ParseSingleSequenceExample(OpContext& c) {
  SequenceRequest request(c.node, false);
  request.has_lengths = false;
  const Tensor &serialized = c.tensor(0), &missing = c.tensor(1), &name = c.tensor(c.num_inputs() - 1);
  Require(missing.rank() == 1, "feature_list_dense_missing_assumed_empty must be a vector, not of shape ",
          missing.shape().ToString());
  Require(serialized.rank() == 0, "serialized must be a scalar, not of shape ", serialized.shape().ToString());
  Require(name.rank() == 0, "debug_name must be a scalar, not of shape ", name.shape().ToString());
  int input = 2;
  const auto keys = [&](size_t count) {
    Keys texts;
    for (size_t i = 0; i < count; ++i, ++input) {
      Require(c.tensor(input).rank() == 0, "keys must be scalars, not of shape ", c.tensor(input).shape().ToString());
      texts.push_back(c.tensor(input).scalar<std::string>());
    }
    return texts;
  };
  request.context.sparse_keys = keys(request.context.sparse_types.size());
  request.context.dense_keys = keys(request.context.dense_types.size());
  request.lists.sparse_keys = keys(request.lists.sparse_types.size());
  request.lists.dense_keys = keys(request.lists.dense_types.size());
  request.first_default = input;
  const auto may_miss = missing.data<std::string>();
  for (const std::string& key : request.lists.dense_keys) {
    request.may_miss.push_back(std::find(may_miss.begin(), may_miss.end(), key) != may_miss.end());
  }
  pb::SequenceExample message;
  Require(message.ParseFromString(serialized.scalar<std::string>()), "the bytes are no SequenceExample");
  OutputSequences(c, request, {FeaturesOf(message, request)}, false);
}

void CheckSingle(const Node& node) { SequenceRequest(node, false); }

constexpr KernelRow kRows[] = {
    {"ParseSequenceExample", ParseSequenceExample, CheckSequence},
    {"ParseSequenceExampleV2", ParseSequenceExampleV2, CheckSequenceV2},
    {"ParseSingleSequenceExample", ParseSingleSequenceExample, CheckSingle},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ParsingSequenceExample() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference

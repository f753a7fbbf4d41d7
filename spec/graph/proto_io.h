// The interchange format: TensorFlow's messages as bytes (rules 9.1–9.14), and what they mean here.
//
// Everything here throws kInvalidArgument for bytes that are not such a message (truncated, nested deeper than 100,
// above 2 GiB) and for contents that make no sense; the message names the node and attribute.
#pragma once

#include <string>
#include <string_view>

#include "spec/core/attr.h"
#include "spec/core/shape.h"
#include "spec/core/tensor.h"
#include "spec/graph/graph_def.h"

namespace plumb {

// The generated classes of spec/proto; only .cc files see their definitions.
namespace pb {
class AttrValue;
class GraphDef;
class NameAttrList;
class NodeDef;
class TensorProto;
class TensorShapeProto;
}  // namespace pb

// The repeated-last-value form (rule 9.4) lets a short message stand for a large tensor. Over all tensors of one
// message it may add this many bytes; beyond it: kResourceExhausted.
constexpr int64_t kMaxExpansion = int64_t{1} << 28;
class Expansion {
 public:
  // For the elements of `shape` beyond the first `given`. Called before memory is allocated for them.
  void Take(const Shape& shape, int64_t given, size_t element_bytes);

 private:
  int64_t left_ = kMaxExpansion;
};

// Bytes ⇄ values. Serialised bytes are the same for equal values (map keys sorted).
GraphDef ParseGraphDef(std::string_view bytes);
std::string SerializeGraphDef(const GraphDef& graph);
Tensor ParseTensorProto(std::string_view bytes);
std::string SerializeTensorProto(const Tensor& tensor);
AttrValue ParseAttrValue(std::string_view bytes);
std::string SerializeAttrValue(const AttrValue& value);

// Messages ⇄ values, for those who hold messages. `to` must be empty.
GraphDef FromProto(const pb::GraphDef& graph);
NodeDef FromProto(const pb::NodeDef& node, Expansion* expansion);
void ToProto(const GraphDef& graph, pb::GraphDef* to);
void ToProto(const NodeDef& node, pb::NodeDef* to);
Tensor FromProto(const pb::TensorProto& tensor, Expansion* expansion);
void ToProto(const Tensor& tensor, pb::TensorProto* to);
AttrValue FromProto(const pb::AttrValue& value, Expansion* expansion);
void ToProto(const AttrValue& value, pb::AttrValue* to);
PartialShape FromProto(const pb::TensorShapeProto& shape);
void ToProto(const PartialShape& shape, pb::TensorShapeProto* to);

}  // namespace plumb

#include "spec/graph/proto_io.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>

#include "spec/graph/messages/message.h"
#include "spec/proto/graph.pb.h"

namespace plumb {

std::string Serialize(const google::protobuf::MessageLite& message) {
  const size_t size = message.ByteSizeLong();
  if (size > INT_MAX) throw ResourceExhausted("a message of ", size, " bytes is above the limit of 2 GiB");
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream out(&stream);
  out.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&out);
  out.Trim();
  return bytes;
}

NodeDef FromProto(const pb::NodeDef& node, Expansion* expansion) {
  NodeDef def;
  def.name = node.name();
  def.op = node.op();
  def.inputs.assign(node.input().begin(), node.input().end());
  def.device = node.device();
  for (const auto& [name, value] : node.attr()) {
    try {
      def.attrs.emplace(name, FromProto(value, expansion));
    } catch (const Error& error) {
      throw Error(error.status().code(), Str("node '", def.name, "', attribute '", name, "': ", error.what()));
    }
  }
  if (node.has_experimental_debug_info()) def.debug_info = Serialize(node.experimental_debug_info());
  return def;
}

void ToProto(const NodeDef& node, pb::NodeDef* to) {
  to->set_name(node.name);
  to->set_op(node.op);
  for (const std::string& input : node.inputs) to->add_input(input);
  to->set_device(node.device);
  for (const auto& [name, value] : node.attrs) ToProto(value, &(*to->mutable_attr())[name]);
  if (!node.debug_info.empty()) {
    *to->mutable_experimental_debug_info() =
        ParseMessage<pb::NodeDef::ExperimentalDebugInfo>(node.debug_info, "debug info");
  }
}

void Expansion::Take(const Shape& shape, int64_t given, size_t element_bytes) {
  const int64_t missing = std::max<int64_t>(0, shape.elements() - given);
  const auto added = CheckedMultiply(missing, static_cast<int64_t>(element_bytes));
  if (!added || *added > left_) {
    throw ResourceExhausted("a tensor of shape ", shape.ToString(), " is written with only ", given,
                            " of its elements; the rest may not take more than ", kMaxExpansion, " bytes");
  }
  left_ -= *added;
}

GraphDef FromProto(const pb::GraphDef& graph) {
  GraphDef def;
  Expansion expansion;
  def.nodes.reserve(static_cast<size_t>(graph.node_size()));
  for (const pb::NodeDef& node : graph.node()) def.nodes.push_back(FromProto(node, &expansion));
  def.versions.producer = graph.versions().producer();
  def.versions.min_consumer = graph.versions().min_consumer();
  def.versions.bad_consumers.assign(graph.versions().bad_consumers().begin(), graph.versions().bad_consumers().end());
  if (graph.has_library()) def.library = Serialize(graph.library());
  return def;
}

void ToProto(const GraphDef& graph, pb::GraphDef* to) {
  for (const NodeDef& node : graph.nodes) ToProto(node, to->add_node());
  if (graph.versions != VersionDef()) {
    pb::VersionDef* versions = to->mutable_versions();
    versions->set_producer(graph.versions.producer);
    versions->set_min_consumer(graph.versions.min_consumer);
    for (const int32_t bad : graph.versions.bad_consumers) versions->add_bad_consumers(bad);
  }
  if (!graph.library.empty()) {
    *to->mutable_library() = ParseMessage<pb::FunctionDefLibrary>(graph.library, "FunctionDefLibrary");
  }
}

GraphDef ParseGraphDef(std::string_view bytes) { return FromProto(ParseMessage<pb::GraphDef>(bytes, "GraphDef")); }

std::string SerializeGraphDef(const GraphDef& graph) {
  pb::GraphDef message;
  ToProto(graph, &message);
  return Serialize(message);
}

Tensor ParseTensorProto(std::string_view bytes) {
  Expansion expansion;
  return FromProto(ParseMessage<pb::TensorProto>(bytes, "TensorProto"), &expansion);
}

std::string SerializeTensorProto(const Tensor& tensor) {
  pb::TensorProto message;
  ToProto(tensor, &message);
  return Serialize(message);
}

AttrValue ParseAttrValue(std::string_view bytes) {
  Expansion expansion;
  return FromProto(ParseMessage<pb::AttrValue>(bytes, "AttrValue"), &expansion);
}

std::string SerializeAttrValue(const AttrValue& value) {
  pb::AttrValue message;
  ToProto(value, &message);
  return Serialize(message);
}

}  // namespace plumb

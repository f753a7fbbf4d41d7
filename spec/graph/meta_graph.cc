#include "spec/graph/meta_graph.h"

#include "spec/graph/messages/message.h"
#include "spec/graph/messages/text.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/meta_graph.pb.h"

namespace plumb {
namespace {

constexpr int kSchemaVersion = 1;
constexpr std::string_view kAssets = "saved_model_assets", kQueueRunners = "queue_runners",
                           kLocalVariables = "local_variables";

TensorInfo ValueOf(const pb::TensorInfo& message) {
  TensorInfo info;
  info.name = message.name();
  if (message.has_coo_sparse()) {
    const pb::TensorInfo::CooSparse& sparse = message.coo_sparse();
    info.name = sparse.values_tensor_name();
    info.indices = sparse.indices_tensor_name();
    info.dense_shape = sparse.dense_shape_tensor_name();
  }
  info.dtype = static_cast<DType>(message.dtype());
  info.shape = FromProto(message.tensor_shape());
  return info;
}

// What is composed of tensors stands there as these: "x/0", "x/1", … for x.
void Take(const std::string& name, const pb::TensorInfo& message, std::map<std::string, TensorInfo>* tensors) {
  if (!message.has_composite_tensor()) {
    tensors->emplace(name, ValueOf(message));
    return;
  }
  int number = 0;
  for (const pb::TensorInfo& part : message.composite_tensor().components()) {
    Take(Str(name, "/", number++), part, tensors);
  }
}

Signature ValueOf(const pb::SignatureDef& message) {
  Signature signature;
  for (const auto& [name, info] : message.inputs()) Take(name, info, &signature.inputs);
  for (const auto& [name, info] : message.outputs()) Take(name, info, &signature.outputs);
  signature.method = message.method_name();
  return signature;
}

Asset ValueOf(const pb::AssetFileDef& message) { return {message.tensor_info().name(), message.filename()}; }

QueueRunnerNodes QueueRunner(std::string_view bytes) {
  const auto message = ParseMessage<pb::QueueRunnerDef>(bytes, "QueueRunnerDef");
  QueueRunnerNodes nodes{message.queue_name(), {}, message.close_op_name(), message.cancel_op_name(), {}};
  nodes.enqueue.assign(message.enqueue_op_name().begin(), message.enqueue_op_name().end());
  for (const int code : message.queue_closed_exception_types())
    nodes.closed_statuses.push_back(static_cast<Code>(code));
  if (nodes.closed_statuses.empty()) nodes.closed_statuses.push_back(Code::kOutOfRange);
  return nodes;
}

std::string InitializerOf(std::string_view bytes) {
  return ParseMessage<pb::VariableDef>(bytes, "VariableDef").initializer_name();
}

// TensorFlow 1 keeps assets, local variables and queue runners in collections.
void TakeCollection(const std::string& name, const pb::CollectionDef& message, MetaGraph* meta) {
  const auto take = [&](const auto& values) { meta->collections[name].assign(values.begin(), values.end()); };
  if (message.has_node_list()) take(message.node_list().value());
  if (message.has_bytes_list()) take(message.bytes_list().value());
  if (name == kQueueRunners) {
    for (const std::string& bytes : message.bytes_list().value()) meta->queue_runners.push_back(QueueRunner(bytes));
  }
  if (name == kLocalVariables) {
    for (const std::string& bytes : message.bytes_list().value()) {
      std::string initializer = InitializerOf(bytes);
      if (!initializer.empty()) meta->local_initializers.push_back(std::move(initializer));
    }
  }
  if (name == kAssets && meta->assets.empty()) {
    for (const auto& any : message.any_list().value()) {
      meta->assets.push_back(ValueOf(ParseMessage<pb::AssetFileDef>(any.value(), "AssetFileDef")));
    }
  }
}

MetaGraph ValueOf(const pb::MetaGraphDef& message) {
  Require(message.has_graph_def(), "the MetaGraphDef holds no graph_def");
  MetaGraph meta;
  meta.graph = FromProto(message.graph_def());
  const pb::MetaGraphDef::MetaInfoDef& info = message.meta_info_def();
  meta.tags.assign(info.tags().begin(), info.tags().end());
  meta.tensorflow_version = info.tensorflow_version();
  const pb::SaverDef& saver = message.saver_def();
  meta.saver = {saver.filename_tensor_name(), saver.save_tensor_name(), saver.restore_op_name()};
  for (const auto& [name, signature] : message.signature_def()) meta.signatures.emplace(name, ValueOf(signature));
  for (const pb::AssetFileDef& asset : message.asset_file_def()) meta.assets.push_back(ValueOf(asset));
  for (const auto& [name, collection] : message.collection_def()) TakeCollection(name, collection, &meta);
  return meta;
}

std::vector<MetaGraph> ValuesOf(const pb::SavedModel& model) {
  Require(model.saved_model_schema_version() == kSchemaVersion, "a saved model of schema version ",
          model.saved_model_schema_version(), "; ", kSchemaVersion, " is known");
  std::vector<MetaGraph> graphs;
  for (const pb::MetaGraphDef& meta : model.meta_graphs()) graphs.push_back(ValueOf(meta));
  return graphs;
}

}  // namespace

const std::vector<std::string>& MetaGraph::Collection(std::string_view name) const {
  static const std::vector<std::string> none;
  const auto found = collections.find(std::string(name));
  return found == collections.end() ? none : found->second;
}

MetaGraph ParseMetaGraph(std::string_view bytes) {
  return ValueOf(ParseMessage<pb::MetaGraphDef>(bytes, "MetaGraphDef"));
}
MetaGraph ParseMetaGraphText(std::string_view text) {
  return ValueOf(ParseTextMessage<pb::MetaGraphDef>(text, "MetaGraphDef"));
}
std::vector<MetaGraph> ParseSavedModel(std::string_view bytes) {
  return ValuesOf(ParseMessage<pb::SavedModel>(bytes, "SavedModel"));
}
std::vector<MetaGraph> ParseSavedModelText(std::string_view text) {
  return ValuesOf(ParseTextMessage<pb::SavedModel>(text, "SavedModel"));
}

}  // namespace plumb

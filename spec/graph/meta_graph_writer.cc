#include "spec/graph/meta_graph_writer.h"

#include "spec/graph/messages/message.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/meta_graph.pb.h"

namespace plumb {
namespace {

// Of an output 0 too, which is written without its number elsewhere.
std::string NameOfOutput(const std::string& output) {
  return output.find(':') == std::string::npos ? output + ":0" : output;
}

std::string BytesOf(const VariableNames& names) {
  pb::VariableDef message;
  message.set_variable_name(NameOfOutput(names.variable));
  message.set_initializer_name(names.initializer);
  message.set_snapshot_name(NameOfOutput(names.snapshot));
  message.set_initial_value_name(NameOfOutput(names.initial_value));
  if (names.slice) {
    pb::SaveSliceInfoDef& slice = *message.mutable_save_slice_info_def();
    slice.set_full_name(names.slice->whole);
    slice.mutable_full_shape()->Add(names.slice->shape.begin(), names.slice->shape.end());
    slice.mutable_var_offset()->Add(names.slice->offset.begin(), names.slice->offset.end());
    slice.mutable_var_shape()->Add(names.slice->lengths.begin(), names.slice->lengths.end());
  }
  message.set_trainable(names.trainable);
  return Serialize(message);
}

std::string BytesOf(const QueueRunnerNodes& nodes) {
  pb::QueueRunnerDef message;
  message.set_queue_name(nodes.queue);
  for (const std::string& name : nodes.enqueue) message.add_enqueue_op_name(name);
  message.set_close_op_name(nodes.close);
  message.set_cancel_op_name(nodes.cancel);
  for (const Code code : nodes.closed_statuses) message.add_queue_closed_exception_types(static_cast<int>(code));
  return Serialize(message);
}

void Add(const std::string& collection, const std::string& bytes, pb::MetaGraphDef* to) {
  (*to->mutable_collection_def())[collection].mutable_bytes_list()->add_value(bytes);
}

}  // namespace

std::string SerializeMetaGraph(const SavedProgram& program) {
  pb::MetaGraphDef message;
  ToProto(program.graph, message.mutable_graph_def());
  pb::SaverDef& saver = *message.mutable_saver_def();
  saver.set_filename_tensor_name(NameOfOutput(program.saver.filename));
  saver.set_save_tensor_name(NameOfOutput(program.saver.save));
  saver.set_restore_op_name(program.saver.restore);
  saver.set_max_to_keep(program.max_to_keep);
  saver.set_keep_checkpoint_every_n_hours(static_cast<float>(program.keep_every_n_hours));
  saver.set_sharded(program.sharded);
  saver.set_version(pb::SaverDef::V2);
  for (const VariableNames& names : program.variables) {
    Add("variables", BytesOf(names), &message);
    if (names.trainable) Add("trainable_variables", BytesOf(names), &message);
  }
  for (const VariableNames& names : program.local_variables) Add("local_variables", BytesOf(names), &message);
  for (const QueueRunnerNodes& nodes : program.queue_runners) Add("queue_runners", BytesOf(nodes), &message);
  return Serialize(message);
}

}  // namespace plumb

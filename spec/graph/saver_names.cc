#include "spec/graph/saver_names.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <climits>

#include "spec/formats/file.h"
#include "spec/proto/meta_graph.pb.h"

namespace plumb {
namespace {

// Bytes that are no such message say nothing.
class Silent : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int, int, const std::string&) override {}
};

pb::SaverDef SaverIn(const std::string& content) {
  pb::MetaGraphDef meta;
  if (meta.ParseFromString(content)) return meta.saver_def();
  google::protobuf::TextFormat::Parser parser;
  Silent silent;
  parser.RecordErrorsTo(&silent);
  return parser.ParseFromString(content, &meta) ? meta.saver_def() : pb::SaverDef();
}

}  // namespace

std::optional<SaverNames> LoadSaverNames(const std::string& path, const GraphDef& graph) {
  const auto has = [&](const std::string& tensor) {
    const std::string name = tensor.substr(0, tensor.find(':'));
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const NodeDef& node) { return node.name == name; });
  };
  const pb::SaverDef saver = SaverIn(ReadFile(path, INT_MAX));
  const SaverNames candidates[] = {
      {saver.filename_tensor_name(), saver.save_tensor_name(), saver.restore_op_name()},
      {"save/Const:0", "save/control_dependency:0", "save/restore_all"},
  };
  for (const SaverNames& names : candidates) {
    if (has(names.prefix) && has(names.restore)) return names;
  }
  return std::nullopt;
}

}  // namespace plumb

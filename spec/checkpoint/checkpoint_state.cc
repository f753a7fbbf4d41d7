#include "spec/checkpoint/checkpoint_state.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include "spec/checkpoint/bundle.h"
#include "spec/core/status.h"
#include "spec/files/file_pattern.h"
#include "spec/proto/checkpoint.pb.h"

namespace plumb {
namespace {

constexpr int64_t kMaxStateBytes = int64_t{1} << 26;

std::string Below(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}

std::string Resolved(const std::string& folder, const std::string& path) {
  return path.starts_with('/') ? path : Below(folder, path);
}
std::string Relative(const std::string& folder, const std::string& path) {
  const std::string start = Below(folder, "");
  const bool may_move = !path.starts_with('/') && !start.empty() && path.starts_with(start);
  return may_move ? path.substr(start.size()) : path;
}

// Whoever reads the file treats one that is no text of this kind as none.
class Silent : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int, int, const std::string&) override {}
};

}  // namespace

std::optional<CheckpointState> ReadCheckpointState(const FileSystem& files, const std::string& folder) {
  const std::string path = Below(folder, "checkpoint");
  if (!files.Exists(path)) return std::nullopt;
  pb::CheckpointState message;
  google::protobuf::TextFormat::Parser parser;
  Silent silent;
  parser.RecordErrorsTo(&silent);
  if (!parser.ParseFromString(files.Read(path, kMaxStateBytes), &message)) return std::nullopt;
  Require(!message.model_checkpoint_path().empty(), "'", path, "' names no latest checkpoint");
  CheckpointState state;
  state.latest = Resolved(folder, message.model_checkpoint_path());
  for (const std::string& prefix : message.all_model_checkpoint_paths()) state.all.push_back(Resolved(folder, prefix));
  for (const double time : message.all_model_checkpoint_timestamps()) state.times.push_back(time);
  state.last_preserved_time = message.last_preserved_timestamp();
  return state;
}

void WriteCheckpointState(const FileSystem& files, const std::string& folder, const CheckpointState& state) {
  pb::CheckpointState message;
  message.set_model_checkpoint_path(Relative(folder, state.latest));
  for (const std::string& prefix : state.all) message.add_all_model_checkpoint_paths(Relative(folder, prefix));
  for (const double time : state.times) message.add_all_model_checkpoint_timestamps(time);
  message.set_last_preserved_timestamp(state.last_preserved_time);
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  files.Write(Below(folder, "checkpoint"), text);
}

bool CheckpointExists(const FileSystem& files, const std::string& prefix) {
  return files.Exists(BundleIndexPath(prefix)) || !Matching(files, prefix).empty();
}

std::optional<std::string> LatestCheckpoint(const FileSystem& files, const std::string& folder) {
  const auto state = ReadCheckpointState(files, folder);
  if (!state || !CheckpointExists(files, state->latest)) return std::nullopt;
  return state->latest;
}

}  // namespace plumb

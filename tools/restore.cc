#include "tools/restore.h"

#include <cstdio>

#include "client/saved_model/saved_model.h"
#include "client/training/restore_graph.h"
#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/checkpoint_state.h"
#include "spec/graph/saver_names.h"
#include "tools/check.h"

namespace plumb::tools {

namespace {

// The prefix of the checkpoint that this is a file of, by its name; "" where it is none.
std::string PrefixOfFile(const std::string& path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string::npos) return "";
  const std::string_view end = std::string_view(path).substr(dot);
  const bool is_of_bundle = end == ".index" || end == ".meta" || end.starts_with(".data-");
  const std::string prefix = path.substr(0, dot);
  return is_of_bundle && Files().Exists(path) && !Files().Exists(BundleIndexPath(path)) ? prefix : "";
}

}  // namespace

std::string PrefixOf(const std::string& prefix_or_folder) {
  const std::string prefix = PrefixOfFile(prefix_or_folder);
  Require(prefix.empty(), "'", prefix_or_folder, "' is one file of a checkpoint: name the checkpoint as '", prefix,
          "'");
  // A checkpoint comes before a folder of its name.
  if (Files().Exists(BundleIndexPath(prefix_or_folder)) || !Files().IsFolder(prefix_or_folder)) return prefix_or_folder;
  if (const auto latest = LatestCheckpoint(Files(), prefix_or_folder)) return *latest;
  const std::string of_saved_model = VariablesOf(prefix_or_folder);
  if (Files().Exists(BundleIndexPath(of_saved_model))) return of_saved_model;
  throw NotFound("the folder '", prefix_or_folder, "' names no checkpoint that is there");
}

void Restore(Session& session, const MetaGraph& meta, const std::string& prefix) {
  std::vector<Tensor> outputs;
  if (const auto saver = SaverOf(meta)) {
    const Feed feed = {saver->filename, MakeScalar(prefix)};
    Check(session.Run({&feed, 1}, {}, {&saver->restore, 1}, &outputs));
    return;
  }
  const RestoringGraph restoring = NodesToRestore(Files(), meta.graph, prefix);
  for (const std::string& name : restoring.missing) {
    std::fprintf(stderr, "plumb: the checkpoint has no '%s'; that variable is left as it is\n", name.c_str());
  }
  for (const std::string& misfit : restoring.misfits) std::fprintf(stderr, "plumb: %s\n", misfit.c_str());
  Check(session.Extend(restoring.nodes));
  Check(session.Run({}, {}, {&restoring.target, 1}, &outputs));
}

}  // namespace plumb::tools

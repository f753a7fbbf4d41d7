#include "tools/restore.h"

#include <cstdio>

#include "client/training/restore_graph.h"
#include "spec/checkpoint/checkpoint_state.h"
#include "spec/graph/saver_names.h"
#include "tools/check.h"

namespace plumb::tools {

std::string PrefixOf(const std::string& prefix_or_folder) {
  if (!Files().IsFolder(prefix_or_folder)) return prefix_or_folder;
  const auto latest = LatestCheckpoint(Files(), prefix_or_folder);
  if (!latest) throw NotFound("the folder '", prefix_or_folder, "' names no checkpoint that is there");
  return *latest;
}

void Restore(Session& session, const MetaGraph& meta, const std::string& checkpoint) {
  const std::string prefix = PrefixOf(checkpoint);
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
  Check(session.Extend(restoring.nodes));
  Check(session.Run({}, {}, {&restoring.target, 1}, &outputs));
}

}  // namespace plumb::tools

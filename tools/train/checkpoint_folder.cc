#include "tools/train/checkpoint_folder.h"

#include "spec/checkpoint/checkpoint_state.h"
#include "spec/core/status.h"
#include "spec/files/file_system.h"
#include "tools/folder.h"

namespace plumb::tools {

std::string WhyNotToGoOnIn(const std::string& folder) {
  const std::string path = folder + "/checkpoint";
  if (!Files().Exists(path)) return "";
  try {
    const auto state = ReadCheckpointState(Files(), folder);
    if (!state) return Str("'", path, "' is no text as TensorFlow writes it");
    if (CheckpointExists(Files(), state->latest)) return "";
    return Str("'", path, "' names '", state->latest, "', whose files are not there");
  } catch (const Error& error) {
    return error.what();
  }
}

void PrepareCheckpointFolder(const std::string& folder) {
  MakeFolderFor("--checkpoint", folder);
  const std::string probe = folder + "/.plumb-is-writable";
  Files().Write(probe, "");
  Files().Remove(probe);
  if (const std::string why = WhyNotToGoOnIn(folder); !why.empty()) {
    throw FailedPrecondition(
        "there is no checkpoint to go on from: ", why,
        "; remove that file to begin anew, or write 'model_checkpoint_path: \"model.ckpt-N\"' into it, with the N of a "
        "checkpoint that is there");
  }
}

}  // namespace plumb::tools

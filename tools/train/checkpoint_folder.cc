#include "tools/train/checkpoint_folder.h"

#include "spec/checkpoint/checkpoint_state.h"
#include "spec/core/status.h"
#include "spec/files/file_system.h"
#include "tools/folder.h"

namespace plumb::tools {
namespace {

// Why training cannot go on from the latest checkpoint that the state file names; "" where it can.
std::string WhatIsWrongWithState(const std::string& folder) {
  try {
    const auto state = ReadCheckpointState(Files(), folder);
    if (!state) return "it is no text as TensorFlow writes it";
    if (!CheckpointExists(Files(), state->latest)) return Str("the files of '", state->latest, "' are not there");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

void PrepareCheckpointFolder(const std::string& folder) {
  MakeFolderFor("--checkpoint", folder);
  const std::string probe = folder + "/.plumb-is-writable";
  Files().Write(probe, "");
  Files().Remove(probe);
  const std::string state = folder + "/checkpoint";
  if (!Files().Exists(state)) return;
  if (const std::string wrong = WhatIsWrongWithState(folder); !wrong.empty()) {
    throw FailedPrecondition("'", state, "' names no checkpoint to go on from: ", wrong,
                             "; remove that file to begin anew, or write 'model_checkpoint_path: \"model.ckpt-N\"' ",
                             "into it, with the N of a checkpoint that is there");
  }
}

}  // namespace plumb::tools

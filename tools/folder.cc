#include "tools/folder.h"

#include "spec/core/status.h"
#include "spec/files/file_system.h"

namespace plumb::tools {

void MakeFolderFor(const std::string& option, const std::string& path) {
  const std::string advice = Str("; let ", option, " name a folder, or one that can be made");
  try {
    Files().MakeFolders(path);
  } catch (const Error& error) {
    throw Error(error.status().WithMessage(Str(error.what(), advice)));
  }
  if (!path.empty() && !Files().IsFolder(path)) throw FailedPrecondition("'", path, "' is no folder", advice);
}

}  // namespace plumb::tools

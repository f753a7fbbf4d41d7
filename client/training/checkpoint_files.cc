#include "client/training/checkpoint_files.h"

#include "spec/checkpoint/bundle.h"
#include "spec/files/file_pattern.h"

namespace plumb {
namespace {

// Where P ends in the name of a checkpoint, which of one of the first format in pieces is "P-?????-of-00002" (rule
// Z51).
size_t EndOfPrefix(const std::string& name) {
  constexpr std::string_view kPieces = "-????\?-of-";
  const size_t at = name.rfind(kPieces);
  const bool is_in_pieces =
      at != std::string::npos && name.find_first_not_of("0123456789", at + kPieces.size()) == std::string::npos;
  return is_in_pieces ? at : name.size();
}

// The files of a checkpoint of the first format.
std::vector<std::string> FirstFormatFiles(const FileSystem& files, const std::string& name) {
  const size_t end = EndOfPrefix(name);
  std::vector<std::string> paths = Matching(files, LiteralPattern(name.substr(0, end)) + name.substr(end));
  std::erase_if(paths, [&](const std::string& path) { return files.IsFolder(path); });
  return paths;
}

}  // namespace

std::string MetaGraphPath(const std::string& prefix) { return prefix.substr(0, EndOfPrefix(prefix)) + ".meta"; }

void RemoveCheckpoint(const FileSystem& files, const std::string& prefix) {
  std::vector<std::string> paths = {BundleIndexPath(prefix)};
  for (const std::string& path : Matching(files, LiteralPattern(prefix) + ".data-*-of-*")) paths.push_back(path);
  const bool is_bundle = paths.size() > 1 || files.Exists(paths[0]);
  if (!is_bundle) paths = FirstFormatFiles(files, prefix);
  paths.push_back(MetaGraphPath(prefix));
  for (const std::string& path : paths) {
    if (files.Exists(path)) files.Remove(path);
  }
}

bool RemovedUnlessFolder(const FileSystem& files, const std::string& path) {
  try {
    files.Remove(path);
  } catch (const Error&) {
    if (!files.IsFolder(path)) throw;
    return false;
  }
  return true;
}

void RemoveWithAll(const FileSystem& files, const std::string& folder) {
  for (const std::string& name : files.List(folder)) {
    const std::string path = Str(folder, "/", name);
    if (!RemovedUnlessFolder(files, path)) RemoveWithAll(files, path);
  }
  files.RemoveFolder(folder);
}

}  // namespace plumb

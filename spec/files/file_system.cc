#include "spec/files/file_system.h"

#include <algorithm>
#include <climits>
#include <vector>

#include "spec/core/status.h"
#include "spec/files/system_files.h"

namespace plumb {
namespace {

std::unique_ptr<FileSystem>& Current() {
  static std::unique_ptr<FileSystem> files = std::make_unique<WholeMachine>();
  return files;
}

}  // namespace

const FileSystem& Files() { return *Current(); }
void ConfineFiles(const std::string& root, const std::string& readable) { Current() = ConfinedFiles(root, readable); }
std::unique_ptr<FileSystem> ConfinedFiles(const std::string& root, const std::string& readable) {
  if (readable.empty()) return std::make_unique<BelowFolder>(root);
  return std::make_unique<BelowFolderAndBeside>(root, readable);
}

std::string FileSystem::Read(const std::string& path, int64_t limit) const {
  const auto file = Open(path);
  if (file->size() > limit) throw ResourceExhausted("'", path, "' is larger than ", limit, " bytes");
  constexpr int64_t kBlock = int64_t{1} << 24;
  std::string content;
  for (int64_t at = 0; at < file->size(); at += kBlock) {  // memory grows with what is really there
    const int64_t count = std::min(kBlock, file->size() - at);
    content.resize(static_cast<size_t>(at + count));
    file->ReadAt(at, count, content.data() + at);
  }
  return content;
}

void FileSystem::Write(const std::string& path, std::string_view content) const {
  const auto file = Replace(path);
  file->Append(content);
  file->Commit();
}

void FileSystem::Append(const std::string& path, std::string_view content) const {
  Write(path, (Exists(path) ? Read(path) : std::string()).append(content));
}

std::string WithoutScheme(const std::string& path) {
  constexpr std::string_view kScheme = "file://";
  return path.starts_with(kScheme) ? path.substr(kScheme.size()) : path;
}

void FileSystem::MakeFolders(const std::string& uri) const {
  std::string path = WithoutScheme(uri);
  Require(path.size() < PATH_MAX, "the name of a folder has ", path.size(), " bytes; less than ", PATH_MAX,
          " are possible");
  std::vector<std::string> missing;
  while (!path.empty() && !Exists(path)) {
    missing.push_back(path);
    path = FolderOf(path);
  }
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) MakeFolder(*folder);
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace plumb

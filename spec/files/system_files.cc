#include "spec/files/system_files.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>

#include "spec/files/file_pattern.h"

namespace plumb {
namespace {

// What there is; nothing for what is not there.
std::optional<mode_t> ModeAt(const Place& place, int flags) {
  struct stat info;
  if (fstatat(place.folder, place.name.c_str(), &info, flags) != 0) return std::nullopt;
  return info.st_mode;
}

Error Refused(const std::string& path) {
  return Error(
      Code::kPermissionDenied,
      Str("'", path, "' leads out of the folder that files are confined to, or goes by '..' or a symbolic link"));
}

// Begun in the current folder where it is relative.
std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error);
  return error ? path : whole.lexically_normal().string();
}
std::string WithoutTrailingSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

// Where symbolic links lead from there; to nothing yet, perhaps.
std::string Followed(std::string path) {
  constexpr int kMostLinks = 40;  // as many as Linux follows
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code error;
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) return path;  // no link
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  throw FailedPrecondition("'", path, "' leads from link to link without end");
}

// Makes the folder that the place names that which names are looked up in.
void Enter(Place* place, const std::string& path) {
  const auto mode = ModeAt(*place, AT_SYMLINK_NOFOLLOW);
  if (mode && S_ISLNK(*mode)) throw Refused(path);
  Descriptor next(openat(place->folder, place->name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (next.number() < 0) throw SystemError("open", path, errno);
  place->owned = std::move(next);
  place->folder = place->owned.number();
}

}  // namespace

Place SystemFiles::Checked(const std::string& path) const {
  Require(path.find('\0') == std::string::npos, "the path '", path, "' has a zero byte");
  return Find(WithoutScheme(path));
}

Place SystemFiles::NoLink(const std::string& path) const {
  Place place = Checked(path);
  const auto mode = ModeAt(place, stat_flags_);
  if (mode && S_ISLNK(*mode)) throw Refused(path);
  return place;
}

bool SystemFiles::Exists(const std::string& path) const {
  try {
    return ModeAt(Checked(path), stat_flags_).has_value();
  } catch (const Error& error) {
    if (error.status().code() == Code::kPermissionDenied) throw;
    return false;
  }
}

bool SystemFiles::IsFolder(const std::string& path) const {
  if (!Exists(path)) return false;
  const auto mode = ModeAt(Checked(path), stat_flags_);
  return mode && S_ISDIR(*mode);
}

std::unique_ptr<RandomAccessFile> SystemFiles::Open(const std::string& path) const {
  return OpenAt(NoLink(path), path, open_flags_);
}

std::unique_ptr<ReplacedFile> SystemFiles::Replace(const std::string& path) const {
  return ReplaceAt(NoLink(path), path);
}

void SystemFiles::Append(const std::string& path, std::string_view content) const {
  AppendAt(NoLink(path), path, content, open_flags_);
}

void SystemFiles::Rename(const std::string& from, const std::string& to) const {
  const Place source = Checked(from), target = Checked(to);
  if (renameat(source.folder, source.name.c_str(), target.folder, target.name.c_str()) != 0) {
    throw SystemError("rename", from, errno);
  }
}

void SystemFiles::Remove(const std::string& path) const {
  const Place place = Checked(path);
  if (unlinkat(place.folder, place.name.c_str(), 0) != 0) throw SystemError("remove", path, errno);
}

void SystemFiles::MakeFolder(const std::string& path) const {
  if (path.empty()) return;
  const Place place = Checked(path);
  if (mkdirat(place.folder, place.name.c_str(), 0777) != 0 && errno != EEXIST) {
    throw SystemError("make the folder", path, errno);
  }
}

void SystemFiles::RemoveFolder(const std::string& path) const {
  const Place place = Checked(path);
  if (unlinkat(place.folder, place.name.c_str(), AT_REMOVEDIR) != 0) throw SystemError("remove", path, errno);
}

std::vector<std::string> SystemFiles::List(const std::string& path) const {
  const Place place = Checked(path.empty() ? "." : path);
  Descriptor folder(openat(place.folder, place.name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | open_flags_));
  if (folder.number() < 0) throw SystemError("list", path, errno);
  DIR* const entries = fdopendir(folder.number());
  if (entries == nullptr) throw SystemError("list", path, errno);
  folder.Release();
  std::vector<std::string> names;
  while (const dirent* entry = readdir(entries)) names.emplace_back(entry->d_name);
  closedir(entries);
  std::erase_if(names, [](const std::string& name) { return name == "." || name == ".."; });
  std::sort(names.begin(), names.end());
  return names;
}

Place WholeMachine::Find(const std::string& path) const {
  Place place;
  place.name = path;
  return place;
}

std::unique_ptr<ReplacedFile> WholeMachine::Replace(const std::string& path) const {
  Place place = Checked(path);
  place.name = Followed(place.name);
  return ReplaceAt(std::move(place), path);
}

BelowFolder::BelowFolder(std::string root)
    : SystemFiles(O_NOFOLLOW, AT_SYMLINK_NOFOLLOW), root_(WithoutTrailingSlashes(AbsolutePath(root))) {
  folder_ = Descriptor(open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (folder_.number() < 0) throw SystemError("open the folder", root_, errno);
}

Place BelowFolder::Find(const std::string& path) const {
  std::string_view rest = path;
  if (rest.starts_with('/')) {
    const bool is_below =
        root_ == "/" || (rest.starts_with(root_) && (rest.size() == root_.size() || rest[root_.size()] == '/'));
    if (!is_below) throw Refused(path);
    rest.remove_prefix(root_ == "/" ? 0 : root_.size());
  }
  Place place;
  place.folder = folder_.number();
  place.name = ".";
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('/'), rest.size());
    const std::string part(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") throw Refused(path);
    if (place.name != ".") Enter(&place, path);
    place.name = part;
  }
  return place;
}

BelowFolderAndBeside::BelowFolderAndBeside(const std::string& root, std::string readable)
    : below_(root),
      readable_(WithoutTrailingSlashes(WithoutScheme(readable))),
      matches_(Matching(WholeMachine(), readable_)),
      folder_(matches_.empty() ? FolderOf(readable_) : FolderOfMatches(readable_)),
      beside_(folder_.empty() ? "." : folder_) {}

std::optional<std::string> BelowFolderAndBeside::Beside(const std::string& uri) const {
  const std::string path = WithoutScheme(uri);
  if (std::find(matches_.begin(), matches_.end(), path) == matches_.end()) {
    if (!path.starts_with(readable_)) return std::nullopt;
    const std::string_view rest = std::string_view(path).substr(readable_.size());
    const bool goes_on = rest.starts_with('.') && rest.find('/') == std::string_view::npos;
    if (!rest.empty() && !rest.starts_with('/') && !goes_on) return std::nullopt;
  }
  return path.substr(folder_.empty() || folder_ == "/" ? folder_.size() : folder_.size() + 1);
}

bool BelowFolderAndBeside::Exists(const std::string& path) const {
  const auto beside = Beside(path);
  return beside ? beside_.Exists(*beside) : below_.Exists(path);
}

bool BelowFolderAndBeside::IsFolder(const std::string& path) const {
  const auto beside = Beside(path);
  return beside ? beside_.IsFolder(*beside) : below_.IsFolder(path);
}

std::unique_ptr<RandomAccessFile> BelowFolderAndBeside::Open(const std::string& path) const {
  const auto beside = Beside(path);
  return beside ? beside_.Open(*beside) : below_.Open(path);
}

std::vector<std::string> BelowFolderAndBeside::List(const std::string& path) const {
  const auto beside = Beside(path);
  return beside ? beside_.List(*beside) : below_.List(path);
}

std::vector<std::string> BelowFolderAndBeside::KnownMatches(const std::string& pattern) const {
  return WithoutScheme(pattern) == readable_ ? matches_ : std::vector<std::string>();
}

}  // namespace plumb

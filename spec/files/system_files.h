// File systems on that of the operating system: all of it, or what lies below one folder.
#pragma once

#include <optional>

#include "spec/files/open_files.h"

namespace plumb {

// Every operation is one call on a place, so that what a path leads to is decided once.
class SystemFiles : public FileSystem {
 public:
  bool Exists(const std::string& path) const override;
  bool IsFolder(const std::string& path) const override;
  std::unique_ptr<RandomAccessFile> Open(const std::string& path) const override;
  std::unique_ptr<ReplacedFile> Replace(const std::string& path) const override;
  void Append(const std::string& path, std::string_view content) const override;
  void Rename(const std::string& from, const std::string& to) const override;
  void Remove(const std::string& path) const override;
  void MakeFolder(const std::string& path) const override;
  void RemoveFolder(const std::string& path) const override;
  std::vector<std::string> List(const std::string& path) const override;

 protected:
  // `open_flags` besides those of the operation; `stat_flags` say how a link is looked at.
  SystemFiles(int open_flags, int stat_flags) : open_flags_(open_flags), stat_flags_(stat_flags) {}
  virtual Place Find(const std::string& path) const = 0;
  Place Checked(const std::string& path) const;

 private:
  // kPermissionDenied for a link that `stat_flags` do not follow.
  Place NoLink(const std::string& path) const;

  const int open_flags_;
  const int stat_flags_;
};

class WholeMachine : public SystemFiles {
 public:
  WholeMachine() : SystemFiles(0, 0) {}
  std::unique_ptr<ReplacedFile> Replace(const std::string& path) const override;  // where links lead, if it is one

 private:
  Place Find(const std::string& path) const override;
};

class BelowFolder : public SystemFiles {
 public:
  explicit BelowFolder(std::string root);

 private:
  // Goes down part by part, and follows no link.
  Place Find(const std::string& path) const override;

  std::string root_;
  Descriptor folder_;
};

// Reads what `readable` stands for as well (ConfineFiles), where no link leads out of the folder that it lies in.
class BelowFolderAndBeside : public FileSystem {
 public:
  BelowFolderAndBeside(const std::string& root, std::string readable);

  bool Exists(const std::string& path) const override;
  bool IsFolder(const std::string& path) const override;
  std::unique_ptr<RandomAccessFile> Open(const std::string& path) const override;
  std::vector<std::string> List(const std::string& path) const override;
  std::vector<std::string> KnownMatches(const std::string& pattern) const override;
  std::unique_ptr<ReplacedFile> Replace(const std::string& path) const override { return below_.Replace(path); }
  void Append(const std::string& path, std::string_view content) const override { below_.Append(path, content); }
  void Rename(const std::string& from, const std::string& to) const override { below_.Rename(from, to); }
  void Remove(const std::string& path) const override { below_.Remove(path); }
  void MakeFolder(const std::string& path) const override { below_.MakeFolder(path); }
  void RemoveFolder(const std::string& path) const override { below_.RemoveFolder(path); }

 private:
  // The path from the folder that `readable`, or all that matches it, lies in; nothing for any other file.
  std::optional<std::string> Beside(const std::string& path) const;

  const BelowFolder below_;
  const std::string readable_;
  const std::vector<std::string> matches_;
  const std::string folder_;
  const BelowFolder beside_;
};

}  // namespace plumb

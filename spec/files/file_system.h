// The files that graphs may reach: those of the machine, or those below one folder.
//
// All ops that read or write files go through Files(). Nothing else in a kernel opens a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

// A file that is read at any place, by any number of threads.
class RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;
  virtual const std::string& path() const = 0;
  virtual int64_t size() const = 0;
  // Exactly `size` bytes; kOutOfRange when the file ends before.
  virtual void ReadAt(int64_t offset, int64_t size, void* to) const = 0;
};

// A file that is written beside the one it shall replace. Until Commit() the old one is there, whole; afterwards the
// new one, on the disk. Without Commit() nothing has happened.
class ReplacedFile {
 public:
  virtual ~ReplacedFile() = default;
  virtual void Append(std::string_view bytes) = 0;
  virtual void Commit() = 0;
};

// Failures: kNotFound for what is not there, kPermissionDenied for what may not be reached, kAlreadyExists,
// kFailedPrecondition for a folder in the place of a file and the other way round, kResourceExhausted for a full disk,
// kInvalidArgument for a path that can be none, kUnknown otherwise. Messages name the path.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual bool Exists(const std::string& path) const = 0;
  virtual bool IsFolder(const std::string& path) const = 0;
  virtual std::unique_ptr<RandomAccessFile> Open(const std::string& path) const = 0;
  virtual std::unique_ptr<ReplacedFile> Replace(const std::string& path) const = 0;
  virtual void Rename(const std::string& from, const std::string& to) const = 0;
  virtual void Remove(const std::string& path) const = 0;
  // A folder in one that is there already. One that exists is left as it is, and so is "", the current one.
  virtual void MakeFolder(const std::string& path) const = 0;
  // Only if it is empty.
  virtual void RemoveFolder(const std::string& path) const = 0;
  // The names in a folder, sorted, without "." and "..".
  virtual std::vector<std::string> List(const std::string& path) const = 0;
  // What this very pattern stands for, where that was looked up beforehand (ConfineFiles); else nothing.
  virtual std::vector<std::string> KnownMatches(const std::string& /*pattern*/) const { return {}; }

  // A file as a string; kResourceExhausted when it is larger than `limit` bytes.
  std::string Read(const std::string& path, int64_t limit = INT64_MAX) const;
  // Puts a file with this content in the place of what is there.
  void Write(const std::string& path, std::string_view content) const;
  // Adds to the end of a file, which is made where there is none: all of it or nothing, as far as the system lets that
  // be. Whoever reads the file meanwhile goes on with what is added.
  virtual void Append(const std::string& path, std::string_view content) const;
  // A folder, and all of those that it lies in.
  void MakeFolders(const std::string& path) const;
};

// The files of this process.
const FileSystem& Files();
// From now on only what lies below the folder `root`. Relative paths begin there, absolute ones must lie below it by
// their text; ".." and symbolic links are refused wherever they occur (kPermissionDenied). Called once, before any
// session runs. What the user hands over beside, a checkpoint by its prefix or the folder of a model, may be read where
// it lies: `readable` itself, what lies below it, and the files beside it whose names go on with a dot; of a pattern,
// the files that match it now.
void ConfineFiles(const std::string& root, const std::string& readable = "");
// The same as an object, for tests.
std::unique_ptr<FileSystem> ConfinedFiles(const std::string& root, const std::string& readable = "");

// "file:///a/b" names the file /a/b too, wherever a path is taken: this is that path.
std::string WithoutScheme(const std::string& path);

// What lies before the last '/', or "".
std::string FolderOf(const std::string& path);

}  // namespace plumb

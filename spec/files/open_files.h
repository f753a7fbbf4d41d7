// Files of the operating system: descriptors, and what is read and written through them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "spec/core/status.h"
#include "spec/files/file_system.h"

namespace plumb {

// What a call of the operating system failed with, as a failure of a file system.
Error SystemError(std::string_view doing, const std::string& path, int error);

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

// A name in an open folder; the folder is not owned where it is the current one.
struct Place {
  Descriptor owned;
  int folder = AT_FDCWD;
  std::string name;
};

// `flags` of open besides those that reading takes.
std::unique_ptr<RandomAccessFile> OpenAt(const Place& place, const std::string& path, int flags);
// Written under another name in the same folder.
std::unique_ptr<ReplacedFile> ReplaceAt(Place place, const std::string& path);
// At the end of what is there. `flags` as those of OpenAt.
void AppendAt(const Place& place, const std::string& path, std::string_view bytes, int flags);
// Waits until all that was written is on the disk, beside the old file still, where `file` is one of the machine's:
// Commit() has not to wait for it then.
void Settle(ReplacedFile* file);

}  // namespace plumb

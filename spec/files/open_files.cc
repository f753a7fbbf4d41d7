#include "spec/files/open_files.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <random>

namespace plumb {
namespace {

Code CodeOf(int error) {
  switch (error) {
    case ENOENT:
      return Code::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP:
      return Code::kPermissionDenied;
    case EEXIST:
      return Code::kAlreadyExists;
    case EISDIR:
    case ENOTDIR:
    case ENOTEMPTY:
      return Code::kFailedPrecondition;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
      return Code::kResourceExhausted;
    case ENAMETOOLONG:
    case EINVAL:
      return Code::kInvalidArgument;
    case EFBIG:
      return Code::kOutOfRange;
    case EXDEV:
      return Code::kUnimplemented;
    default:
      return Code::kUnknown;
  }
}

class OpenFile : public RandomAccessFile {
 public:
  OpenFile(Descriptor file, std::string path, int64_t size)
      : file_(std::move(file)), path_(std::move(path)), size_(size) {}

  const std::string& path() const override { return path_; }
  int64_t size() const override { return size_; }
  void ReadAt(int64_t offset, int64_t size, void* to) const override {
    auto* at = static_cast<char*>(to);
    while (size > 0) {
      const ssize_t got = pread(file_.number(), at, static_cast<size_t>(size), offset);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw SystemError("read", path_, errno);
      if (got == 0) throw OutOfRange("'", path_, "' ends ", size, " bytes before what shall be read of it");
      at += got;
      offset += got;
      size -= got;
    }
  }

 private:
  const Descriptor file_;
  const std::string path_;
  const int64_t size_;
};

// No longer than a name may be.
std::string NameBeside(const std::string& name, uint64_t number) {
  constexpr size_t kOwn = 200;
  return Str(name.substr(0, kOwn), ".tempstate", number);
}

// Bytes are collected, so that many small pieces are one call.
class FileBeside : public ReplacedFile {
 public:
  FileBeside(Place place, const std::string& path)
      : place_(std::move(place)), path_(path), beside_(NameBeside(place_.name, RandomNumber())) {
    struct stat there;
    const bool exists = fstatat(place_.folder, place_.name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0;
    if (exists && !S_ISREG(there.st_mode)) {
      throw FailedPrecondition("'", path_, "' is no file that could be replaced, but a folder or a device");
    }
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    file_ = Descriptor(openat(place_.folder, beside_.c_str(), kFlags, 0666));
    if (file_.number() < 0) throw SystemError("create", path_, errno);
  }
  ~FileBeside() override {
    if (!committed_) unlinkat(place_.folder, beside_.c_str(), 0);  // nobody could be told that it failed
  }
  void Append(std::string_view bytes) override {
    if (pending_.size() + bytes.size() > kPending) Flush();
    if (bytes.size() >= kPending) {
      Write(bytes);
    } else {
      pending_.append(bytes);
    }
  }
  void Settle() {
    Flush();
    if (is_settled_) return;
    if (fdatasync(file_.number()) != 0) throw SystemError("write", path_, errno);
    is_settled_ = true;
  }
  void Commit() override {
    Settle();
    if (close(file_.Release()) != 0) throw SystemError("write", path_, errno);
    if (renameat(place_.folder, beside_.c_str(), place_.folder, place_.name.c_str()) != 0) {
      throw SystemError("replace", path_, errno);
    }
    committed_ = true;
  }

 private:
  static constexpr size_t kPending = 1 << 16;
  static constexpr off_t kAhead = 1 << 20;  // less is one request of the disk

  static uint64_t RandomNumber() {
    std::random_device device;
    return (uint64_t{device()} << 32) | device();
  }
  void Flush() {
    Write(pending_);
    pending_.clear();
  }
  void Write(std::string_view bytes) {
    is_settled_ = is_settled_ && bytes.empty();
    while (!bytes.empty()) {
      const ssize_t written = write(file_.number(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw SystemError("write", path_, errno);
      size_ += written;
      bytes.remove_prefix(static_cast<size_t>(written));
      if (size_ - begun_ <= kAhead) continue;
      // The disk begins while the rest is being made. Whether it can is its affair: Settle waits for all of it.
      sync_file_range(file_.number(), begun_, size_ - begun_, SYNC_FILE_RANGE_WRITE);
      begun_ = size_;
    }
  }

  const Place place_;
  const std::string path_;
  const std::string beside_;
  Descriptor file_;
  std::string pending_;
  off_t size_ = 0;   // of what was written
  off_t begun_ = 0;  // of that, what the disk was told to begin with
  bool is_settled_ = false;
  bool committed_ = false;
};

}  // namespace

Error SystemError(std::string_view doing, const std::string& path, int error) {
  return Error(CodeOf(error), Str("cannot ", doing, " '", path, "': ", std::strerror(error)));
}

std::unique_ptr<RandomAccessFile> OpenAt(const Place& place, const std::string& path, int flags) {
  // A pipe without a writer would hold up whoever opens it.
  Descriptor file(openat(place.folder, place.name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags));
  struct stat info;
  if (file.number() < 0 || fstat(file.number(), &info) != 0) throw SystemError("open", path, errno);
  if (S_ISDIR(info.st_mode)) throw FailedPrecondition("'", path, "' is a folder, not a file");
  return std::make_unique<OpenFile>(std::move(file), path, info.st_size);
}

std::unique_ptr<ReplacedFile> ReplaceAt(Place place, const std::string& path) {
  return std::make_unique<FileBeside>(std::move(place), path);
}

void AppendAt(const Place& place, const std::string& path, std::string_view bytes, int flags) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK;
  const Descriptor file(openat(place.folder, place.name.c_str(), kFlags | flags, 0666));
  struct stat info;
  if (file.number() < 0 || fstat(file.number(), &info) != 0) throw SystemError("write", path, errno);
  if (!S_ISREG(info.st_mode)) throw FailedPrecondition("'", path, "' is no file that could be added to, but a device");
  while (!bytes.empty()) {
    const ssize_t written = write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      static_cast<void>(ftruncate(file.number(), info.st_size));  // half of it would spoil what follows
      throw SystemError("write", path, error);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void Settle(ReplacedFile* file) {
  if (auto* const beside = dynamic_cast<FileBeside*>(file)) beside->Settle();
}

}  // namespace plumb

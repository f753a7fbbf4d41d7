// The bytes of a file, which may be compressed as a whole: read as far as they are needed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "spec/files/file_system.h"
#include "spec/formats/compression.h"

namespace plumb::fast::cpu {

// What is not compressed is read through a window, the rest as a whole when it is first asked for.
class FileWindow {
 public:
  FileWindow(const std::string& path, Compression compression) : file_(Files().Open(path)), compression_(compression) {}

  // Of the decoded bytes.
  int64_t size();
  // DATA_LOSS where these are not all, as what follows is damaged: for who needs more of them.
  void RequireWhole();
  // The bytes from `from` on, `count` of them or as many as there are; valid until the next call.
  std::string_view At(int64_t from, int64_t count);

 private:
  void Decode();

  const std::unique_ptr<RandomAccessFile> file_;
  const Compression compression_;
  bool is_decoded_ = false, is_damaged_ = false;
  std::string bytes_;  // from begin_ on
  int64_t begin_ = 0;
};

}  // namespace plumb::fast::cpu

#include "fastpath/cpu/data_flow/file_window.h"

#include <algorithm>

#include "spec/core/status.h"
#include "spec/formats/inflate.h"

namespace plumb::fast::cpu {
namespace {

constexpr int64_t kWindow = int64_t{1} << 18;

}  // namespace

void FileWindow::Decode() {
  std::string compressed(static_cast<size_t>(file_->size()), '\0');
  file_->ReadAt(0, file_->size(), compressed.data());
  Inflated inflated = Inflate(compressed, compression_);
  bytes_ = std::move(inflated.bytes);
  is_damaged_ = inflated.is_damaged;
  is_decoded_ = true;
}

void FileWindow::RequireWhole() {
  const int64_t size = this->size();
  if (is_damaged_) throw DataLoss("a compressed file is damaged: only ", size, " bytes of it can be decoded");
}

int64_t FileWindow::size() {
  if (compression_ == Compression::kNone) return file_->size();
  if (!is_decoded_) Decode();
  return std::ssize(bytes_);
}

std::string_view FileWindow::At(int64_t from, int64_t count) {
  const int64_t size = this->size();
  from = std::clamp<int64_t>(from, 0, size);
  count = std::clamp<int64_t>(count, 0, size - from);
  const bool is_there = from >= begin_ && from + count <= begin_ + std::ssize(bytes_);
  if (!is_there) {
    const int64_t read = std::min(std::max(count, kWindow), size - from);
    std::string window(static_cast<size_t>(read), '\0');
    file_->ReadAt(from, read, window.data());
    bytes_ = std::move(window);
    begin_ = from;
  }
  return std::string_view(bytes_).substr(static_cast<size_t>(from - begin_), static_cast<size_t>(count));
}

}  // namespace plumb::fast::cpu

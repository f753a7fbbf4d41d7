// Record files (rules Z2–Z4): length, checksum, data, checksum, one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "spec/formats/compression.h"

namespace plumb {

// The record around `data`: 16 bytes more.
std::string FrameRecord(std::string_view data);

// What is before the data of a record, and behind it.
inline constexpr size_t kRecordHeaderBytes = 12, kRecordFooterBytes = 4;
// The length of the data, and whether they are what was written: kDataLoss "corrupted record" naming `place`.
uint64_t RecordLength(std::string_view header, std::string_view place);
void CheckRecord(std::string_view data, std::string_view footer, std::string_view place);

class RecordWriter {
 public:
  explicit RecordWriter(const std::string& path, Compression compression = Compression::kNone)
      : file_(path, compression) {}
  void Write(std::string_view data) { file_.Write(FrameRecord(data)); }
  void Flush() { file_.Flush(); }
  void Close() { file_.Close(); }

 private:
  OutputFile file_;
};

class RecordReader {
 public:
  explicit RecordReader(const std::string& path, Compression compression = Compression::kNone)
      : file_(path, compression) {}
  // The next record, or nothing at a clean end. Throws kDataLoss "truncated record" or "corrupted record" with the
  // file and the offset (in the decompressed stream) at which the record starts.
  std::optional<std::string> Next();

 private:
  std::string Take(size_t size);

  InputFile file_;
  uint64_t offset_ = 0;
};

}  // namespace plumb

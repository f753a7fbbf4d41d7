// Files that may be compressed as a whole: one stream in, one stream out.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace plumb {

enum class Compression { kNone, kZlib, kGzip };

// "", "ZLIB", "GZIP" as the reader ops write it; anything else means none (rule Z4).
Compression ParseCompression(std::string_view type);

// Bytes of a file, decompressed while they are read. Throws kDataLoss naming the file for a broken stream.
class InputFile {
 public:
  InputFile(const std::string& path, Compression compression);
  ~InputFile();
  // Appends up to `size` bytes; fewer only at the end of the file. Memory grows with what is read, not with `size`.
  size_t Read(size_t size, std::string* to);
  const std::string& path() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Writes a file, compressed on the way. Failures to write throw kUnknown naming the file.
class OutputFile {
 public:
  OutputFile(const std::string& path, Compression compression);
  ~OutputFile();  // closes, and swallows what goes wrong: call Close() to know
  void Write(std::string_view bytes);
  // Hands everything written so far to the operating system.
  void Flush();
  void Close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The content of a gzip stream in memory; kDataLoss when it is broken, kResourceExhausted above `limit` bytes.
std::string Gunzip(std::string_view compressed, size_t limit);

}  // namespace plumb

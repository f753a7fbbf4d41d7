// Bytes → a checkpoint: a status, or tensors. The first byte says whether the index is given as it is, or by its keys
// and values, so that its checksums are right; two bytes say how long it is; the rest is the data file.
#include "spec/checkpoint/bundle.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "spec/checkpoint/table_builder.h"
#include "spec/core/status.h"

namespace plumb {
namespace {

class MemoryFile : public RandomAccessFile, public ReplacedFile {
 public:
  explicit MemoryFile(std::string bytes = "") : bytes_(std::move(bytes)) {}
  const std::string& path() const override { return path_; }
  int64_t size() const override { return static_cast<int64_t>(bytes_.size()); }
  void ReadAt(int64_t offset, int64_t size, void* to) const override {
    if (offset < 0 || size < 0 || offset > this->size() - size) throw OutOfRange("the file ends before");
    if (size > 0) std::memcpy(to, bytes_.data() + offset, static_cast<size_t>(size));
  }
  void Append(std::string_view bytes) override { bytes_.append(bytes); }
  void Commit() override {}
  const std::string& bytes() const { return bytes_; }

 private:
  const std::string path_ = "file";
  std::string bytes_;
};

// An index and one data file, whatever the prefix is.
class TwoFiles : public FileSystem {
 public:
  TwoFiles(std::string index, std::string data) : index_(std::move(index)), data_(std::move(data)) {}
  bool Exists(const std::string&) const override { return true; }
  bool IsFolder(const std::string&) const override { return false; }
  std::unique_ptr<RandomAccessFile> Open(const std::string& path) const override {
    return std::make_unique<MemoryFile>(path.ends_with(".index") ? index_ : data_);
  }
  std::unique_ptr<ReplacedFile> Replace(const std::string&) const override { return std::make_unique<MemoryFile>(); }
  void Rename(const std::string&, const std::string&) const override {}
  void Remove(const std::string&) const override {}
  void MakeFolder(const std::string&) const override {}
  void RemoveFolder(const std::string&) const override {}
  std::vector<std::string> List(const std::string&) const override { return {}; }

 private:
  const std::string index_, data_;
};

// "KVkeyvalue…": two lengths, then what they are the lengths of.
std::string TableOf(std::string_view bytes) {
  std::map<std::string, std::string> pairs;
  while (bytes.size() >= 2) {
    const size_t key = static_cast<uint8_t>(bytes[0]), value = static_cast<uint8_t>(bytes[1]);
    bytes.remove_prefix(2);
    const std::string_view name = bytes.substr(0, key);
    bytes.remove_prefix(name.size());
    const std::string_view text = bytes.substr(0, value);
    bytes.remove_prefix(text.size());
    pairs[std::string(name)] = text;
  }
  MemoryFile file;
  checkpoint::TableBuilder table(&file);
  for (const auto& [key, value] : pairs) table.Add(key, value);
  table.Finish();
  return file.bytes();
}

void ReadAll(const FileSystem& files) {
  BundleReader reader(files, "p");
  for (const BundleEntry& entry : reader.List()) {
    try {
      const auto allocate = [](DType dtype, const Shape& shape) { return Tensor(dtype, shape); };
      if (entry.slices.empty()) reader.Read(entry, allocate);
      for (const TensorSlice& slice : entry.slices) reader.Read(reader.FindSlice(entry, slice), allocate);
    } catch (const Error&) {  // the others may be well
    }
  }
}

}  // namespace
}  // namespace plumb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t length = data[1] + size_t{256} * data[2];
  bytes.remove_prefix(3);
  const std::string_view index = bytes.substr(0, length);
  bytes.remove_prefix(index.size());
  try {
    plumb::ReadAll(plumb::TwoFiles(data[0] == 0 ? std::string(index) : plumb::TableOf(index), std::string(bytes)));
  } catch (const plumb::Error&) {  // a status
  }
  return 0;
}

// Reads a table: sorted pairs of key and value in blocks with checksums (rules Z20–Z24).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "spec/core/status.h"
#include "spec/files/file_system.h"

namespace plumb::checkpoint {

// Throws kDataLoss, naming the file, for whatever no writer has written. One thread at a time.
class TableReader {
 public:
  explicit TableReader(std::unique_ptr<RandomAccessFile> file);

  const std::string& path() const { return file_->path(); }
  // The value of a key; it is there until the next call.
  std::optional<std::string_view> Find(std::string_view key);
  // All pairs, in the order of their keys.
  void ForEach(const std::function<void(std::string_view key, std::string_view value)>& visit);

 private:
  // The bytes of a block: pairs, in which a key repeats only what it does not share with the one before, then the
  // offsets of those that share nothing.
  struct Block {
    std::string bytes;
    size_t pairs_size = 0;
    size_t num_restarts = 0;
    uint64_t offset = UINT64_MAX;  // in the file
  };
  // Goes over the pairs from `at` on, where a key shares nothing.
  class Cursor {
   public:
    Cursor(const TableReader& table, const Block& block, size_t at = 0);
    bool Next();
    const std::string& key() const { return key_; }
    std::string_view value() const { return value_; }

   private:
    const TableReader& table_;
    std::string_view rest_;
    std::string key_;
    std::string_view value_;
  };

  // Of the place that bytes say.
  Block ReadBlock(std::string_view* place) const;
  const Block& DataBlock(std::string_view place);
  // At the first pair whose key is not before this one; nothing where all are.
  std::optional<Cursor> FirstFrom(const Block& block, std::string_view key) const;
  Error Broken(std::string_view how) const;

  std::unique_ptr<RandomAccessFile> file_;
  Block index_;  // the last key that a block may have, and its place
  Block block_;  // the data block that was read last
};

}  // namespace plumb::checkpoint

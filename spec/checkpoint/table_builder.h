// Writes a table: sorted pairs of key and value in blocks with checksums (rules Z20–Z24).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/files/file_system.h"

namespace plumb::checkpoint {

// Pairs of one block, in which a key repeats only what it does not share with the one before.
class BlockBuilder {
 public:
  explicit BlockBuilder(int restart_interval) : restart_interval_(restart_interval) {}
  void Add(std::string_view key, std::string_view value);
  size_t Size() const { return body_.size() + sizeof(uint32_t) * (restarts_.size() + 1); }
  bool IsEmpty() const { return body_.empty(); }
  // The block; the builder is empty afterwards.
  std::string Finish();

 private:
  const int restart_interval_;
  std::string body_;
  std::vector<uint32_t> restarts_ = {0};
  int since_restart_ = 0;
  std::string last_key_;
};

class TableBuilder {
 public:
  // The file is committed by the caller.
  explicit TableBuilder(ReplacedFile* file) : file_(*file) {}
  // Keys come in ascending order, each once.
  void Add(std::string_view key, std::string_view value);
  void Finish();

 private:
  void EndBlock();
  void EndPendingIndexEntry(std::string key);
  // Where it was written, as varints.
  std::string Write(BlockBuilder* block);

  ReplacedFile& file_;
  uint64_t offset_ = 0;
  BlockBuilder data_{16};
  BlockBuilder index_{1};
  std::string last_key_;
  std::string pending_block_;  // where the last block is, until a key shows how it ends in the index
  bool has_entries_ = false;
};

}  // namespace plumb::checkpoint

#include "spec/checkpoint/table_builder.h"

#include <algorithm>

#include "spec/checkpoint/table_format.h"
#include "spec/core/bytes.h"
#include "spec/formats/crc32c.h"

namespace plumb::checkpoint {
namespace {

constexpr size_t kAround = 64;  // bytes: the sizes of a pair, one restart, and the trailer

size_t CommonPrefix(std::string_view a, std::string_view b) {
  const auto [at, unused] = std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin());
  return static_cast<size_t>(at - a.begin());
}

// A short key that is not before `last` and is before `next`.
std::string Separator(std::string last, std::string_view next) {
  const size_t shared = CommonPrefix(last, next);
  if (shared == last.size() || shared == next.size()) return last;
  const auto byte = static_cast<uint8_t>(last[shared]);
  if (byte + 1 >= static_cast<uint8_t>(next[shared])) return last;  // of 0xff too: the sum is an int
  last.resize(shared + 1);
  last.back() = static_cast<char>(byte + 1);
  return last;
}

// A short key that is not before `last`.
std::string Successor(std::string last) {
  const size_t at = last.find_first_not_of('\xff');
  if (at == std::string::npos) return last;
  last.resize(at + 1);
  last.back() = static_cast<char>(last.back() + 1);
  return last;
}

}  // namespace

void BlockBuilder::Add(std::string_view key, std::string_view value) {
  if (since_restart_ == restart_interval_) {
    restarts_.push_back(static_cast<uint32_t>(body_.size()));
    since_restart_ = 0;
  }
  const size_t shared = since_restart_ == 0 ? 0 : CommonPrefix(last_key_, key);
  // A large value is copied once: what comes before and behind it has room too.
  if (value.size() >= kBlockSize) body_.reserve(Size() + key.size() + value.size() + kAround);
  AppendVarint(shared, &body_);
  AppendVarint(key.size() - shared, &body_);
  AppendVarint(value.size(), &body_);
  body_.append(key.substr(shared));
  body_.append(value);
  last_key_ = key;
  ++since_restart_;
}

std::string BlockBuilder::Finish() {
  for (const uint32_t restart : restarts_) AppendFixed(restart, &body_);
  AppendFixed(static_cast<uint32_t>(restarts_.size()), &body_);
  restarts_ = {0};
  since_restart_ = 0;
  last_key_.clear();
  return std::exchange(body_, {});
}

void TableBuilder::Add(std::string_view key, std::string_view value) {
  if (has_entries_ && key <= last_key_) throw Internal("the keys of a table are not in ascending order");
  if (has_entries_ && key.size() + value.size() >= 2 * kBlockSize) EndBlock();
  if (!pending_block_.empty()) EndPendingIndexEntry(Separator(last_key_, key));
  last_key_ = key;
  has_entries_ = true;
  data_.Add(key, value);
  if (data_.Size() >= kBlockSize) EndBlock();
}

void TableBuilder::EndBlock() {
  if (!data_.IsEmpty()) pending_block_ = Write(&data_);
}

void TableBuilder::EndPendingIndexEntry(std::string key) {
  index_.Add(key, pending_block_);
  pending_block_.clear();
}

std::string TableBuilder::Write(BlockBuilder* block) {
  std::string bytes = block->Finish();
  std::string place;
  AppendVarint(offset_, &place);
  AppendVarint(bytes.size(), &place);
  bytes.push_back(kUncompressed);
  AppendFixed(MaskCrc(Crc32c(bytes)), &bytes);
  file_.Append(bytes);
  offset_ += bytes.size();
  return place;
}

void TableBuilder::Finish() {
  EndBlock();
  BlockBuilder meta(16);
  std::string footer = Write(&meta);
  if (!pending_block_.empty()) EndPendingIndexEntry(Successor(last_key_));
  footer += Write(&index_);
  footer.resize(kFooterSize - sizeof(kTableMagic));
  AppendFixed(kTableMagic, &footer);
  file_.Append(footer);
}

}  // namespace plumb::checkpoint

#include "spec/checkpoint/table_reader.h"

#include "spec/checkpoint/table_format.h"
#include "spec/core/bytes.h"
#include "spec/formats/crc32c.h"

namespace plumb::checkpoint {

TableReader::TableReader(std::unique_ptr<RandomAccessFile> file) : file_(std::move(file)) {
  if (file_->size() < static_cast<int64_t>(kFooterSize)) throw Broken("it is too short");
  std::string footer(kFooterSize, '\0');
  file_->ReadAt(file_->size() - static_cast<int64_t>(kFooterSize), static_cast<int64_t>(kFooterSize), footer.data());
  ByteReader magic(std::string_view(footer).substr(kFooterSize - sizeof(kTableMagic)), path());
  if (magic.TakeFixed<uint64_t>() != kTableMagic) throw Broken("its last bytes are not those of a table");
  std::string_view places(footer);
  ReadBlock(&places);  // of meta data
  index_ = ReadBlock(&places);
}

Error TableReader::Broken(std::string_view how) const { return DataLoss("'", path(), "' is no table: ", how); }

TableReader::Block TableReader::ReadBlock(std::string_view* place) const {
  ByteReader numbers(*place, path());
  const uint64_t offset = numbers.TakeVarint(), size = numbers.TakeVarint();
  *place = numbers.Rest();
  const auto file_size = static_cast<uint64_t>(file_->size());
  if (offset > file_size || size > file_size - offset || file_size - offset - size < kTrailerSize) {
    throw Broken(Str("a block at ", offset, " would end behind it"));
  }
  Block block{.bytes = std::string(size + kTrailerSize, '\0'), .offset = offset};
  file_->ReadAt(static_cast<int64_t>(offset), static_cast<int64_t>(block.bytes.size()), block.bytes.data());
  const std::string_view bytes(block.bytes);
  ByteReader trailer(bytes.substr(size), path());
  const char compression = trailer.Take(1)[0];
  if (trailer.TakeFixed<uint32_t>() != MaskCrc(Crc32c(bytes.substr(0, size + 1)))) {
    throw Broken(Str("the block at ", offset, " has another checksum than is stored behind it"));
  }
  if (compression != kUncompressed) throw Unimplemented("the block at ", offset, " of '", path(), "' is compressed");
  if (size < sizeof(uint32_t)) throw Broken(Str("the block at ", offset, " is too short"));
  ByteReader count(bytes.substr(size - sizeof(uint32_t)), path());
  block.num_restarts = count.TakeFixed<uint32_t>();
  const uint64_t restarts_size = (uint64_t{block.num_restarts} + 1) * sizeof(uint32_t);
  if (restarts_size > size) throw Broken(Str("the block at ", offset, " is too short for its restarts"));
  block.pairs_size = size - restarts_size;
  return block;
}

TableReader::Cursor::Cursor(const TableReader& table, const Block& block, size_t at)
    : table_(table), rest_(std::string_view(block.bytes).substr(0, block.pairs_size)) {
  if (at > rest_.size()) throw table.Broken("a restart lies behind its block");
  rest_.remove_prefix(at);
}

bool TableReader::Cursor::Next() {
  if (rest_.empty()) return false;
  ByteReader reader(rest_, table_.path());
  const uint64_t shared = reader.TakeVarint(), own = reader.TakeVarint(), value_size = reader.TakeVarint();
  if (shared > key_.size()) throw table_.Broken("a key shares more with the one before than that one has");
  key_.resize(shared);
  key_ += reader.Take(own);
  value_ = reader.Take(value_size);
  rest_ = reader.Rest();
  return true;
}

std::optional<TableReader::Cursor> TableReader::FirstFrom(const Block& block, std::string_view key) const {
  const auto restart = [&](size_t i) {
    const size_t at = block.pairs_size + i * sizeof(uint32_t);
    return ByteReader(std::string_view(block.bytes).substr(at, sizeof(uint32_t)), path()).TakeFixed<uint32_t>();
  };
  size_t first = 0;  // the last restart whose key is before the sought one, if there is one
  for (size_t count = block.num_restarts; count > 1;) {
    const size_t half = count / 2;
    Cursor cursor(*this, block, restart(first + half));
    const bool is_before = cursor.Next() && cursor.key() < key;
    first += is_before ? half : 0;
    count = is_before ? count - half : half;
  }
  Cursor cursor(*this, block, block.num_restarts == 0 ? 0 : restart(first));
  while (cursor.Next()) {
    if (cursor.key() >= key) return cursor;
  }
  return std::nullopt;
}

const TableReader::Block& TableReader::DataBlock(std::string_view place) {
  ByteReader numbers(place, path());
  if (numbers.TakeVarint() != block_.offset) block_ = ReadBlock(&place);
  return block_;
}

std::optional<std::string_view> TableReader::Find(std::string_view key) {
  const auto entry = FirstFrom(index_, key);
  if (!entry) return std::nullopt;
  const auto found = FirstFrom(DataBlock(entry->value()), key);
  if (!found || found->key() != key) return std::nullopt;
  return found->value();
}

void TableReader::ForEach(const std::function<void(std::string_view, std::string_view)>& visit) {
  for (Cursor block(*this, index_); block.Next();) {
    for (Cursor pair(*this, DataBlock(block.value())); pair.Next();) visit(pair.key(), pair.value());
  }
}

}  // namespace plumb::checkpoint

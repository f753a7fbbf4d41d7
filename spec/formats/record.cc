#include "spec/formats/record.h"

#include "spec/core/status.h"
#include "spec/formats/crc32c.h"

namespace plumb {
namespace {

template <class Unsigned>
void AppendLittleEndian(Unsigned value, std::string* to) {
  for (size_t i = 0; i < sizeof(value); ++i) to->push_back(static_cast<char>(value >> (8 * i)));
}

template <class Unsigned>
Unsigned LittleEndian(std::string_view bytes) {
  Unsigned value = 0;
  for (size_t i = 0; i < sizeof(value); ++i) value |= Unsigned{static_cast<uint8_t>(bytes[i])} << (8 * i);
  return value;
}

bool ChecksumHolds(std::string_view data, std::string_view stored) {
  return LittleEndian<uint32_t>(stored) == MaskCrc(Crc32c(data));
}

constexpr size_t kLengthBytes = 8;
constexpr size_t kChecksumBytes = 4;

}  // namespace

std::string FrameRecord(std::string_view data) {
  std::string record;
  record.reserve(data.size() + kLengthBytes + 2 * kChecksumBytes);
  AppendLittleEndian(uint64_t{data.size()}, &record);
  AppendLittleEndian(MaskCrc(Crc32c(record)), &record);
  record.append(data);
  AppendLittleEndian(MaskCrc(Crc32c(data)), &record);
  return record;
}

std::string RecordReader::Take(size_t size) {
  std::string bytes;
  if (file_.Read(size, &bytes) < size) throw DataLoss("truncated record at offset ", offset_, " of ", file_.path());
  return bytes;
}

std::optional<std::string> RecordReader::Next() {
  std::string header;
  const size_t got = file_.Read(kLengthBytes + kChecksumBytes, &header);
  if (got == 0) return std::nullopt;
  if (got < kLengthBytes + kChecksumBytes) {
    throw DataLoss("truncated record at offset ", offset_, " of ", file_.path());
  }
  const std::string_view length_bytes = std::string_view(header).substr(0, kLengthBytes);
  if (!ChecksumHolds(length_bytes, std::string_view(header).substr(kLengthBytes))) {
    throw DataLoss("corrupted record at offset ", offset_, " of ", file_.path(), ": wrong checksum of the length");
  }
  const auto length = LittleEndian<uint64_t>(length_bytes);
  std::string data = Take(length);
  if (!ChecksumHolds(data, Take(kChecksumBytes))) {
    throw DataLoss("corrupted record at offset ", offset_, " of ", file_.path(), ": wrong checksum of the data");
  }
  offset_ += kLengthBytes + kChecksumBytes + length + kChecksumBytes;
  return data;
}

}  // namespace plumb

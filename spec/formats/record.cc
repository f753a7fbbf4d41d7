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
static_assert(kRecordHeaderBytes == kLengthBytes + kChecksumBytes && kRecordFooterBytes == kChecksumBytes);

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

uint64_t RecordLength(std::string_view header, std::string_view place) {
  const std::string_view length = header.substr(0, kLengthBytes);
  if (!ChecksumHolds(length, header.substr(kLengthBytes, kChecksumBytes))) {
    throw DataLoss("corrupted record at ", place, ": wrong checksum of the length");
  }
  return LittleEndian<uint64_t>(length);
}

void CheckRecord(std::string_view data, std::string_view footer, std::string_view place) {
  if (!ChecksumHolds(data, footer)) throw DataLoss("corrupted record at ", place, ": wrong checksum of the data");
}

std::string RecordReader::Take(size_t size) {
  std::string bytes;
  if (file_.Read(size, &bytes) < size) throw DataLoss("truncated record at offset ", offset_, " of ", file_.path());
  return bytes;
}

std::optional<std::string> RecordReader::Next() {
  const std::string place = Str("offset ", offset_, " of ", file_.path());
  std::string header;
  const size_t got = file_.Read(kRecordHeaderBytes, &header);
  if (got == 0) return std::nullopt;
  if (got < kRecordHeaderBytes) throw DataLoss("truncated record at ", place);
  const uint64_t length = RecordLength(header, place);
  std::string data = Take(length);
  CheckRecord(data, Take(kRecordFooterBytes), place);
  offset_ += kRecordHeaderBytes + length + kRecordFooterBytes;
  return data;
}

}  // namespace plumb

#include "spec/checkpoint/bundle_data.h"

#include <algorithm>
#include <cstring>

#include "spec/checkpoint/messages.h"
#include "spec/core/bytes.h"
#include "spec/formats/crc32c.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/tensor.pb.h"

namespace plumb::checkpoint {
namespace {

// Bytes on their way to the file, and what their checksum is so far.
class DataWriter {
 public:
  explicit DataWriter(ReplacedFile* file) : file_(*file) {}
  void Append(std::string_view bytes) {
    AppendUnchecked(bytes);
    checksum_ = Crc32c(bytes, checksum_);
  }
  void AppendUnchecked(std::string_view bytes) {
    file_.Append(bytes);
    size_ += static_cast<int64_t>(bytes.size());
  }
  void Count(std::string_view bytes) { checksum_ = Crc32c(bytes, checksum_); }
  void AppendChecksum() {
    std::string bytes;
    AppendFixed(MaskCrc(checksum_), &bytes);
    Append(bytes);
  }
  WrittenData Written() const { return {size_, MaskCrc(checksum_)}; }

 private:
  ReplacedFile& file_;
  int64_t size_ = 0;
  uint32_t checksum_ = 0;
};

// A length as its checksum is taken: four bytes, or eight where it needs them.
std::string CountedLength(uint64_t length) {
  std::string bytes;
  if (length <= UINT32_MAX) {
    AppendFixed(static_cast<uint32_t>(length), &bytes);
  } else {
    AppendFixed(length, &bytes);
  }
  return bytes;
}

void WriteStrings(std::span<const std::string> strings, DataWriter* to) {
  std::string lengths;
  for (const std::string& text : strings) {
    AppendVarint(text.size(), &lengths);
    to->Count(CountedLength(text.size()));
  }
  to->AppendUnchecked(lengths);
  to->AppendChecksum();
  for (const std::string& text : strings) to->Append(text);
}

void WriteVariants(const Tensor& tensor, DataWriter* to) {
  pb::TensorProto message;
  ToProto(tensor, &message);
  for (const auto& variant : message.variant_val()) {
    const std::string bytes = variant.SerializeAsString();
    std::string length, counted;
    AppendVarint(bytes.size(), &length);
    AppendFixed(uint64_t{bytes.size()}, &counted);
    to->AppendUnchecked(length);
    to->Count(counted);
    to->Append(bytes);
    to->AppendChecksum();
  }
}

void WriteNumbers(const Tensor& tensor, DataWriter* to) {
  constexpr size_t kPiece = 1 << 16;
  char piece[kPiece];
  const auto* const from = static_cast<const char*>(tensor.raw());
  for (size_t at = 0; at < tensor.bytes(); at += kPiece) {
    const size_t count = std::min(kPiece, tensor.bytes() - at);
    std::memcpy(piece, from + at, count);
    to->Append({piece, count});
  }
}

void CheckChecksum(const BundleEntry& entry, uint32_t actual) {
  if (MaskCrc(actual) == entry.checksum) return;
  throw DataLoss("the data of '", entry.name, "' have another checksum than the index of the checkpoint says");
}

Tensor ReadNumbers(const BundleEntry& entry, const RandomAccessFile& file, AllocateTensor allocate) {
  const auto bytes = CheckedMultiply(entry.shape.elements(), static_cast<int64_t>(ElementSize(entry.dtype)));
  if (bytes != entry.size) {
    throw DataLoss("'", entry.name, "' has ", entry.size, " bytes in the checkpoint, which do not fill ",
                   DTypeName(entry.dtype), entry.shape.ToString());
  }
  Tensor tensor = allocate(entry.dtype, entry.shape);
  file.ReadAt(entry.offset, entry.size, tensor.mutable_raw());
  const std::string_view read(static_cast<const char*>(tensor.raw()), static_cast<size_t>(entry.size));
  CheckChecksum(entry, Crc32c(read));
  if (entry.dtype == DType::kBool && std::any_of(read.begin(), read.end(), [](char c) { return c != 0 && c != 1; })) {
    throw DataLoss("'", entry.name, "' has a byte in the checkpoint that is no bool");
  }
  return tensor;
}

// All bytes of an entry that is made of pieces of unknown length, each at least one byte.
std::string BytesOf(const BundleEntry& entry, const RandomAccessFile& file) {
  if (entry.shape.elements() > entry.size) {
    throw DataLoss("'", entry.name, "' has ", entry.size, " bytes in the checkpoint, too few for ",
                   entry.shape.elements(), " elements");
  }
  std::string bytes(static_cast<size_t>(entry.size), '\0');
  file.ReadAt(entry.offset, entry.size, bytes.data());
  return bytes;
}

Tensor ReadStrings(const BundleEntry& entry, const RandomAccessFile& file, AllocateTensor allocate) {
  const std::string bytes = BytesOf(entry, file);
  ByteReader reader(bytes, entry.name);
  uint32_t checksum = 0;
  std::vector<uint64_t> lengths(static_cast<size_t>(entry.shape.elements()));
  for (uint64_t& length : lengths) {
    length = reader.TakeVarint();
    checksum = Crc32c(CountedLength(length), checksum);
  }
  const std::string_view stored = reader.Take(sizeof(uint32_t));
  if (ByteReader(stored, entry.name).TakeFixed<uint32_t>() != MaskCrc(checksum)) {
    throw DataLoss("the lengths of '", entry.name, "' have another checksum than the checkpoint says");
  }
  CheckChecksum(entry, Crc32c(reader.Rest(), Crc32c(stored, checksum)));
  Tensor tensor = allocate(DType::kString, entry.shape);
  const auto strings = tensor.mutable_data<std::string>();
  for (size_t i = 0; i < lengths.size(); ++i) strings[i] = reader.Take(lengths[i]);
  if (!reader.IsEmpty()) throw DataLoss("'", entry.name, "' has bytes behind its strings");
  return tensor;
}

Tensor ReadVariants(const BundleEntry& entry, const RandomAccessFile& file) {
  const std::string bytes = BytesOf(entry, file);
  ByteReader reader(bytes, entry.name);
  uint32_t checksum = 0;
  pb::TensorProto message;
  message.set_dtype(pb::DT_VARIANT);
  ToProto(PartialShape(entry.shape), message.mutable_tensor_shape());
  for (int64_t i = 0; i < entry.shape.elements(); ++i) {
    const uint64_t length = reader.TakeVarint();
    std::string counted;
    AppendFixed(length, &counted);
    const std::string_view element = reader.Take(length);
    checksum = Crc32c(element, Crc32c(counted, checksum));
    const std::string_view stored = reader.Take(sizeof(uint32_t));
    if (ByteReader(stored, entry.name).TakeFixed<uint32_t>() != MaskCrc(checksum) ||
        !Parse(element, message.add_variant_val())) {
      throw DataLoss("element ", i, " of '", entry.name, "' is broken in the checkpoint");
    }
    checksum = Crc32c(stored, checksum);
  }
  CheckChecksum(entry, checksum);
  Expansion expansion;
  return FromProto(message, &expansion);
}

}  // namespace

WrittenData WriteData(const Tensor& tensor, ReplacedFile* to) {
  DataWriter writer(to);
  if (tensor.dtype() == DType::kString) {
    WriteStrings(tensor.data<std::string>(), &writer);
  } else if (tensor.dtype() == DType::kVariant) {
    WriteVariants(tensor, &writer);
  } else if (ElementSize(tensor.dtype()) == 0) {
    throw InvalidArgument("a checkpoint holds no ", DTypeName(tensor.dtype()));
  } else {
    WriteNumbers(tensor, &writer);
  }
  return writer.Written();
}

Tensor ReadData(const BundleEntry& entry, const RandomAccessFile& file, AllocateTensor allocate) {
  if (entry.size > file.size() || entry.offset > file.size() - entry.size) {
    throw OutOfRange("'", file.path(), "' ends before the data of '", entry.name, "' do");
  }
  if (entry.dtype == DType::kString) return ReadStrings(entry, file, allocate);
  if (entry.dtype == DType::kVariant) return ReadVariants(entry, file);
  return ReadNumbers(entry, file, allocate);
}

}  // namespace plumb::checkpoint

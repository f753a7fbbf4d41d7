#include "spec/formats/idx.h"

#include <unistd.h>

#include <climits>
#include <cstring>

#include "spec/files/file.h"
#include "spec/formats/compression.h"

namespace plumb {
namespace {

constexpr uint8_t kUnsignedByte = 0x08;
constexpr size_t kMagicBytes = 4;
constexpr size_t kDimBytes = 4;

uint32_t BigEndian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

void AppendBigEndian(uint32_t value, std::string* to) {
  for (int shift = 24; shift >= 0; shift -= 8) to->push_back(static_cast<char>(value >> shift));
}

void RequireBytes(std::string_view bytes, size_t needed, std::string_view name, std::string_view what) {
  if (bytes.size() >= needed) return;
  throw DataLoss(name, " ends at offset ", bytes.size(), ", within ", what, ", which needs ", needed, " bytes");
}

Shape ParseHeader(std::string_view bytes, int rank, std::string_view name) {
  RequireBytes(bytes, kMagicBytes, name, "the magic number");
  const uint32_t magic = BigEndian(bytes), wanted = uint32_t{kUnsignedByte} << 8 | static_cast<uint32_t>(rank);
  Require(magic == wanted, name, " has the magic number ", magic, " at offset 0; unsigned bytes of rank ", rank,
          " have ", wanted);
  RequireBytes(bytes, kMagicBytes + kDimBytes * static_cast<size_t>(rank), name, "the dimensions");
  std::vector<int64_t> dims;
  dims.reserve(rank);
  for (int axis = 0; axis < rank; ++axis) {
    dims.push_back(BigEndian(bytes.substr(kMagicBytes + kDimBytes * static_cast<size_t>(axis))));
  }
  try {
    return Shape(dims);
  } catch (const Error& error) {
    throw InvalidArgument(name, ", offset ", kMagicBytes, ": ", error.what());
  }
}

bool EndsInGz(std::string_view path) { return path.size() > 3 && path.substr(path.size() - 3) == ".gz"; }

std::string FindFile(const std::string& folder, const char* name) {
  const std::string plain = folder + "/" + name;
  for (const std::string& path : {plain, plain + ".gz"}) {
    if (access(path.c_str(), F_OK) == 0) return path;
  }
  throw NotFound("neither ", plain, " nor ", plain, ".gz exists");
}

LabelledImages ReadPair(const std::string& folder, const char* images, const char* labels) {
  const std::string image_path = FindFile(folder, images), label_path = FindFile(folder, labels);
  LabelledImages pair{ReadIdx(image_path, 3), ReadIdx(label_path, 1)};
  Require(pair.images.dim(0) == pair.labels.dim(0), image_path, " has ", pair.images.dim(0), " images, but ",
          label_path, " has ", pair.labels.dim(0), " labels (offset ", kMagicBytes, " of both)");
  const auto values = pair.labels.data<uint8_t>();
  for (size_t i = 0; i < values.size(); ++i) {
    Require(values[i] <= 9, label_path, " has the label ", int{values[i]}, " at offset ", kMagicBytes + kDimBytes + i,
            "; digits end at 9");
  }
  return pair;
}

constexpr const char* kTrainImages = "train-images-idx3-ubyte";
constexpr const char* kTrainLabels = "train-labels-idx1-ubyte";
constexpr const char* kTestImages = "t10k-images-idx3-ubyte";
constexpr const char* kTestLabels = "t10k-labels-idx1-ubyte";

}  // namespace

Tensor ParseIdx(std::string_view bytes, int rank, std::string_view name) {
  if (bytes.substr(0, 2) == "\x1f\x8b") {
    try {
      return ParseIdx(Gunzip(bytes, INT_MAX), rank, name);
    } catch (const Error& error) {
      const bool names_file = std::string_view(error.what()).find(name) != std::string_view::npos;
      if (names_file) throw;
      throw Error(error.status().code(), Str(name, ": ", error.what()));
    }
  }
  const Shape shape = ParseHeader(bytes, rank, name);
  const size_t start = kMagicBytes + kDimBytes * static_cast<size_t>(rank);
  const auto elements = static_cast<size_t>(shape.elements());
  RequireBytes(bytes, start + elements, name, "the elements");
  Require(bytes.size() == start + elements, name, " goes on after its last element, at offset ", start + elements);
  Tensor tensor(DType::kUint8, shape);
  if (elements > 0) std::memcpy(tensor.mutable_raw(), bytes.data() + start, elements);
  return tensor;
}

Tensor ReadIdx(const std::string& path, int rank) { return ParseIdx(ReadFile(path, INT_MAX), rank, path); }

void WriteIdx(const std::string& path, const Tensor& tensor) {
  std::string header;
  AppendBigEndian(uint32_t{kUnsignedByte} << 8 | static_cast<uint32_t>(tensor.rank()), &header);
  for (const int64_t dim : tensor.shape().dims()) {
    Require(dim <= UINT32_MAX, path, ": a dimension of ", dim, " does not fit into an IDX file");
    AppendBigEndian(static_cast<uint32_t>(dim), &header);
  }
  const auto values = tensor.data<uint8_t>();
  OutputFile file(path, EndsInGz(path) ? Compression::kGzip : Compression::kNone);
  file.Write(header);
  file.Write({reinterpret_cast<const char*>(values.data()), values.size()});
  file.Close();
}

Mnist ReadMnist(const std::string& folder) {
  return {ReadPair(folder, kTrainImages, kTrainLabels), ReadPair(folder, kTestImages, kTestLabels)};
}

void WriteMnist(const std::string& folder, const Mnist& digits) {
  WriteIdx(folder + "/" + kTrainImages, digits.train.images);
  WriteIdx(folder + "/" + kTrainLabels, digits.train.labels);
  WriteIdx(folder + "/" + kTestImages, digits.test.images);
  WriteIdx(folder + "/" + kTestLabels, digits.test.labels);
}

}  // namespace plumb

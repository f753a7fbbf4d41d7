#include "fastpath/cpu/checkpoint/bundle_slice.h"

#include "fastpath/cpu/checkpoint/slice_copy.h"

namespace plumb::fast::cpu {
namespace {

// Whether slices of this type may be cut out of parts, and not only be read as they were saved.
bool IsCut(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
    case DType::kString:
    case DType::kVariant:
    case DType::kResource:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64:
    case DType::kQint16:
    case DType::kQuint16:
      return false;
    default:
      return true;
  }
}

}  // namespace

Tensor ReadSlice(ThreadPool& pool, BundleReader& reader, const BundleEntry& entry, const TensorSlice& wanted) {
  std::vector<TensorSlice> stored = entry.slices;
  if (stored.empty()) stored.push_back(TensorSlice::Whole(entry.shape.rank()));
  const auto read = [&](size_t part) {
    return reader.Read(entry.slices.empty() ? entry : reader.FindSlice(entry, stored[part]), Allocate);
  };
  const std::vector<size_t> parts = PartsFor(wanted, stored, entry.shape, entry.name);
  if (parts.size() == 1 && IsSameRegion(stored[parts[0]], wanted, entry.shape)) return read(parts[0]);
  Require(IsCut(entry.dtype), "'", entry.name, "' is of type ", DTypeName(entry.dtype),
          ", of which a checkpoint gives slices only as they were saved");
  Tensor result = Allocate(entry.dtype, ShapeOfSlice(wanted, entry.shape));
  for (const size_t part : parts) CopyCommon(pool, entry.shape, stored[part], read(part), wanted, result);
  return result;
}

}  // namespace plumb::fast::cpu

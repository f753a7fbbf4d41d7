#include "spec/checkpoint/listing.h"

#include <algorithm>

#include "spec/checkpoint/bundle.h"
#include "spec/checkpoint/slice_file.h"

namespace plumb {

std::vector<StoredTensor> ListCheckpoint(const FileSystem& files, const std::string& prefix) {
  std::vector<StoredTensor> tensors;
  if (files.Exists(BundleIndexPath(prefix))) {
    BundleReader reader(files, prefix);
    for (const BundleEntry& entry : reader.List()) {
      tensors.push_back({entry.name, entry.dtype, entry.shape, std::max<size_t>(entry.slices.size(), 1)});
    }
    return tensors;
  }
  const SliceFileReader reader(files, prefix);
  for (const auto& [name, tensor] : reader.tensors()) {
    tensors.push_back({name, tensor.dtype, tensor.shape, tensor.slices.size()});
  }
  return tensors;
}

}  // namespace plumb

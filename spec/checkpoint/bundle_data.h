// Tensors as the data files of bundles hold them (rules Z33–Z35).
#pragma once

#include <cstdint>
#include <string_view>

#include "spec/checkpoint/bundle.h"

namespace plumb::checkpoint {

struct WrittenData {
  int64_t size = 0;
  uint32_t checksum = 0;  // as it is stored
};
// Appends the elements. The checksum is that of the bytes in the file, also where somebody writes the tensor meanwhile.
WrittenData WriteData(const Tensor& tensor, ReplacedFile* to);

// The elements of an entry.
Tensor ReadData(const BundleEntry& entry, const RandomAccessFile& file, AllocateTensor allocate);

}  // namespace plumb::checkpoint

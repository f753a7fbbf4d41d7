// What is in a checkpoint, of whatever format.
#pragma once

#include <string>
#include <vector>

#include "spec/core/dtype.h"
#include "spec/core/shape.h"
#include "spec/files/file_system.h"

namespace plumb {

struct StoredTensor {
  std::string name;
  DType dtype = DType::kInvalid;
  Shape shape;
  size_t parts = 1;
};

// By name. Throws as the readers of both formats do (bundle.h, slice_file.h).
std::vector<StoredTensor> ListCheckpoint(const FileSystem& files, const std::string& prefix);

}  // namespace plumb

#include "spec/checkpoint/slice_set.h"

#include "spec/core/status.h"
#include "spec/graph/proto_io.h"
#include "spec/proto/types.pb.h"

namespace plumb::checkpoint {

Shape StoredShape(const pb::TensorShapeProto& from, std::string_view name) {
  try {
    return FromProto(from).ToShape();
  } catch (const Error& error) {
    throw DataLoss("the shape of '", name, "' in a checkpoint is none: ", error.status().message());
  }
}

void CheckApart(const std::vector<TensorSlice>& slices, const Shape& shape, std::string_view name, size_t first) {
  for (size_t i = first; i < slices.size(); ++i) {
    ShapeOfSlice(slices[i], shape);
    for (size_t j = 0; j < i; ++j) {
      if (!Overlap(slices[i], slices[j], shape)) continue;
      throw Internal("the parts ", slices[j].ToString(), " and ", slices[i].ToString(), " of '", name, "' overlap");
    }
  }
}

}  // namespace plumb::checkpoint

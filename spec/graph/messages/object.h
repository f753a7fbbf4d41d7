// The part of proto_io for tensors whose elements are objects: strings, resource handles, variants.
#pragma once

#include "spec/graph/proto_io.h"

namespace plumb {

// Type and shape were read already.
Tensor ObjectsFromProto(const pb::TensorProto& from, DType dtype, const Shape& shape, Expansion* expansion);
// The elements only.
void ObjectsToProto(const Tensor& tensor, pb::TensorProto* to);

// Tensors in variants, which were written down (variant_codec.h), as TensorFlow writes them: each element in its typed
// field, even where it is the one before again.
void ToProtoInVariant(const Tensor& tensor, pb::TensorProto* to);
void ObjectsToProtoInVariant(const Tensor& tensor, pb::TensorProto* to);

}  // namespace plumb

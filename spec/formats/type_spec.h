// How Python describes a value that is made of several tensors, such as a sparse or a ragged one.
#pragma once

#include <string>

namespace plumb {

inline constexpr const char* kCompositeTensorTypeName = "CompositeTensorVariant";

// The class of such values that the bytes of a CompositeTensorVariantMetadata name, by its number; kInvalidArgument for
// what is no such message.
int TypeSpecClass(const std::string& metadata);
// SPARSE_TENSOR_SPEC; the number where it has no name.
std::string TypeSpecClassName(int type_class);

}  // namespace plumb

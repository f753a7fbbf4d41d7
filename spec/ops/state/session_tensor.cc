#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

constexpr const char* kUntried = "-: its handle is for the steps after this one; session_tensor_test.cc runs some";

Shapes HandleShapes(const ShapeContext&) { return {PartialShape(Shape())}; }
Shapes ValueShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  return {PartialShape::Unknown()};
}

}  // namespace

std::span<const OpRow> StateSessionTensor() {
  static const OpRow rows[] = {
      {.signature = "GetSessionHandle(value: T) -> (handle: string) stateful",
       .attrs = "T: type",
       .doc = "Keeps the value in the session, and gives its handle: 'NODE;NUMBER;DEVICE', numbered from 0 (rule S11).",
       .shape_fn = HandleShapes,
       .gradient = BlocksGradient(),
       .samples = {kUntried}},
      {.signature = "GetSessionTensor(handle: string) -> (value: dtype) stateful",
       .attrs = "dtype: type",
       .doc = "The value that the session keeps under this handle.",
       .shape_fn = ValueShapes,
       .gradient = BlocksGradient(),
       .samples = {kUntried}},
      {.signature = "DeleteSessionTensor(handle: string) -> () stateful",
       .doc = "Makes the session forget the value.",
       .shape = "[] ->",
       .gradient = BlocksGradient(),
       .samples = {kUntried}},
  };
  return rows;
}

}  // namespace plumb::topics

// Bytes → Tensor: a status or a tensor that is written and read back unchanged.
#include <cstdlib>
#include <string_view>

#include "spec/core/status.h"
#include "spec/graph/proto_io.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  plumb::Tensor tensor;
  try {
    tensor = plumb::ParseTensorProto({reinterpret_cast<const char*>(data), size});
  } catch (const plumb::Error&) {
    return 0;
  }
  const std::string written = plumb::SerializeTensorProto(tensor);
  const plumb::Tensor again = plumb::ParseTensorProto(written);
  if (again.dtype() != tensor.dtype() || !(again.shape() == tensor.shape())) std::abort();
  if (plumb::SerializeTensorProto(again) != written) std::abort();
  return 0;
}

#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> StateSessionTensor() {
  static const OpRow rows[] = {
      {.signature = "GetSessionHandle(value: T) -> (handle: string) stateful",
       .attrs = "T: type",
       .doc = "Keeps the value in the session, and gives the handle by which later steps find it (rule S11).",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "? -> []",
       .gradient = BlocksGradient(),
       .samples = {"T in [numbers, bool, string]: [d...]; t = GetSessionTensor dtype=$T: this"}},
      {.signature = "GetSessionTensor(handle: string) -> (value: dtype) stateful",
       .attrs = "dtype: type",
       .doc = "The value that the session keeps under this handle (rule S11).",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "[] -> ?",
       .gradient = BlocksGradient(),
       .samples = {"h = GetSessionHandle T=$dtype: [a b]; dtype in [numbers, bool, string]: h"}},
      {.signature = "DeleteSessionTensor(handle: string) -> () stateful",
       .doc = "The session no longer keeps the value of this handle (rule S11).",
       .shape = "[] ->",
       .gradient = BlocksGradient(),
       .samples = {"h = GetSessionHandle T=float32: [a b]; h"}},
  };
  return rows;
}

}  // namespace plumb::topics

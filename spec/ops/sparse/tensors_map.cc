#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

constexpr char kTypes[] =
    "T in [bool, complexes, floats, int8, int16, int32, int64, resource, string, uint8, uint16, "
    "uint32, uint64, variant]";

}  // namespace

std::span<const OpRow> SparseTensorsMap() {
  static const OpRow rows[] = {
      {.signature = "AddSparseToTensorsMap(sparse_indices: int64, sparse_values: T, sparse_shape: int64) -> "
                    "(sparse_handle: int64) stateful",
       .attrs = "T: type; container: string = ''; shared_name: string = ''",
       .doc = "Keeps a sparse tensor in a map of the session, and gives the handle that takes it out (rule S12).",
       .shape = "[a b] [c] [d] -> []",
       .samples = {"shared_name='m': [n 2] in 0..9 [n] {9, 9}",
                   "shared_name='m': [n 2] in 0..9 [n] {9, 9}; "
                   "p = Pack T=int64 N=1: (this); "
                   "t = TakeManySparseFromTensorsMap dtype=$T shared_name='m': p"}},
      {.signature = "AddManySparseToTensorsMap(sparse_indices: int64, sparse_values: T, sparse_shape: int64) -> "
                    "(sparse_handles: int64) stateful",
       .attrs = "T: type; container: string = ''; shared_name: string = ''",
       .doc = "Keeps each row of a sparse tensor of 2 dimensions at least in a map of the session, and gives their "
              "handles (rule S12).",
       .cpu = kTypes,
       .shape = "[a b] [c] [d] -> [m]",
       .samples = {"shared_name='m': [7 2] sorted in 0..4 [7] {5, 4}",
                   "shared_name='m': [7 3] sorted in 0..4 [7] {5, 4, 4}; "
                   "t = TakeManySparseFromTensorsMap dtype=$T shared_name='m': this"}},
      {.signature = "TakeManySparseFromTensorsMap(sparse_handles: int64) -> (sparse_indices: int64, sparse_values: "
                    "dtype, sparse_shape: int64) stateful",
       .attrs = "dtype: type; container: string = ''; shared_name: string = ''",
       .doc = "Takes sparse tensors out of a map of the session, and makes them the rows of one (rule S12).",
       .cpu = "dtype in [bool, complexes, floats, int8, int16, int32, int64, resource, string, uint8, uint16, uint32, "
              "uint64, variant]",
       .shape = "[m] -> [a b] [c] [d]",
       .samples = {"a = AddManySparseToTensorsMap T=$dtype shared_name='m': [7 3] sorted in 0..4 [7] {5, 4, 4}; "
                   "shared_name='m': a"}},
  };
  return rows;
}

}  // namespace plumb::topics

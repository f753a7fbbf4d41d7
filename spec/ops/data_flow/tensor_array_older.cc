#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// TensorFlow's rules build ops of the third version, which take no strings for a handle.
Values NoGradientOfStrings(Gradient& g) {
  throw InvalidArgument("the gradient of '", g.op().name, "' needs a TensorArray of version 3: ", g.op().op->name,
                        " names its array by strings, which the ops of a gradient do not take");
}
constexpr char kUntried[] = "there is none that could be built";

}  // namespace

std::span<const OpRow> DataFlowTensorArrayOlder() {
  static const OpRow rows[] = {
      {.signature = "TensorArray(size: int32) -> (handle: ref string<TensorArray>) stateful",
       .attrs = "dtype: type; dynamic_size: bool = false; clear_after_read: bool = true; tensor_array_name: string = "
                "''; element_shape: shape = ?",
       .doc = "TensorArrayV3 by a reference to two strings (rule TA9).",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "? -> ?",
       .gradient = BlocksGradient(),
       .samples = {"dtype=float32: 3; n = TensorArraySize: this 0"},
       .deprecated = {16, "Use TensorArrayV3"}},
      {.signature = "TensorArrayV2(size: int32) -> (handle: string<TensorArray>) stateful",
       .attrs = "dtype: type; element_shape: shape = ?; dynamic_size: bool = false; clear_after_read: bool = true; "
                "tensor_array_name: string = ''",
       .doc = "TensorArrayV3 by two strings (rule TA9).",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "[] -> [2]",
       .gradient = BlocksGradient(),
       .samples = {"dtype=float32: 3; n = TensorArraySizeV2: this 0"},
       .deprecated = {26, "Use TensorArrayV3"}},
      {.signature = "TensorArrayGrad(handle: ref string<TensorArray>, flow_in: float32) -> (grad_handle: ref "
                    "string<TensorArray>) stateful",
       .attrs = "source: string",
       .doc = "TensorArrayGradV3 by a reference (rule TA9).",
       .gpu = "all",
       .shape = "? ? -> ?",
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArray dtype=float32: 2; "
                   "w = TensorArrayWrite T=float32: ta 0 [a] 0; "
                   "source='gradients': ta w; "
                   "g = TensorArrayWrite T=float32: this 1 [a] w; "
                   "r = TensorArrayRead dtype=float32: this 1 g",
                   "ta = TensorArray dtype=float32 dynamic_size=true: 2; "
                   "s = TensorArraySplit T=float32: ta [5 b] {2, 3} 0; "
                   "w = TensorArrayWrite T=float32: ta 2 [1 b] s; "
                   "source='gradients': ta w; "
                   "r = TensorArrayConcat dtype=float32: this w"},
       .deprecated = {16, "Use TensorArrayGradV3"}},
      {.signature = "TensorArrayGradV2(handle: string<TensorArray>, flow_in: float32) -> (grad_handle: "
                    "string<TensorArray>) stateful",
       .attrs = "source: string",
       .doc = "TensorArrayGradV3 by strings (rule TA9).",
       .gpu = "all",
       .shape = "[2] ? -> [2]",
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArrayV2 dtype=float32: 2; "
                   "w = TensorArrayWriteV2 T=float32: ta 0 [a] 0; "
                   "source='gradients': ta w; "
                   "g = TensorArrayWriteV2 T=float32: this 1 [a] w; "
                   "r = TensorArrayReadV2 dtype=float32: this 1 g",
                   "ta = TensorArrayV2 dtype=float32 dynamic_size=true: 2; "
                   "s = TensorArraySplitV2 T=float32: ta [5 b] {2, 3} 0; "
                   "w = TensorArrayWriteV2 T=float32: ta 2 [1 b] s; "
                   "source='gradients': ta w; "
                   "r = TensorArrayConcatV2 dtype=float32: this w"},
       .deprecated = {26, "Use TensorArrayGradV3"}},
      {.signature = "TensorArrayWrite(handle: ref string<TensorArray>, index: int32, value: T, flow_in: float32) -> "
                    "(flow_out: float32)",
       .attrs = "T: type",
       .doc = "TensorArrayWriteV3 by a reference (rule TA9).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "? ? ? ? -> ?",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArray dtype=$T: 2; ta 1 [a b] 0; r = TensorArrayRead dtype=$T: ta 1 this"},
       .deprecated = {16, "Use TensorArrayWriteV3"}},
      {.signature = "TensorArrayWriteV2(handle: string<TensorArray>, index: int32, value: T, flow_in: float32) -> "
                    "(flow_out: float32) stateful",
       .attrs = "T: type",
       .doc = "TensorArrayWriteV3 by strings (rule TA9).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "[2] [] ? [] -> []",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArrayV2 dtype=$T: 2; ta 1 [a b] 0; r = TensorArrayReadV2 dtype=$T: ta 1 this"},
       .deprecated = {26, "Use TensorArrayWriteV3"}},
      {.signature = "TensorArrayRead(handle: ref string<TensorArray>, index: int32, flow_in: float32) -> (value: "
                    "dtype) gives_back",
       .attrs = "dtype: type",
       .doc = "TensorArrayReadV3 by a reference (rule TA9).",
       .cpu = "dtype in [numbers, bool, resource, string, variant]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "? ? ? -> ?",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArray dtype=$dtype: 2; w = TensorArrayWrite T=$dtype: ta 1 [a b] 0; ta 1 w"},
       .deprecated = {16, "Use TensorArrayReadV3"}},
      {.signature = "TensorArrayReadV2(handle: string<TensorArray>, index: int32, flow_in: float32) -> (value: dtype) "
                    "stateful gives_back",
       .attrs = "dtype: type",
       .doc = "TensorArrayReadV3 by strings (rule TA9).",
       .cpu = "dtype in [numbers, bool, resource, string, variant]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "[2] [] [] -> ?",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArrayV2 dtype=$dtype: 2; w = TensorArrayWriteV2 T=$dtype: ta 1 [a b] 0; ta 1 w"},
       .deprecated = {26, "Use TensorArrayReadV3"}},
      {.signature = "TensorArrayPack(handle: ref string<TensorArray>, flow_in: float32) -> (value: dtype)",
       .attrs = "dtype: type; element_shape: shape = ?",
       .doc = "TensorArrayGatherV3 of all elements (rule TA9).",
       .cpu = "dtype in [numbers, bool, qint32, qint8, quint8, string, variant]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "? ? -> ?",
       .samples = {"ta = TensorArray dtype=$dtype: 3; "
                   "w = TensorArrayUnpack T=$dtype: ta [3 b] 0; "
                   "dtype in [numbers, bool, string]: ta w"},
       .deprecated = {16, "Use TensorArrayGatherV3 with RangeOp"}},
      {.signature =
           "TensorArrayGather(handle: ref string<TensorArray>, indices: int32, flow_in: float32) -> (value: dtype)",
       .attrs = "dtype: type; element_shape: shape = ?",
       .doc = "TensorArrayGatherV3 by a reference (rule TA9).",
       .cpu = "dtype in [numbers, bool, qint32, qint8, quint8, string, variant]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "? ? ? -> ?",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArray dtype=$dtype: 3; "
                   "w = TensorArrayScatter T=$dtype: ta {0, 1, 2} [3 b] 0; "
                   "dtype in [numbers, bool, string]: ta {2, 0} w"},
       .deprecated = {16, "Use TensorArrayGatherV3"}},
      {.signature = "TensorArrayGatherV2(handle: string<TensorArray>, indices: int32, flow_in: float32) -> (value: "
                    "dtype) stateful",
       .attrs = "dtype: type; element_shape: shape = ?",
       .doc = "TensorArrayGatherV3 by strings (rule TA9).",
       .cpu = "dtype in [numbers, bool, qint32, qint8, quint8, string, variant]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "[2] [?] [] -> ?",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArrayV2 dtype=$dtype: 3; "
                   "w = TensorArrayScatterV2 T=$dtype: ta {0, 1, 2} [3 b] 0; "
                   "dtype in [numbers, bool, string]: ta {2, 0} w"},
       .deprecated = {26, "Use TensorArrayGatherV3"}},
      {.signature =
           "TensorArrayUnpack(handle: ref string<TensorArray>, value: T, flow_in: float32) -> (flow_out: float32)",
       .attrs = "T: type",
       .doc = "TensorArrayScatterV3 of all rows (rule TA9).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "? ? ? -> ?",
       .samples = {"ta = TensorArray dtype=$T: 3; ta [3 b] 0; r = TensorArrayRead dtype=$T: ta 1 this"},
       .deprecated = {20, "Use TensorArrayScatterV3 with RangeOp"}},
      {.signature = "TensorArrayScatter(handle: ref string<TensorArray>, indices: int32, value: T, flow_in: float32) "
                    "-> (flow_out: float32)",
       .attrs = "T: type",
       .doc = "TensorArrayScatterV3 by a reference (rule TA9).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "? ? ? ? -> ?",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArray dtype=$T: 3; "
                   "ta {2, 0} [2 b] 0; "
                   "r = TensorArrayGather dtype=$T: ta {0, 2} this"},
       .deprecated = {19, "Use TensorArrayGradV3"}},
      {.signature = "TensorArrayScatterV2(handle: string<TensorArray>, indices: int32, value: T, flow_in: float32) -> "
                    "(flow_out: float32) stateful",
       .attrs = "T: type",
       .doc = "TensorArrayScatterV3 by strings (rule TA9).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "[2] [?] ? [] -> []",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArrayV2 dtype=$T: 3; "
                   "ta {2, 0} [2 b] 0; "
                   "r = TensorArrayGatherV2 dtype=$T: ta {0, 2} this"},
       .deprecated = {26, "Use TensorArrayScatterV3"}},
      {.signature =
           "TensorArrayConcat(handle: ref string<TensorArray>, flow_in: float32) -> (value: dtype, lengths: int64)",
       .attrs = "dtype: type; element_shape_except0: shape = ?",
       .doc = "TensorArrayConcatV3 by a reference (rule TA9).",
       .cpu = "dtype in [numbers, bool, qint32, qint8, quint8, string]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "? ? -> ? ?",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArray dtype=$dtype: 2; "
                   "v = TensorArrayWrite T=$dtype: ta 0 [a b] 0; "
                   "w = TensorArrayWrite T=$dtype: ta 1 [c b] v; "
                   "dtype in [numbers, bool, string]: ta w"},
       .deprecated = {16, "Use TensorArrayGradV3"}},
      {.signature = "TensorArrayConcatV2(handle: string<TensorArray>, flow_in: float32) -> (value: dtype, lengths: "
                    "int64) stateful",
       .attrs = "dtype: type; element_shape_except0: shape = ?",
       .doc = "TensorArrayConcatV3 by strings (rule TA9).",
       .cpu = "dtype in [numbers, bool, qint32, qint8, quint8, string]",
       .gpu = "dtype in [floats, complexes, int64]",
       .shape = "[2] [] -> ? [?]",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArrayV2 dtype=$dtype: 2; "
                   "v = TensorArrayWriteV2 T=$dtype: ta 0 [a b] 0; "
                   "w = TensorArrayWriteV2 T=$dtype: ta 1 [c b] v; "
                   "dtype in [numbers, bool, string]: ta w"}},
      {.signature = "TensorArraySplit(handle: ref string<TensorArray>, value: T, lengths: int64, flow_in: float32) -> "
                    "(flow_out: float32)",
       .attrs = "T: type",
       .doc = "TensorArraySplitV3 by a reference (rule TA9).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "? ? ? ? -> ?",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArray dtype=$T: 2; ta [5 b] {2, 3} 0; r = TensorArrayRead dtype=$T: ta 1 this"},
       .deprecated = {16, "Use TensorArraySplitV3"}},
      {.signature = "TensorArraySplitV2(handle: string<TensorArray>, value: T, lengths: int64, flow_in: float32) -> "
                    "(flow_out: float32) stateful",
       .attrs = "T: type",
       .doc = "TensorArraySplitV3 by strings (rule TA9).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, int64]",
       .shape = "[2] ? [?] [] -> []",
       .gradient = NoGradientOfStrings,
       .gradient_trial = {.untried = kUntried},
       .samples = {"ta = TensorArrayV2 dtype=$T: 2; ta [5 b] {2, 3} 0; r = TensorArrayReadV2 dtype=$T: ta 1 this"},
       .deprecated = {26, "Use TensorArraySplitV3"}},
      {.signature = "TensorArraySize(handle: ref string<TensorArray>, flow_in: float32) -> (size: int32)",
       .doc = "TensorArraySizeV3 by a reference (rule TA9).",
       .gpu = "all",
       .shape = "? ? -> ?",
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArray dtype=float32: 3; ta 0"},
       .deprecated = {16, "Use TensorArraySizeV3"}},
      {.signature = "TensorArraySizeV2(handle: string<TensorArray>, flow_in: float32) -> (size: int32) stateful",
       .doc = "TensorArraySizeV3 by strings (rule TA9).",
       .gpu = "all",
       .shape = "[2] ? -> []",
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArrayV2 dtype=float32: 3; ta 0"},
       .deprecated = {26, "Use TensorArraySizeV3"}},
      {.signature = "TensorArrayClose(handle: ref string<TensorArray>) -> ()",
       .doc = "TensorArrayCloseV3 by a reference (rule TA9).",
       .gpu = "all",
       .shape = "? ->",
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArray dtype=float32: 3; ta"},
       .deprecated = {16, "Use TensorArrayCloseV3"}},
      {.signature = "TensorArrayCloseV2(handle: string<TensorArray>) -> () stateful",
       .doc = "TensorArrayCloseV3 by strings (rule TA9).",
       .gpu = "all",
       .shape = "[2] ->",
       .gradient = BlocksGradient(),
       .samples = {"ta = TensorArrayV2 dtype=float32: 3; ta"},
       .deprecated = {26, "Use TensorArrayCloseV3"}},
  };
  return rows;
}

}  // namespace plumb::topics

// Groups, meshes, remote calls and transfers.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Distributed() {
  static constexpr Signature kSignatures[] = {
      {"CollectiveAssignGroupV2(group_assignment: int32, device_index: int32, base_key: int32) -> (group_size: int32, "
       "group_key: int32) stateful",
       ""},
      {"CollectiveBcastRecvV2(group_size: int32, group_key: int32, instance_key: int32, shape: Tshape) -> (data: T) "
       "stateful",
       "T: type in [bool, float32, float16, float64, int32, int64]; Tshape: type = int32 in [int32, int64]; "
       "communication_hint: string = 'auto'; timeout_seconds: float = 0.0"},
      {"CollectiveBcastSendV2(input: T, group_size: int32, group_key: int32, instance_key: int32) -> (data: T) "
       "stateful",
       "T: type in [bool, float32, float16, float64, int32, int64]; communication_hint: string = 'auto'; "
       "timeout_seconds: float = 0.0"},
      {"CollectiveGatherV2(input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: "
       "resource*Nordering_token) -> (data: T) stateful",
       "T: type in [float32, float16, float64, int32, int64]; communication_hint: string = 'auto'; timeout_seconds: "
       "float = 0.0; Nordering_token: int >= 0 = 0"},
      {"CollectiveInitializeCommunicator(group_key: int32, rank: int32, group_size: int32) -> (communicator: resource) "
       "stateful",
       "communication_hint: string = 'auto'; timeout_seconds: float = 0.0"},
      {"CollectiveReduceScatterV2(input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: "
       "resource*Nordering_token) -> (data: T) stateful",
       "T: type in [floats, int32, int64]; merge_op: string in ['Min', 'Max', 'Mul', 'Add']; final_op: string in "
       "['Id', 'Div']; communication_hint: string = 'auto'; timeout_seconds: float = 0.0; Nordering_token: int >= 0 = "
       "0; max_subdivs_per_device: int = -1"},
      {"CollectiveReduceV2(input: T, group_size: int32, group_key: int32, instance_key: int32, ordering_token: "
       "resource*Nordering_token) -> (data: T) stateful",
       "T: type in [floats, int32, int64]; merge_op: string in ['Min', 'Max', 'Mul', 'Add']; final_op: string in "
       "['Id', 'Div']; communication_hint: string = 'auto'; timeout_seconds: float = 0.0; Nordering_token: int >= 0 = "
       "0; max_subdivs_per_device: int = -1"},
      {"CollectiveReduceV3(input: T, communicator: resource, group_assignment: int32) -> (data: T) stateful",
       "T: type in [floats, int32, int64]; reduction: string in ['Min', 'Max', 'Mul', 'Add']; timeout_seconds: float = "
       "0.0"},
      {"DTensorAllGather(input: T) -> (output: T)",
       "T: type in [float16, bfloat16, float32, int32, uint32, int64, bool]; input_layout: string; output_layout: "
       "string"},
      {"DTensorAllReduce(input: T, group_assignment: int32) -> (output: T)",
       "T: type in [float16, bfloat16, float32, int32, uint32, int64, bool]; reduce_op: string in ['Min', 'Max', "
       "'Mul', 'Add', 'Mean', 'Any', 'All']; device_type: string"},
      {"DTensorAllScatter(input: T) -> (output: T)",
       "T: type in [float16, bfloat16, float32, int32, uint32, int64, bool]; input_layout: string; output_layout: "
       "string"},
      {"DTensorReduceScatter(input: T, group_assignment: int32, scatter_dimension: int32) -> (output: T)",
       "T: type in [float16, bfloat16, float32, int32, uint32, int64, bool]; reduce_op: string in ['Min', 'Max', "
       "'Mul', 'Add', 'Mean', 'Any', 'All']; device_type: string"},
      {"DTensorRestoreV2(prefix: string, tensor_names: string, shape_and_slices: string) -> (tensors: list(dtypes)) "
       "stateful",
       "input_shapes: list(shape); input_layouts: list(string); dtypes: list(type)"},
      {"DeleteRpcFutureResource(handle: resource, deleter: variant) -> () stateful", ""},
      {"NcclAllReduce(input: T) -> (data: T) stateful",
       "reduction: string in ['min', 'max', 'prod', 'sum']; T: type in [float16, float32, float64, int32, int64]; "
       "num_devices: int; shared_name: string"},
      {"NcclBroadcast(input: T) -> (output: T) stateful",
       "T: type in [float16, float32, float64, int32, int64]; shape: shape"},
      {"NcclReduce(input: T*num_devices) -> (data: T) stateful",
       "reduction: string in ['min', 'max', 'prod', 'sum']; T: type in [float16, float32, float64, int32, int64]; "
       "num_devices: int"},
      {"Recv() -> (tensor: tensor_type) stateful",
       "tensor_type: type; tensor_name: string; send_device: string; send_device_incarnation: int; recv_device: "
       "string; client_terminated: bool = false"},
      {"Relayout(input: T) -> (output: T)", "layout: string; T: type"},
      {"RpcCall(client: resource, method_name: string, args: list(Tin), timeout_in_ms: int64) -> (future: resource, "
       "deleter: variant) stateful",
       "Tin: list(type) >= 0"},
      {"RpcCheckStatus(status_or: resource) -> (error_code: int64, error: string) stateful", ""},
      {"RpcClient(server_address: string, timeout_in_ms: int64) -> (client: resource, method_specs: string) stateful",
       "shared_name: string = ''; list_registered_methods: bool = false"},
      {"RpcGetValue(status_or: resource) -> (output: list(Tout)) stateful", "Tout: list(type) >= 0"},
      {"RpcServer(server_address: string) -> (server: resource) stateful", ""},
      {"RpcServerRegister(server: resource, method_name: string, captured_inputs: list(Tin)) -> () stateful",
       "Tin: list(type) >= 0 = []; f: func; input_specs: string = ''; output_specs: string"},
      {"RpcServerStart(server: resource) -> () stateful", ""},
      {"Send(tensor: T) -> () stateful",
       "T: type; tensor_name: string; send_device: string; send_device_incarnation: int; recv_device: string; "
       "client_terminated: bool = false"},
      {"_NcclBroadcastRecv(shape: int32) -> (output: T) stateful",
       "T: type in [float16, float32, float64, int32, int64]; num_devices: int; shared_name: string"},
      {"_NcclBroadcastSend(input: T) -> () stateful",
       "T: type in [float16, float32, float64, int32, int64]; num_devices: int; shared_name: string"},
      {"_NcclReduceRecv(input: T) -> (data: T) stateful",
       "reduction: string in ['min', 'max', 'prod', 'sum']; T: type in [float16, float32, float64, int32, int64]; "
       "num_devices: int; shared_name: string"},
      {"_NcclReduceSend(input: T) -> () stateful",
       "reduction: string in ['min', 'max', 'prod', 'sum']; T: type in [float16, float32, float64, int32, int64]; "
       "num_devices: int; shared_name: string"},
  };
  return kSignatures;
}

}  // namespace plumb::known

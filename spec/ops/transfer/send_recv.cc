#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> TransferSendRecv() {
  static const OpRow rows[] = {
      {.signature = "_Send(tensor: T) -> () stateful",
       .attrs = "T: type; tensor_name: string; send_device: string; send_device_incarnation: int; recv_device: "
                "string; client_terminated: bool = false",
       .doc = "Sends its input to the _Recv of the same key (rule X4).",
       .kind = OpKind::kSend,
       .shape = "? ->",
       .samples = {"-: the executor itself"}},
      {.signature = "_Recv() -> (tensor: tensor_type) stateful",
       .attrs = "tensor_type: type; tensor_name: string; send_device: string; send_device_incarnation: int; "
                "recv_device: string; client_terminated: bool = false",
       .doc = "Receives what the _Send of the same key sends (rule X4).",
       .kind = OpKind::kRecv,
       .shape = "-> ?",
       .samples = {"-: the executor itself"}},
      {.signature = "_HostSend(tensor: T) -> () stateful",
       .attrs = "T: type; tensor_name: string; send_device: string; send_device_incarnation: int; recv_device: "
                "string; client_terminated: bool = false",
       .doc = "_Send of a value in the host's memory.",
       .kind = OpKind::kSend,
       .shape = "? ->",
       .samples = {"-: the executor itself"}},
      {.signature = "_HostRecv() -> (tensor: tensor_type) stateful",
       .attrs = "tensor_type: type; tensor_name: string; send_device: string; send_device_incarnation: int; "
                "recv_device: string; client_terminated: bool = false",
       .doc = "_Recv of a value in the host's memory.",
       .kind = OpKind::kRecv,
       .shape = "-> ?",
       .samples = {"-: the executor itself"}},
  };
  return rows;
}

}  // namespace plumb::topics

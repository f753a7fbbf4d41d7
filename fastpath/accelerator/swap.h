// Stacks whose values lie in the host's memory for as long as they are on them: what a loop keeps for its gradient may
// be more than a device has room for.
#pragma once

#include <memory>

#include "fastpath/accelerator/accelerator.h"

namespace plumb::fast {

// Whether the node puts a value on a stack, and wants it moved to the host (swap_memory).
bool PushesToHost(const Node& node);
// Its kernel: copies the value on the stream of copies, behind the work that computes it, and gives the copy to
// `on_host`, the host's kernel. It answers when the device needs the value no more. `on_device`: for an alias, which
// stays one (R31), and for what lies on the host anyhow.
std::shared_ptr<Kernel> MakePushToHost(std::shared_ptr<Kernel> on_host, std::shared_ptr<Kernel> on_device,
                                       const Node& node, Accelerator& device);

// Whether the node takes a value from a stack.
bool Pops(const Node& node);
// Its kernel: what `on_host` gives, brought to the device, on the stream of copies, if it lies on the host.
std::shared_ptr<Kernel> MakePop(std::shared_ptr<Kernel> on_host, const Node& node, Accelerator& device);

}  // namespace plumb::fast

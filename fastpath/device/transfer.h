// Send and Recv: asynchronous kernels over the rendezvous of their step, the same on every device (rules W21–W23, X4).
#pragma once

#include <memory>

#include "fastpath/device/kernel.h"

namespace plumb::fast {

class Device;

// Attributes of the Sends and Recvs that Partition makes, besides those of W23.
inline constexpr char kChannelNumber[] = "_channel";  // int64, of both: no other channel of the step has it
inline constexpr char kReceivesOnHost[] =
    "_receives_on_host";  // bool, of a Recv: the value is wanted in the host's memory
// bool, of both: an alias travels as it is, for a fetch that reads it when the step is over (rules F28, F29).
inline constexpr char kIsReadLater[] = "_is_read_later";
// bool, of both: the value is the host's alone; none of the sending device's work goes before it.
inline constexpr char kNeedsNoWork[] = "_needs_no_work";

std::shared_ptr<Kernel> MakeSend(const Node& node, Device& device);
std::shared_ptr<Kernel> MakeRecv(const Node& node, Device& device);

}  // namespace plumb::fast

// GPUs for a session: the cards of this machine, or emulated ones. Cards are in a module that is loaded when it is
// asked for first, so that one program runs with and without CUDA's driver.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fastpath/device/device.h"
#include "spec/core/dtype.h"

namespace plumb::fast {

// Makes the host's kernel of a node, which GPUs use for what it keeps or knows (ByHost in gpu_context.h).
using HostKernelFactory = std::shared_ptr<Kernel> (*)(const Node& node);

// At most `most` cards. Throws kUnavailable, which says what is missing: the module, a library that it needs, the
// driver or a card.
std::vector<std::unique_ptr<Device>> OpenCards(int most, HostKernelFactory host_kernel);

struct CardDescription {
  std::string name;          // as its maker calls it
  int64_t memory = 0;        // bytes
  int major = 0, minor = 0;  // what it can compute
  int processors = 0;
};
// Those of this machine; throws as OpenCards does.
std::vector<CardDescription> DescribeCards();

// Which convolutions the first of them has, in a sentence: those of cuDNN, or ours and why. Throws as OpenCards does.
std::string DescribeConvolutions();

// What the first card does when nothing of ours is between.
struct CardCeilings {
  double copy = 0;        // bytes read and written per second, from one place of its memory to another
  double to_card = 0;     // bytes per second, from the program's memory
  double from_card = 0;   // and to it
  double round_trip = 0;  // seconds until the host knows that a small piece of work is done
};
// Copies of `bytes`, on a card or an emulated one; throws as OpenCards does, and kResourceExhausted.
CardCeilings MeasureCeilings(bool is_emulated, int64_t bytes);
// Seconds of a product of two square matrices by the maker's library, for floats of 16 and 32 bits.
double MeasureProduct(bool is_emulated, DType type, int64_t side);

// Emulated cards: kernels of the GPU, run on the host (fastpath/gpu/emulator/). There are at most as many as the
// emulator has; a bundle has none, and throws kUnavailable.
std::vector<std::unique_ptr<Device>> OpenEmulatedGpus(int count, HostKernelFactory host_kernel);

bool HasEmulatedGpus();

// Whether GPUs have a kernel for the op, for some types.
bool HasGpuKernel(std::string_view op);

}  // namespace plumb::fast

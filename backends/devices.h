// The devices that sessions of this machine may have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/dtype.h"

namespace plumb {

struct DeviceDescription {
  std::string name;         // "/device:GPU:0"
  int64_t memory = 0;       // bytes; 0 where nobody says
  std::string description;  // "NVIDIA H100, compute capability 9.0, 132 multiprocessors"
};

struct DeviceList {
  std::vector<DeviceDescription> devices;
  std::string no_gpu;        // what is missing, where there is no card
  std::string convolutions;  // where there is one: what computes them, and what is missing for cuDNN
};

// CPUs, cards, and the devices that are simulated or emulated.
DeviceList ListDevices();

// What the first card of a backend ("gpu", "gpu-emulated") does when nothing of ours is between. Throws kUnavailable
// where there is none.
struct CardCeilings {
  double copy = 0;        // bytes read and written per second, from one place of its memory to another
  double to_card = 0;     // bytes per second, from the program's memory
  double from_card = 0;   // and to it
  double round_trip = 0;  // seconds until the host knows that a small piece of work is done
};
CardCeilings MeasureCeilings(std::string_view backend, int64_t bytes);
// Seconds of a product of two square matrices of 16- or 32-bit floats, by the library of the card's maker.
double MeasureProduct(std::string_view backend, DType type, int64_t side);

}  // namespace plumb

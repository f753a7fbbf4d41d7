// Data for those who have none: digits rendered into the four files of MNIST.
#pragma once

#include <cstdint>
#include <string>

namespace plumb::tools {

struct MakeDigitsOptions {
  std::string folder;
  int train = 20000;
  int test = 4000;
  int seed = 1;
};

// Writes train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte.
void MakeDigits(const MakeDigitsOptions& options);

}  // namespace plumb::tools

// The main job: train a digit classifier fast, replay its first steps on the reference, and show what came out.
#pragma once

#include <cstdint>
#include <string>

namespace plumb::tools {

struct DemoOptions {
  std::string data;                // folder of the four MNIST files; empty: rendered digits
  std::string out = "build/demo";  // where the plot, the events and the rendered digits go
  std::string model = "mlp";       // or "lenet"
  std::string backend = "cpu";
  int steps = 3000;
  int batch = 64;
  int replay_steps = 5;
  double learning_rate = 0.001;
  int threads = 0;
};

// Returns the exit code: 1 when the reference disagrees.
int RunDemo(const DemoOptions& options);

}  // namespace plumb::tools

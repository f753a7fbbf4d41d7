#include "tools/step_settings.h"

#include <cstdio>

#include "backends/backends.h"
#include "spec/session/tensor_float_32.h"
#include "tools/fetched.h"

namespace plumb::tools {

void StepSettings::Declare(Options& options) {
  options.Option("--backend", &backend, "reference, cpu, sim, gpu-emulated, gpu, gpu:N or the path of a library");
  options.Count("--threads", &threads, "threads of the cpu backend; 0: one per core");
  options.Flag("--soft-placement", &soft_placement,
               "place what asks for a device that is not there, or that lacks its op, where it can run");
  options.Flag("--tf32", &takes_tf32,
               "on GPUs, multiply float32 with 10 bits of fraction, which is several times as fast (docs/gpu.md)");
  options.Option("--output", &output, "folder for the fetches, each as NAME.npy with '_' for '/' and ':'");
  options.Count("--limit", &limit, "elements to print of each tensor");
  options.Count("--timeout", &timeout, "seconds that a step may take, then it says what it waits for; 0: any time");
}

SessionOptions StepSettings::session_options() const {
  SessionOptions options;
  options.threads = threads;
  options.allow_soft_placement = soft_placement;
  return options;
}

RunOptions StepSettings::run_options() const {
  RunOptions options;
  options.timeout_ms = int64_t{1000} * timeout;
  return options;
}

std::unique_ptr<Session> StepSettings::Open() const {
  if (takes_tf32) EnableTensorFloat32(true);
  return OpenSession(backend, session_options());
}

void StepSettings::Give(const std::vector<std::string>& names, const std::vector<Tensor>& values) const {
  if (!output.empty()) {
    WriteFetches(output, names, values);
    return;
  }
  for (size_t i = 0; i < names.size(); ++i) {
    std::printf("%s = %s\n", names[i].c_str(), values[i].ToString(limit).c_str());
  }
}

}  // namespace plumb::tools

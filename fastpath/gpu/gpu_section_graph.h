// The captured work of a section: for one set of shapes, over fixed addresses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fastpath/device/section.h"
#include "fastpath/gpu/gpu_recording.h"
#include "fastpath/gpu/gpu_step.h"
#include "fastpath/gpu/runtime/captured_work.h"

namespace plumb::fast::GPU_NAMESPACE {

// What comes into a section in one run.
struct SectionInput {
  enum class Kind { kFixed, kCopied, kKnown, kVariable };  // a constant; a value of the device; one of the host
  Kind kind = Kind::kFixed;
  Entry entry;
  // Of a variable: what it holds, and where that lies.
  std::shared_ptr<Variable> variable;
  bool is_handle = false;
  DType dtype = DType::kInvalid;
  Shape shape;
  const void* place = nullptr;
};
// What inputs have in common that one graph serves: types, shapes and what the host knows; and where variables lie.
std::string ShapesOf(const std::vector<SectionInput>& inputs);
std::string PlacesOf(const std::vector<SectionInput>& inputs);

class SectionGraph {
 public:
  // Runs the section on a stream that captures, in `memory` bytes of its own. Throws what its kernels throw,
  // NotCaptured and kResourceExhausted; then nothing of it was done.
  SectionGraph(const Section& section, GpuDevice& device, KernelContext& call, const std::vector<SectionInput>& inputs,
               size_t memory);
  // Waits for its last launch.
  ~SectionGraph();
  SectionGraph(const SectionGraph&) = delete;
  SectionGraph& operator=(const SectionGraph&) = delete;

  size_t pieces() const { return work_->pieces(); }
  // Launches it for a step; the section's outputs are the call's. False, and nothing was done, where a variable lies
  // elsewhere by now or is held by others. Throws NotCaptured where there is no memory for what leaves; then nothing
  // was done either. `is_counted`: the variables count this run's updates already.
  bool Launch(KernelContext& call, GpuStep& step, const std::string& name, const std::vector<SectionInput>& inputs,
              bool is_counted);

 private:
  // Variables of the inputs, in the order of their addresses, each once.
  struct Held {
    Variable* variable = nullptr;
    const void* place = nullptr;
    Shape shape;
    int updates = 0;  // how often the work changes it
    bool is_handle = false;
  };
  class Locked;

  void Capture(const Section& section, KernelContext& call, const std::vector<SectionInput>& inputs);
  void CopyIn(const std::vector<SectionInput>& inputs);
  // As `values`, in memory of the device's own; what is fixed is there.
  std::vector<Tensor> NewLike(const std::vector<Tensor>& values);
  void CopyOut(const Tensor& output, const Tensor& copy);
  bool IsInBlock(const Tensor& value) const;
  // Whether a value that leaves is the host's, and so the same each time.
  static bool IsFixed(const Tensor& value);

  GpuDevice& device_;
  const Tensor block_;
  std::vector<Held> held_;
  std::vector<Tensor> inputs_, outputs_;        // in `block_` or fixed; unset for an input that is not copied
  std::vector<Tensor> slot_blocks_;             // in `block_`, too
  std::vector<std::vector<Refusal>> refusals_;  // of each of them
  std::unique_ptr<CapturedWork> work_;
  std::shared_ptr<Driver::Event> last_launch_;
};

}  // namespace plumb::fast::GPU_NAMESPACE

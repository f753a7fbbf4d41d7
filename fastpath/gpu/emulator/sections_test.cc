// Sections on a GPU that has little memory, or fails.
#include <future>
#include <string>
#include <utility>

#include "fastpath/gpu/emulator/emulator_testing.h"
#include "fastpath/gpu/gpu_section.h"

namespace plumb::fast::emulated_gpu {
namespace {

using testing::HasSubstr;

PLUMB_GPU_KERNEL AddOne(Global<const int32_t> in, Global<int32_t> out) {
  for (int64_t i = BlockNumber() * Threads() + ThreadNumber(); i < in.size; i += Blocks() * Threads()) {
    out[i] = in[i] + 1;
  }
}

class AddOneKernel : public Kernel {
 public:
  explicit AddOneKernel(GpuDevice& device) : device_(device) {}
  void Run(KernelContext& context) override {
    const Tensor in = context.input(0);
    Tensor out = device_.NewTensor(in.dtype(), in.shape());
    Check(cudaSetDevice(device_.number()), "to choose a GPU");
    Launch(device_.stream(), {.blocks = 2, .threads = 32}, AddOne,
           Global<const int32_t>(static_cast<const int32_t*>(in.raw()), in.elements()),
           Global<int32_t>(static_cast<int32_t*>(out.mutable_raw()), out.elements()));
    context.SetOutput(0, std::move(out));
  }

 private:
  GpuDevice& device_;
};

// A device, and a section of it that adds one so many times.
class Rig {
 public:
  static constexpr int kPieces = 5;

  Rig() : device_(NewCudaDriver(), 0, [](const Node&) { return std::shared_ptr<Kernel>(); }) {
    Section section;
    section.name = "section of additions";
    section.inputs = {{DType::kInt32, false, ""}};
    for (int i = 0; i < kPieces; ++i) {
      section.pieces.push_back({.name = "add" + std::to_string(i),
                                .kernel = std::make_shared<AddOneKernel>(device_),
                                .inputs = {i},
                                .input_types = {DType::kInt32},
                                .is_last = {true},
                                .first_output = i + 1,
                                .num_outputs = 1});
    }
    section.num_values = kPieces + 1;
    section.outputs = {kPieces};
    section_ = device_.MakeSection(std::move(section));
  }

  // One step: the sums, or its failure. Says in said() what the section did.
  Status Step(const Tensor& value, Tensor* sums) {
    const int64_t step = ++steps_;
    said_.clear();
    device_.BeginTrace(step);
    device_.BeginStep(step, [](const Status&) {});
    Status status = RunStep(step, value, sums);
    const Status ended = device_.EndStep(step);
    if (status.ok()) status = ended;
    for (const DeviceStats& line : device_.EndTrace(step)) {
      if (line.device.ends_with("/sections")) said_ = line.nodes.at(0).op;
    }
    failure_ = ended;
    return status;
  }
  const std::string& said() const { return said_; }
  // How the step ended on the device.
  const Status& failure() const { return failure_; }
  GpuDevice& device() { return device_; }

 private:
  using Copied = std::pair<Status, Tensor>;

  Status RunStep(int64_t step, const Tensor& value, Tensor* sums) {
    try {
      std::promise<Copied> came, left;
      device_.CopyFromHost(value, [&](const Status& status, Tensor copy) {
        came.set_value({status, std::move(copy)});
      });
      Copied here = came.get_future().get();
      if (!here.first.ok()) return here.first;
      StepContext context{pool_, resources_, step_resources_, step};
      Entry input{std::move(here.second), nullptr}, output;
      here = {};
      const std::string name = "section";
      KernelContext call(context, &input, 1, &output, 1, &name);
      section_->Run(call);
      input = Entry();
      device_.CopyToHost(step, std::move(output.tensor), [&](const Status& status, Tensor copy) {
        left.set_value({status, std::move(copy)});
      });
      const Copied answer = left.get_future().get();
      *sums = answer.second;
      return answer.first;
    } catch (const Error& error) {
      return error.status();
    }
  }

  ThreadPool pool_{1};
  ResourceManager resources_, step_resources_;
  GpuDevice device_;
  std::shared_ptr<Kernel> section_;
  int64_t steps_ = 0;
  std::string said_;
  Status failure_;
};

Tensor Count(int64_t elements, int32_t first) {
  Tensor tensor(DType::kInt32, Shape({elements}));
  for (int32_t& number : tensor.mutable_data<int32_t>()) number = first++;
  return tensor;
}

constexpr int64_t kElements = 1 << 14;
constexpr size_t kTensor = kElements * sizeof(int32_t);

void ExpectSums(Rig& rig, int32_t first) {
  Tensor sums;
  const Status status = rig.Step(Count(kElements, first), &sums);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(sums.BitwiseEquals(Count(kElements, first + Rig::kPieces))) << sums.ToString();
}

TEST(SectionMemory, WhereItDoesNotSufficeKernelsAreLaunchedOneByOne) {
  BeginAnew({.devices = 1, .memory = 4 * kTensor});
  {
    Rig rig;
    for (int32_t step = 0; step < 8; ++step) {
      ExpectSums(rig, step);
      EXPECT_THAT(rig.said(), HasSubstr("kernels one by one"));
      // Refused by the runtime, or by the pool while what the step before let go is not back.
      if (step == 2) {
        EXPECT_THAT(rig.said(), AnyOf(HasSubstr("cudaErrorMemoryAllocation"), HasSubstr("has no block of")));
      } else if (step > 2) {
        EXPECT_THAT(rig.said(), HasSubstr("memory was short"));
      }
    }
  }
  BeginAnew({});
}

TEST(SectionMemory, IsGivenUpWhereOthersNeedIt) {
  BeginAnew({.devices = 1, .memory = 16 * kTensor});
  {
    Rig rig;
    for (int32_t step = 0; step < 5; ++step) ExpectSums(rig, step);
    EXPECT_THAT(rig.said(), HasSubstr("launched as one: 5 pieces of work"));
    {
      const Tensor large = rig.device().NewTensor(DType::kInt8, Shape({static_cast<int64_t>(12 * kTensor)}));
      EXPECT_EQ(large.bytes(), 12 * kTensor);
      EXPECT_THROW(rig.device().NewTensor(DType::kInt8, Shape({static_cast<int64_t>(12 * kTensor)})), Error);
    }
    for (int32_t step = 0; step < 3; ++step) {
      ExpectSums(rig, step);
      EXPECT_THAT(rig.said(), HasSubstr("memory was short"));
    }
  }
  BeginAnew({});
}

TEST(SectionFailures, NameTheSectionAndNeverGiveAWrongValue) {
  int failed = 0, named = 0, replayed = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    BeginAnew({.devices = 1, .seed = seed, .failures_per_thousand = 8});
    Rig rig;
    for (int32_t step = 0; step < 12; ++step) {
      Tensor sums;
      const Status status = rig.Step(Count(64, step), &sums);
      if (status.ok()) {
        EXPECT_TRUE(sums.BitwiseEquals(Count(64, step + Rig::kPieces))) << seed << ", " << step;
        replayed += rig.said().starts_with("launched as one");
        continue;
      }
      ++failed;
      named += rig.failure().message().find("section of additions") != std::string::npos;
      break;
    }
    rig.device().Synchronize();
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(named, 0);
  EXPECT_GT(replayed, 0);
  BeginAnew({});
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu

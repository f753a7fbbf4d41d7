// Lists that go to a GPU, and come back, while copies fail: each is answered once, and what did not arrive is let go.
#include <future>
#include <utility>

#include "fastpath/cpu/lib/state/tensor_list.h"
#include "fastpath/device/variant_transfer.h"
#include "fastpath/gpu/emulator/emulator_testing.h"
#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::emulated_gpu {
namespace {

constexpr int kElements = 20;

Tensor ListOfNumbers() {
  auto list = std::make_shared<cpu::TensorList>();
  list->element_dtype = DType::kInt32;
  for (int i = 0; i < kElements; ++i) {
    Tensor element = Allocate(DType::kInt32, Shape({1000 + i}));
    for (int32_t& number : element.mutable_data<int32_t>()) number = i;
    list->elements.push_back(i % 3 == 0 ? Tensor() : element);
  }
  return cpu::AsTensor(std::move(list));
}

std::pair<Status, Tensor> Transferred(Device* from, Device& to, bool to_host, const Tensor& list) {
  std::promise<std::pair<Status, Tensor>> answer;  // a second answer would throw
  Transfer(from, to, to_host, 0, list, [&](const Status& status, Tensor copy) {
    answer.set_value({status, std::move(copy)});
  });
  return answer.get_future().get();
}

TEST(FailingLists, AreAnsweredOnceAndLetGo) {
  int failed = 0, came_back = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    BeginAnew({.seed = seed, .failures_per_thousand = seed % 2 == 0 ? 20 : 2});
    GpuDevice device(NewCudaDriver(), 0, [](const Node&) { return std::shared_ptr<Kernel>(); });
    Tensor list = ListOfNumbers();
    const std::weak_ptr<const VariantPayload> here = list.data<Variant>()[0].payload;
    std::weak_ptr<const VariantPayload> there;
    Status status;
    {
      auto [outcome, held] = Transferred(nullptr, device, /*to_host=*/false, list);
      status = outcome;
      Tensor back;
      if (status.ok()) {
        there = held.data<Variant>()[0].payload;
        std::tie(status, back) = Transferred(&device, device, /*to_host=*/true, held);
      }
      if (status.ok()) {
        const auto& wanted = cpu::ListIn(list.data<Variant>()[0]).elements;
        const auto& elements = cpu::ListIn(back.data<Variant>()[0]).elements;
        ASSERT_EQ(elements.size(), wanted.size());
        for (size_t i = 0; i < wanted.size(); ++i) {
          EXPECT_EQ(elements[i].IsSet(), wanted[i].IsSet());
          if (wanted[i].IsSet()) {
            EXPECT_TRUE(elements[i].BitwiseEquals(wanted[i])) << seed;
          }
        }
      }
    }
    (status.ok() ? came_back : failed) += 1;
    list = Tensor();
    device.Synchronize();
    EXPECT_TRUE(here.expired() && there.expired()) << seed;
  }
  EXPECT_GT(failed, 0);
  EXPECT_GT(came_back, 0);
  BeginAnew({});
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu

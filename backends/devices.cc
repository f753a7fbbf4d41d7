#include "backends/devices.h"

#include <thread>

#include "fastpath/gpu/module/open.h"
#include "fastpath/sim/sim_driver.h"
#include "spec/core/memory.h"

namespace plumb {
namespace {

void AddCards(DeviceList* list) {
  try {
    const std::vector<fast::CardDescription> cards = fast::DescribeCards();
    for (size_t i = 0; i < cards.size(); ++i) {
      const fast::CardDescription& card = cards[i];
      list->devices.push_back({Str("/device:GPU:", i), card.memory,
                               Str(card.name, ", compute capability ", card.major, ".", card.minor, ", ",
                                   card.processors, " multiprocessors")});
    }
    if (!cards.empty()) list->convolutions = fast::DescribeConvolutions();
  } catch (const Error& error) {
    if (error.status().code() != Code::kUnavailable) throw;
    list->no_gpu = error.status().message();
  }
}

bool IsEmulated(std::string_view backend) {
  if (backend != "gpu" && backend != "gpu-emulated") throw NotFound("'", backend, "' has no GPU that can be measured");
  return backend != "gpu";
}

}  // namespace

CardCeilings MeasureCeilings(std::string_view backend, int64_t bytes) {
  const fast::CardCeilings measured = fast::MeasureCeilings(IsEmulated(backend), bytes);
  return {measured.copy, measured.to_card, measured.from_card, measured.round_trip};
}

double MeasureProduct(std::string_view backend, DType type, int64_t side) {
  return fast::MeasureProduct(IsEmulated(backend), type, side);
}

DeviceList ListDevices() {
  DeviceList list;
  list.devices.push_back(
      {"/device:CPU:0", MachineMemory(), Str("this machine, ", std::thread::hardware_concurrency(), " threads")});
  AddCards(&list);
  list.devices.push_back({"/device:SIM:0", static_cast<int64_t>(fast::SimOptions().memory),
                          "a simulated accelerator, for tests (backend sim)"});
  if (fast::HasEmulatedGpus()) {
    list.devices.push_back(
        {"/device:GPU:0", 0, "a card that is emulated on the host, for tests (backend gpu-emulated)"});
  }
  return list;
}

}  // namespace plumb

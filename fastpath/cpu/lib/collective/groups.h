// How the kernels of a session find the exchange that its members meet at, and how they wait there.
#pragma once

#include <memory>
#include <utility>

#include "fastpath/cpu/lib/collective/exchange.h"
#include "fastpath/device/async_kernel.h"

namespace plumb::fast::cpu {

class CollectiveGroups : public Resource {
 public:
  CollectiveGroups();
  // That of one process, unless Use said another one.
  const std::shared_ptr<CollectiveExchange>& exchange() const { return exchange_; }
  // Before any kernel runs.
  void Use(std::shared_ptr<CollectiveExchange> exchange) { exchange_ = std::move(exchange); }

  // Nobody waits while a session is saved.
  void Save(const StateWriter&) const override {}
  void Restore(const StateReader&) override {}

 private:
  std::shared_ptr<CollectiveExchange> exchange_;
};

// What a session's groups are found by; no op names them.
inline constexpr ResourceKey kCollectiveGroups = {"", "_collective", "groups"};

// Joins as `member`, and answers the kernel with what comes of the meeting as output 0.
void Meet(AsyncContext& context, AsyncKernel::Done done, CollectiveMember member, Tensor input);

}  // namespace plumb::fast::cpu

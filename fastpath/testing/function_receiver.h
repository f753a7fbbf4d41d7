// A receiver that calls a function.
#pragma once

#include <functional>
#include <utility>

#include "fastpath/device/rendezvous.h"

namespace plumb::fast {

class FunctionReceiver final : public Rendezvous::Receiver {
 public:
  using Function = std::function<void(const Rendezvous::Outcome&)>;
  explicit FunctionReceiver(Function function) : function_(std::move(function)) {}
  void Take(Rendezvous::Outcome outcome) override { function_(outcome); }

 private:
  const Function function_;
};

}  // namespace plumb::fast

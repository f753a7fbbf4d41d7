#include "reference/step/configuration.h"

namespace plumb::reference {
namespace {

// Leads whatever refers to a shared object to that object's copy.
class Relinked {
 public:
  explicit Relinked(Copies& copies) : copies_(copies) {}

  void In(Item& item) const {
    item.ref = copies_.Of(item.ref);
    Relink(item.value, copies_);
  }
  void In(Token& token) const { In(token.item); }
  void In(Event& event) const {
    for (Item& input : event.inputs) In(input);
    if (event.attempt == nullptr) return;
    Attempt attempt = *event.attempt;
    attempt.object = copies_.Of(attempt.object);
    event.attempt = std::make_shared<const Attempt>(std::move(attempt));
  }
  void In(Call& call) const {
    In(call.caller);
    for (Item& arg : call.args) In(arg);
    for (Token& result : call.results) In(result);
  }
  void In(Frame& frame) const {
    for (auto& [number, iteration] : frame.iterations) {
      for (auto& [node, arrivals] : iteration.arrivals) {
        for (std::optional<Token>& token : arrivals.data) {
          if (token) In(*token);
        }
      }
    }
    if (frame.returns_to) In(*frame.returns_to);
    for (auto* tokens : {&frame.constants, &frame.queued}) {
      for (auto& [node, token] : *tokens) In(token);
    }
  }

 private:
  Copies& copies_;
};

}  // namespace

Configuration Configuration::Clone(Copies& copies) const {
  Configuration clone = *this;
  const Relinked relinked(copies);
  for (Event& event : clone.ready) relinked.In(event);
  for (Event& event : clone.receiving) relinked.In(event);
  for (Event& event : clone.parked) relinked.In(event);
  for (auto& [key, messages] : clone.messages) {
    for (Token& message : messages) relinked.In(message);
  }
  for (auto& [id, frame] : clone.frames) relinked.In(frame);
  for (std::optional<Value>& value : clone.fetched) {
    if (value) Relink(*value, copies);
  }
  clone.step_resources = step_resources.Clone(copies);
  return clone;
}

}  // namespace plumb::reference

#include "fastpath/device/transfer.h"

#include <atomic>
#include <exception>
#include <utility>

#include "fastpath/device/async_kernel.h"
#include "fastpath/device/caught.h"
#include "fastpath/device/device.h"
#include "fastpath/device/rendezvous.h"
#include "spec/validate/devices.h"

namespace plumb::fast {
namespace {

Rendezvous& RendezvousOf(AsyncContext& context) {
  Rendezvous* const rendezvous = context.rendezvous();
  if (rendezvous == nullptr) throw Internal("the step has no rendezvous");
  return *rendezvous;
}

class Send : public AsyncKernel {
 public:
  Send(const Node& node, Device& device)
      : channel_(ChannelOf(node.attrs)),
        device_(device),
        leaves_alias_(GetAttrOr<bool>(node.attrs, kIsReadLater, false)),
        stays_(GetAttrOr<std::string>(node.attrs, "send_device", "") ==
               GetAttrOr<std::string>(node.attrs, "recv_device", "")),
        needs_no_work_(GetAttrOr<bool>(node.attrs, kNeedsNoWork, false)) {}

  bool StartsWhenDead() const override { return true; }  // rule X4
  bool AnswersAtOnce() const override { return device_.memory() == nullptr; }

  Status Answer(AsyncContext& context) override {
    return RendezvousOf(context).Send(channel_, KeyOf(channel_, context.place()), MessageOf(context));
  }

  void Start(AsyncContext& context, Done done) override {
    Message message = MessageOf(context);
    Rendezvous& rendezvous = RendezvousOf(context);
    const RendezvousKey key = KeyOf(channel_, context.place());
    // Whoever gets a value of the device's memory copies it behind the work that computes it. What lies in the host's
    // memory, as the empty value of a control edge does (W22), says that this work has been done; but for the device
    // itself, whose work is in order, and where there is none.
    const bool says_done = !message.is_dead && IsOnHost(message.value) && !stays_ && !needs_no_work_;
    if (!says_done) return done(rendezvous.Send(channel_, key, std::move(message)));
    if (!context.Park(Str("its work on ", device_.name()), [] {})) {
      return done(Status(Code::kCancelled, "the step was stopped"));
    }
    device_.WhenDone(context.step().step_id, [this, &rendezvous, key, message, done](const Status& status) {
      done(status.ok() ? rendezvous.Send(channel_, key, message) : status);
    });
  }

 private:
  Message MessageOf(AsyncContext& context) const {
    Message message;
    message.is_dead = context.is_dead();
    if (message.is_dead) return message;
    message.value = context.input(0);
    const bool is_copied = message.value.is_alias() && !leaves_alias_;  // rule R36
    if (is_copied) message.value = device_.CopyInPlace(std::move(message.value));
    message.device = device_.memory() == nullptr ? nullptr : &device_;
    return message;
  }

  const Channel channel_;
  Device& device_;
  const bool leaves_alias_;
  const bool stays_;  // on the device, in another memory of it
  const bool needs_no_work_;
};

class Recv : public AsyncKernel {
 public:
  Recv(const Node& node, Device& device)
      : channel_(ChannelOf(node.attrs)),
        what_(Str("tensor '", GetAttr<std::string>(node.attrs, "tensor_name"), "' from '",
                  GetAttr<std::string>(node.attrs, "send_device"), "'")),
        type_(GetAttr<DType>(node.attrs, "tensor_type")),
        device_(device),
        to_host_(GetAttrOr<bool>(node.attrs, kReceivesOnHost, false)),
        ends_with_step_(!GetAttrOr<bool>(node.attrs, "client_terminated", false)),
        is_read_later_(GetAttrOr<bool>(node.attrs, kIsReadLater, false)) {}

  bool StartsWhenDead() const override { return true; }  // rule X4: the message is taken all the same

  void Start(AsyncContext& context, Done done) override {
    const auto wait = std::make_shared<Wait>(*this, context, std::move(done));
    if (!context.Park(wait)) return wait->Cancel();
    wait->Receive(wait);
  }

 private:
  // One start of it. May be stopped before the receive has begun.
  class Wait final : public Waiter, public Rendezvous::Receiver {
   public:
    Wait(const Recv& recv, AsyncContext& context, Done done)
        : recv_(recv),
          context_(context),
          rendezvous_(RendezvousOf(context)),
          key_(KeyOf(recv.channel_, context.place())),
          done_(std::move(done)) {}

    void Receive(const std::shared_ptr<Wait>& itself) {
      rendezvous_.Receive(key_, itself, recv_.ends_with_step_);
      if (seen_.fetch_or(kBegun) == kStopped) GiveUp();
    }
    void Cancel() { done_(Status(Code::kCancelled, "the step was stopped")); }

    std::string Text() override { return Str(recv_.what_, " (key '", TextOf(recv_.channel_, key_), "')"); }
    void Stop() override {
      if (seen_.fetch_or(kStopped) == kBegun) GiveUp();
    }
    void Take(Rendezvous::Outcome outcome) override { recv_.Take(context_, std::move(outcome), done_); }

   private:
    void GiveUp() {
      if (rendezvous_.Withdraw(*this)) Cancel();
    }

    static constexpr int kBegun = 1, kStopped = 2;
    const Recv& recv_;
    AsyncContext& context_;
    Rendezvous& rendezvous_;
    const RendezvousKey key_;
    const Done done_;
    std::atomic<int> seen_{0};
  };

  void Take(AsyncContext& context, Rendezvous::Outcome outcome, const Done& done) const {
    if (outcome.is_closed) context.SetAbandoned();
    if (outcome.message.is_dead) context.SetDead(0);
    if (!outcome.status.ok() || outcome.is_closed || outcome.message.is_dead) return done(outcome.status);
    Tensor& value = outcome.message.value;
    if (value.dtype() != type_) {  // rule T5
      return done(Status(Code::kInternal, Str("the ", what_, " is of the type ", DTypeName(value.dtype()),
                                              ", and its Recv is for ", DTypeName(type_))));
    }
    if (context.is_dead()) return done(OkStatus());
    const bool stays_on_host = outcome.message.device == nullptr && device_.memory() == nullptr;
    if (stays_on_host || (is_read_later_ && value.is_alias())) {
      context.SetOutput(0, std::move(value));
      return done(OkStatus());
    }
    const auto arrived = [&context, done](const Status& status, Tensor copy) {
      if (status.ok()) context.SetOutput(0, std::move(copy));
      done(status);
    };
    try {
      Transfer(outcome.message.device, device_, to_host_, context.step().step_id, std::move(value), arrived);
    } catch (const std::exception&) {
      done(CaughtStatus());  // not the sender's, whose thread this may be
    }
  }

  const Channel channel_;
  const std::string what_;
  const DType type_;
  Device& device_;
  const bool to_host_;
  const bool ends_with_step_;
  const bool is_read_later_;
};

}  // namespace

std::shared_ptr<Kernel> MakeSend(const Node& node, Device& device) {
  CheckMessageName(node);
  return std::make_shared<Send>(node, device);
}
std::shared_ptr<Kernel> MakeRecv(const Node& node, Device& device) {
  CheckMessageName(node);
  return std::make_shared<Recv>(node, device);
}

}  // namespace plumb::fast

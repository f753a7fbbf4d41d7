#include "fastpath/device/transfer.h"

#include <cstdio>
#include <utility>

#include "fastpath/device/async_kernel.h"
#include "fastpath/device/device.h"
#include "fastpath/device/rendezvous.h"

namespace plumb::fast {
namespace {

// W30: all of the key but the iteration.
std::string ChannelOf(const Node& node) {
  char incarnation[20];
  std::snprintf(incarnation, sizeof(incarnation), "%llx",
                static_cast<unsigned long long>(GetAttr<int64_t>(node.attrs, "send_device_incarnation")));
  return Str(GetAttr<std::string>(node.attrs, "send_device"), ";", incarnation, ";",
             GetAttr<std::string>(node.attrs, "recv_device"), ";", GetAttr<std::string>(node.attrs, "tensor_name"));
}

Rendezvous& RendezvousOf(AsyncContext& context) {
  Rendezvous* const rendezvous = context.rendezvous();
  if (rendezvous == nullptr) throw Internal("the step has no rendezvous");
  return *rendezvous;
}

class Send : public AsyncKernel {
 public:
  Send(const Node& node, Device& device)
      : channel_(ChannelOf(node)), device_(device), leaves_alias_(GetAttrOr<bool>(node.attrs, kIsReadLater, false)) {}

  bool StartsWhenDead() const override { return true; }  // rule X4

  void Start(AsyncContext& context, Done done) override {
    Message message;
    message.is_dead = context.is_dead();
    if (!message.is_dead) {
      message.value = context.input(0);
      const bool is_copied = message.value.is_alias() && !leaves_alias_;  // rule R36
      if (is_copied) message.value = device_.CopyInPlace(std::move(message.value));
      message.device = device_.memory() == nullptr ? nullptr : &device_;
    }
    Rendezvous& rendezvous = RendezvousOf(context);
    const std::string key = RendezvousKey(channel_, context.place());
    // Whoever gets a value of the device's memory copies it behind the work that computes it. What lies in the host's
    // memory, as the empty value of a control edge does (W22), says that this work has been done.
    const bool says_done = device_.memory() != nullptr && !message.is_dead && IsOnHost(message.value);
    if (!says_done) return done(rendezvous.Send(key, std::move(message)));
    if (!context.Park(Str("its work on ", device_.name()), [] {})) {
      return done(Status(Code::kCancelled, "the step was stopped"));
    }
    device_.WhenDone(context.step().step_id, [&rendezvous, key, message, done](const Status& status) {
      done(status.ok() ? rendezvous.Send(key, message) : status);
    });
  }

 private:
  const std::string channel_;
  Device& device_;
  const bool leaves_alias_;
};

class Recv : public AsyncKernel {
 public:
  Recv(const Node& node, Device& device)
      : channel_(ChannelOf(node)),
        what_(Str("tensor '", GetAttr<std::string>(node.attrs, "tensor_name"), "' from '",
                  GetAttr<std::string>(node.attrs, "send_device"), "'")),
        device_(device),
        to_host_(GetAttrOr<bool>(node.attrs, kReceivesOnHost, false)),
        ends_with_step_(!GetAttrOr<bool>(node.attrs, "client_terminated", false)),
        is_read_later_(GetAttrOr<bool>(node.attrs, kIsReadLater, false)) {}

  void Start(AsyncContext& context, Done done) override {
    Rendezvous& rendezvous = RendezvousOf(context);
    const auto wait = std::make_shared<Wait>(rendezvous, RendezvousKey(channel_, context.place()), done);
    const auto text = [this, wait] { return Str(what_, " (key '", wait->key, "')"); };
    if (!context.Park(text, [wait] { wait->Stop(); })) {
      return done(Status(Code::kCancelled, "the step was stopped"));
    }
    rendezvous.Receive(wait->key, wait.get(), ends_with_step_, [this, &context, done](Rendezvous::Outcome outcome) {
      Take(context, std::move(outcome), done);
    });
    wait->Registered();
  }

 private:
  // A receive that may be stopped before it has begun.
  struct Wait {
    Wait(Rendezvous& rendezvous, std::string key, Done done)
        : rendezvous(rendezvous), key(std::move(key)), done(std::move(done)) {}
    void Stop() {
      {
        MutexLock lock(mutex);
        stopped = true;
        if (!registered) return;
      }
      GiveUp();
    }
    void Registered() {
      {
        MutexLock lock(mutex);
        registered = true;
        if (!stopped) return;
      }
      GiveUp();
    }
    void GiveUp() {
      if (rendezvous.Withdraw(key, this)) done(Status(Code::kCancelled, "the step was stopped"));
    }

    Rendezvous& rendezvous;
    const std::string key;
    const Done done;
    Mutex mutex;
    bool stopped PLUMB_GUARDED_BY(mutex) = false;
    bool registered PLUMB_GUARDED_BY(mutex) = false;
  };

  void Take(AsyncContext& context, Rendezvous::Outcome outcome, const Done& done) {
    if (outcome.is_closed) context.SetAbandoned();
    if (outcome.message.is_dead) context.SetDead(0);
    if (!outcome.status.ok() || outcome.is_closed || outcome.message.is_dead) return done(outcome.status);
    const auto arrived = [&context, done](const Status& status, Tensor value) {
      if (status.ok()) context.SetOutput(0, std::move(value));
      done(status);
    };
    if (is_read_later_ && outcome.message.value.is_alias())
      return arrived(OkStatus(), std::move(outcome.message.value));
    try {
      Transfer(outcome.message.device, device_, to_host_, context.step().step_id, std::move(outcome.message.value),
               arrived);
    } catch (const Error& error) {
      done(error.status());  // not the sender's, whose thread this may be
    }
  }

  const std::string channel_, what_;
  Device& device_;
  const bool to_host_;
  const bool ends_with_step_;
  const bool is_read_later_;
};

}  // namespace

std::shared_ptr<Kernel> MakeSend(const Node& node, Device& device) { return std::make_shared<Send>(node, device); }
std::shared_ptr<Kernel> MakeRecv(const Node& node, Device& device) { return std::make_shared<Recv>(node, device); }

}  // namespace plumb::fast

// For tests: a channel, which kernels wait at as they wait at queues. Ops on resource variables stand for its ops:
//   AssignVariableOp(channel, value)     puts a value; waits while the channel is full
//   ReadVariableOp(channel)              takes the oldest value; waits while there is none
//   ResourceGather(channel, indices)     takes as many values as there are indices, one by one as they come
//   AssignAddVariableOp(channel, value)  closes it: those who wait for values fail
//   VariableShape(channel)               [how many values it has]
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reference/kernel/variables.h"
#include "reference/numbers/numbers_io.h"
#include "reference/test_graph.h"

namespace plumb::reference {

class Channel : public ClonedByCopy<Channel, Waitable> {
 public:
  static constexpr size_t kCapacity = 2;

  void Put(int64_t ticket, float value) {
    putters_.push_back({ticket, value});
    Serve();
  }
  void Take(int64_t ticket, size_t wanted) {
    takers_.push_back({ticket, wanted, {}});
    Serve();
  }
  void Close() {
    for (const Taker& taker : std::exchange(takers_, {})) {
      answers_[taker.ticket] = {Status(Code::kOutOfRange, "the channel is closed"), {}};
    }
  }
  struct Answer {
    Status status;
    std::vector<float> values;
  };
  Answer Fetch(int64_t ticket) { return answers_.extract(ticket).mapped(); }
  size_t size() const { return values_.size(); }

  bool IsServed(int64_t ticket) const override { return answers_.contains(ticket); }
  std::string WaitsFor(int64_t ticket) const override {
    for (const Taker& taker : takers_) {
      if (taker.ticket == ticket) return Str("the channel: ", taker.wanted, " wanted, ", taker.held.size(), " held");
    }
    return "room in the channel";
  }
  void Drop(int64_t ticket) override {
    std::erase_if(putters_, [&](const Putter& putter) { return putter.ticket == ticket; });
    std::erase_if(takers_, [&](const Taker& taker) { return taker.ticket == ticket; });  // with what it holds
    answers_.erase(ticket);
    Serve();
  }

 private:
  struct Putter {
    int64_t ticket;
    float value;
  };
  struct Taker {
    int64_t ticket;
    size_t wanted;
    std::vector<float> held;
  };

  // The heads of both lines as long as one can go on; whoever is behind a head waits.
  void Serve() {
    while (ServePutter() || ServeTaker()) {
    }
  }
  bool ServePutter() {
    if (putters_.empty() || values_.size() == kCapacity) return false;
    values_.push_back(putters_.front().value);
    answers_[putters_.front().ticket] = {};
    putters_.pop_front();
    return true;
  }
  bool ServeTaker() {
    if (takers_.empty() || values_.empty()) return false;
    Taker& taker = takers_.front();
    taker.held.push_back(values_.front());
    values_.pop_front();
    if (taker.held.size() < taker.wanted) return true;
    answers_[taker.ticket] = {OkStatus(), std::move(taker.held)};
    takers_.pop_front();
    return true;
  }

  std::deque<float> values_;
  std::deque<Putter> putters_;
  std::deque<Taker> takers_;
  std::map<int64_t, Answer> answers_;
};

namespace channel_kernels {

inline std::shared_ptr<Channel> ChannelOf(const OpContext& c) {
  const ResourceHandle& handle = HandleInput(c, 0, kVariableType);
  if (!c.resumed) c.resources.FindOrCreate<Channel>(NameIn(handle));
  std::shared_ptr<Channel> channel = c.resources.Share<Channel>(NameIn(handle));
  if (channel == nullptr) throw NotFound("the channel is gone");
  return channel;
}

inline void Put(OpContext& c) {
  const auto channel = ChannelOf(c);
  if (!c.resumed) channel->Put(c.execution, c.tensor(1).scalar<float>());
  if (!channel->IsServed(c.execution)) return c.Park(channel);
  channel->Fetch(c.execution);
}

inline std::vector<float> Taken(OpContext& c, size_t wanted) {
  const auto channel = ChannelOf(c);
  if (!c.resumed) channel->Take(c.execution, wanted);
  if (!channel->IsServed(c.execution)) {
    c.Park(channel);
    return {};
  }
  Channel::Answer answer = channel->Fetch(c.execution);
  if (!answer.status.ok()) throw Error(answer.status);
  return answer.values;
}

inline void TakeOne(OpContext& c) {
  const std::vector<float> values = Taken(c, 1);
  if (!values.empty()) c.Output(0, MakeScalar<float>(values[0]));
}
inline void TakeMany(OpContext& c) {
  const std::vector<float> values = Taken(c, static_cast<size_t>(c.tensor(1).elements()));
  if (!values.empty()) c.Output(0, MakeTensor<float>({std::ssize(values)}, std::span<const float>(values)));
}
inline void Close(OpContext& c) { ChannelOf(c)->Close(); }
inline void Size(OpContext& c) { c.Output(0, MakeVector<int32_t>({static_cast<int32_t>(ChannelOf(c)->size())})); }

}  // namespace channel_kernels

// The reference's kernels, and those above.
inline Kernel KernelWithChannels(std::string_view op) {
  if (op == "AssignVariableOp") return channel_kernels::Put;
  if (op == "ReadVariableOp") return channel_kernels::TakeOne;
  if (op == "ResourceGather") return channel_kernels::TakeMany;
  if (op == "AssignAddVariableOp") return channel_kernels::Close;
  if (op == "VariableShape") return channel_kernels::Size;
  return FindKernel(op);
}

// A graph with one channel, and its ops by name.
class ChannelGraph : public TestGraph {
 public:
  ChannelGraph() {
    Const<float>("zero", 0);
    Add("channel", "VarHandleOp", {},
        {{"dtype", DType::kFloat}, {"shape", PartialShape()}, {"shared_name", "channel"}});
    Add("close", "AssignAddVariableOp", {"channel", "zero"}, {{"dtype", DType::kFloat}});
    Add("size", "VariableShape", {"channel"}, {{"out_type", DType::kInt32}});
  }
  ChannelGraph& PutValue(const std::string& name, const std::string& value,
                         const std::vector<std::string>& control = {}) {
    std::vector<std::string> inputs = {"channel", value};
    inputs.insert(inputs.end(), control.begin(), control.end());
    Add(name, "AssignVariableOp", inputs, {{"dtype", DType::kFloat}});
    return *this;
  }
  ChannelGraph& Put(const std::string& name, float value) {
    Const<float>(name + "/value", value);
    return PutValue(name, name + "/value");
  }
  ChannelGraph& Take(const std::string& name, const std::string& channel = "channel") {
    Add(name, "ReadVariableOp", {channel}, {{"dtype", DType::kFloat}});
    return *this;
  }
  ChannelGraph& TakeMany(const std::string& name, int count) {
    Value(name + "/indices", Zeros(DType::kInt32, {count}));
    Add(name, "ResourceGather", {"channel", name + "/indices"},
        {{"dtype", DType::kFloat}, {"Tindices", DType::kInt32}});
    return *this;
  }
};

}  // namespace plumb::reference

#include "mpi/simulation/network.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace plumb::dist {
namespace {

// Of a large message; each piece waits for its turn.
constexpr double kPieces = 4, kSmallestPiece = 64e3;

}  // namespace

VirtualNetwork::VirtualNetwork(int tasks, const NetworkOptions& options) : options_(options), random_(options.seed) {
  Task task;
  task.cores.resize(static_cast<size_t>(options.cores));
  tasks_.assign(static_cast<size_t>(tasks), task);
}

void VirtualNetwork::At(double time, Then then) {
  events_.push_back({time, asked_++, std::move(then)});
  std::push_heap(events_.begin(), events_.end());
}

void VirtualNetwork::At(double time, int task, Then then) {
  At(time, [this, task, then = std::move(then)] {
    if (tasks_[task].is_there) then();
  });
}

void VirtualNetwork::After(double seconds, Then then) { At(now_ + seconds, std::move(then)); }

void VirtualNetwork::Compute(int task, double seconds, Then then) {
  auto& cores = tasks_[task].cores;
  const auto core = std::min_element(cores.begin(), cores.end());
  *core = std::max(*core, now_) + seconds;
  At(*core, task, std::move(then));
}

int VirtualNetwork::Send(int from, int to, double bytes, Then arrived) {
  Task& sender = tasks_[from];
  if (!sender.is_there) return 0;
  Channel& channel = sender.channels[to];
  channel.to = to;
  double under_way = options_.latency * (1 + options_.jitter * Exponential());
  int lost = 0;
  while (options_.loss > 0 && Uniform() < options_.loss) ++lost;
  under_way += lost * options_.resend;
  channel.messages.push_back({bytes, std::max(bytes / kPieces, kSmallestPiece), under_way, std::move(arrived)});
  if (channel.messages.size() == 1) sender.waiting.push_back(&channel);
  if (!sender.is_sending) Leave(from);
  return lost;
}

// A piece takes both links for as long as its bytes take; the first of them may arrive before the last has left.
void VirtualNetwork::Leave(int from) {
  Task& sender = tasks_[from];
  sender.is_sending = !sender.waiting.empty();
  if (!sender.is_sending) return;
  Channel& channel = *sender.waiting.front();
  sender.waiting.pop_front();
  Message& message = channel.messages.front();
  const double bytes = std::min(message.piece, message.bytes), takes = bytes / options_.bytes_per_second;
  message.bytes -= bytes;
  channel.last = std::max(now_ + message.under_way, channel.last);
  const bool is_whole = message.bytes <= 0;
  Then arrived = is_whole ? std::move(message.arrived) : nullptr;
  // What is under way for longer keeps nobody else from the receiver's link.
  At(channel.last, [this, to = channel.to, takes, arrived = std::move(arrived)]() mutable {
    Task& receiver = tasks_[to];
    receiver.arrives = std::max(now_, receiver.arrives) + takes;
    if (arrived) At(receiver.arrives, to, std::move(arrived));
  });
  if (is_whole) channel.messages.pop_front();
  if (!channel.messages.empty()) sender.waiting.push_back(&channel);
  At(now_ + takes, from, [this, from] { Leave(from); });
}

void VirtualNetwork::Run() {
  for (is_stopped_ = false; !is_stopped_ && !events_.empty();) Step();
}

void VirtualNetwork::Step() {
  std::pop_heap(events_.begin(), events_.end());
  const Event next = std::move(events_.back());
  events_.pop_back();
  ReachTime(next.time);
  next.then();
}

double VirtualNetwork::Uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

double VirtualNetwork::Exponential() { return -std::log1p(-Uniform()); }

}  // namespace plumb::dist

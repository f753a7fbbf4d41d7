#include "client/training/queue_runner.h"

#include <algorithm>
#include <atomic>
#include <memory>

namespace plumb {
namespace {

Status RunNode(Session& session, const std::string& node) {
  std::vector<Tensor> outputs;
  return session.Run({}, {}, {&node, 1}, &outputs);
}

// What the threads of one queue share.
struct Filling {
  QueueRunnerNodes nodes;
  std::atomic<size_t> threads_left;

  Filling(const QueueRunnerNodes& runner, size_t threads) : nodes(runner), threads_left(threads) {}
  bool IsEnd(const Status& status) const {
    return std::find(nodes.closed_statuses.begin(), nodes.closed_statuses.end(), status.code()) !=
           nodes.closed_statuses.end();
  }
};

void Fill(Filling& filling, const std::string& enqueue, Session& session, Coordinator& coordinator) {
  while (!coordinator.should_stop()) {
    const Status status = RunNode(session, enqueue);
    if (status.ok()) continue;
    if (!filling.IsEnd(status)) coordinator.RequestStop(status);
    break;
  }
  const bool is_last = filling.threads_left.fetch_sub(1) == 1;
  if (!is_last || coordinator.should_stop() || filling.nodes.close.empty()) return;
  const Status closed = RunNode(session, filling.nodes.close);
  if (!closed.ok()) coordinator.RequestStop(closed);
}

}  // namespace

void StartQueueRunner(const QueueRunnerNodes& runner, Session& session, Coordinator& coordinator) {
  const auto filling = std::make_shared<Filling>(runner, runner.enqueue.size());
  if (!runner.cancel.empty()) {
    // The queue may be closed already, and then there is nobody left to wake.
    coordinator.OnStop([filling, &session] { (void)RunNode(session, filling->nodes.cancel); });
  }
  for (const std::string& enqueue : runner.enqueue) {
    coordinator.Start([filling, enqueue, &session, &coordinator] { Fill(*filling, enqueue, session, coordinator); });
  }
}

void StartQueueRunners(const std::vector<QueueRunnerNodes>& runners, Session& session, Coordinator& coordinator) {
  for (const QueueRunnerNodes& runner : runners) StartQueueRunner(runner, session, coordinator);
}

}  // namespace plumb

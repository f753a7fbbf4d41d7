#include "mpi/simulation/servers_and_workers.h"

#include <memory>
#include <utility>

namespace plumb::dist {
namespace {

struct Request {
  int awaits;  // answers of servers
  VirtualNetwork::Then then;
};

}  // namespace

void ServersAndWorkers::AskAll(int worker, double bytes, double work, double answered, VirtualNetwork::Then then) {
  const auto request = std::make_shared<Request>(Request{servers_, std::move(then)});
  const int task = TaskOf(worker);
  for (int server = 0; server < servers_; ++server) {
    network_.Compute(task, costs_.part + Moved(bytes), [=, this] {
      network_.Send(task, server, bytes, [=, this] {
        network_.Compute(server, Moved(bytes) + costs_.part + work + Moved(answered), [=, this] {
          network_.Send(server, task, answered, [=, this] {
            network_.Compute(task, Moved(answered), [=] {
              if (--request->awaits == 0) request->then();
            });
          });
        });
      });
    });
  }
}

}  // namespace plumb::dist

// Which rank is which task, and what its devices are called (rule W1).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/core/device_name.h"

namespace plumb::dist {

struct Task {
  std::string job;
  int number = 0;
  bool operator==(const Task&) const = default;
};

class Cluster {
 public:
  // "ps=1,worker=3": rank 0 is /job:ps/task:0, ranks 1 to 3 are the workers. Empty: all ranks are workers. Throws
  // kInvalidArgument where the text is malformed, or names more or fewer tasks than there are ranks.
  static Cluster Parse(std::string_view text, int ranks);

  int size() const { return static_cast<int>(tasks_.size()); }
  const Task& task(int rank) const { return tasks_[rank]; }
  // "/job:worker/replica:0/task:1"
  std::string TaskName(int rank) const;
  std::string DeviceName(int rank, int cpu) const;
  // Of the task that a full device name names, or none.
  std::optional<int> RankOf(const plumb::DeviceName& device) const;
  // Throws kInvalidArgument where `device` asks for a job or a task that is not there; `node` asks.
  void CheckRequest(const plumb::DeviceName& device, std::string_view node) const;
  // "ps=1,worker=3"
  std::string ToString() const;

 private:
  int TasksOf(std::string_view job) const;

  std::vector<Task> tasks_;
};

}  // namespace plumb::dist

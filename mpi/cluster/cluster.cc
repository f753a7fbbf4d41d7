#include "mpi/cluster/cluster.h"

#include <algorithm>
#include <charconv>

#include "spec/core/status.h"

namespace plumb::dist {
namespace {

constexpr char kForm[] = "a cluster is written as 'ps=1,worker=3': jobs, and how many ranks each of them has";

int ParseCount(std::string_view digits, std::string_view text) {
  int count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  Require(is_number && count > 0, "'", text, "': '", digits, "' is not a number of tasks; ", kForm);
  return count;
}

bool IsJobName(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

Cluster Cluster::Parse(std::string_view text, int ranks) {
  Cluster cluster;
  if (text.empty()) {
    for (int rank = 0; rank < ranks; ++rank) cluster.tasks_.push_back({"worker", rank});
    return cluster;
  }
  std::string_view rest = text;
  while (true) {
    const std::string_view entry = rest.substr(0, rest.find(','));
    const size_t equals = entry.find('=');
    Require(equals != std::string_view::npos && IsJobName(entry.substr(0, equals)), "'", text, "': '", entry,
            "' is not JOB=TASKS; ", kForm);
    const std::string job(entry.substr(0, equals));
    Require(cluster.TasksOf(job) == 0, "'", text, "' names the job '", job, "' twice; ", kForm);
    const int count = ParseCount(entry.substr(equals + 1), text);
    Require(count <= ranks - cluster.size(), "the cluster '", text, "' has more tasks than the ", ranks,
            " ranks that were started: start one for each task with mpirun -n, or name fewer tasks");
    for (int task = 0; task < count; ++task) cluster.tasks_.push_back({job, task});
    if (entry.size() == rest.size()) break;
    rest.remove_prefix(entry.size() + 1);
  }
  Require(cluster.size() == ranks, "the cluster '", text, "' has ", cluster.size(), " tasks, and ", ranks,
          " ranks were started: start one for each task with mpirun -n ", cluster.size(), ", or name more tasks");
  return cluster;
}

std::string Cluster::TaskName(int rank) const {
  return Str("/job:", tasks_[rank].job, "/replica:0/task:", tasks_[rank].number);
}

std::string Cluster::DeviceName(int rank, int cpu) const { return Str(TaskName(rank), "/device:CPU:", cpu); }

std::optional<int> Cluster::RankOf(const plumb::DeviceName& device) const {
  for (int rank = 0; rank < size(); ++rank) {
    if (device.job == tasks_[rank].job && device.task == tasks_[rank].number) return rank;
  }
  return std::nullopt;
}

void Cluster::CheckRequest(const plumb::DeviceName& device, std::string_view node) const {
  if (!device.job) return;
  const int tasks = TasksOf(*device.job);
  Require(tasks > 0, "Cannot assign a device for node '", node, "': it asks for ", device.ToString(),
          ", and the cluster ", ToString(), " has no job '", *device.job,
          "'; name the jobs of the ranks with --cluster, as in --cluster ps=1,worker=3");
  Require(!device.task || *device.task < tasks, "Cannot assign a device for node '", node, "': it asks for ",
          device.ToString(), ", and the job '", *device.job, "' of the cluster ", ToString(), " has ", tasks,
          " tasks; start more ranks, and give the job more of them with --cluster");
}

std::string Cluster::ToString() const {
  std::string text;
  for (const Task& task : tasks_) {
    if (task.number == 0) text += Str(text.empty() ? "" : ",", task.job, "=", TasksOf(task.job));
  }
  return text;
}

int Cluster::TasksOf(std::string_view job) const {
  return static_cast<int>(
      std::count_if(tasks_.begin(), tasks_.end(), [&](const Task& task) { return task.job == job; }));
}

}  // namespace plumb::dist

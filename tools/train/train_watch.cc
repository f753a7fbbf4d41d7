#include "tools/train/train_watch.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <thread>

#include "mpi/protocol/trace.h"
#include "mpi/session/mpi_session.h"
#include "spec/files/file.h"
#include "tools/folder.h"

namespace plumb::tools {
namespace {

constexpr char kPaceTopic[] = "pace", kTraceTopic[] = "trace";
constexpr std::chrono::milliseconds kTellEvery{300};
constexpr int64_t kStepsBetweenEvents = 10;
constexpr std::chrono::seconds kWaitForTraces{10};
// Of each client: the first steps make plans, and are not what later ones look like.
constexpr int64_t kFirstTraced = 3, kTraced = 3;
constexpr double kMicrosecond = 1000;  // in nanoseconds
constexpr char kAlone[] = "/job:localhost/replica:0/task:0";

int64_t Now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

TrainingWatch::TrainingWatch(const Training& training, const Replica& replica)
    : training_(training), replica_(replica), is_one_of_many_(!training.cluster.empty()) {
  if (replica.is_chief && !training.events.empty()) {
    MakeFolderFor("--events", training.events);
    events_.emplace(training.events);
  }
  if (!is_one_of_many_) {
    ranks_[0] = {kAlone, "this machine"};
    return;
  }
  const dist::Fellows fellows = dist::FellowsOfThisProcess();
  rank_ = fellows.rank;
  for (size_t rank = 0; rank < fellows.tasks.size(); ++rank) {
    ranks_[static_cast<int>(rank)] = {fellows.tasks[rank], fellows.hosts[rank]};
  }
}

bool TrainingWatch::IsTraced() const {
  return !training_.trace.empty() && steps_ >= kFirstTraced && steps_ < kFirstTraced + kTraced;
}

Status TrainingWatch::Run(Session& session, const std::vector<Feed>& feeds, const std::vector<std::string>& fetches,
                          std::vector<Tensor>* outputs) {
  const bool is_sampled = is_one_of_many_ && sampling_.IsDue(), is_traced = IsTraced();
  const int64_t begin = Now();
  RunMetadata metadata;
  const Status status =
      session.Run(RunOptions{.trace = is_sampled || is_traced}, feeds, fetches, {}, outputs, &metadata);
  const int64_t end = Now();
  ++steps_;
  if (is_sampled && status.ok()) Sample(metadata, last_end_ns_ == 0 ? begin : last_end_ns_, end);
  if (is_traced && status.ok()) Keep(std::move(metadata), begin, end);
  last_end_ns_ = end;
  return status;
}

void TrainingWatch::Sample(const RunMetadata& metadata, int64_t begin_ns, int64_t end_ns) {
  for (const auto& [rank, known] : ranks_) {
    const bool is_own = rank == rank_;
    if (is_own || replica_.strategy.one_client) own_[rank].Add(PaceOf(metadata, known.task, is_own, begin_ns, end_ns));
  }
  const auto now = std::chrono::steady_clock::now();
  if (rank_ == replica_.chief_rank || now - told_ < kTellEvery) return;
  told_ = now;
  dist::TellRank(replica_.chief_rank, kPaceTopic, own_[rank_].ToText());
}

std::map<int, Pace> TrainingWatch::Paces() const {
  std::map<int, Pace> paces = own_;
  if (!is_one_of_many_) return paces;
  for (const auto& [rank, told] : dist::ToldByRanks(kPaceTopic)) paces[rank] = Pace::FromText(told);
  return paces;
}

void TrainingWatch::Tell(Progress& progress, int64_t before, int64_t step, float loss) {
  if (progress.IsDue()) progress.set_note(PaceLine(Paces()));
  progress.Update(std::min<int64_t>(step, training_.steps), loss);
  MutexLock lock(events_mutex_);
  if (events_) events_->FlushIfDue();
  if (!events_ || step / kStepsBetweenEvents == before / kStepsBetweenEvents) return;
  const std::map<int, Pace> paces = Paces();
  std::vector<std::pair<std::string, float>> values = {{"loss", loss}};
  for (const auto& [rank, pace] : paces) {
    values.emplace_back(Str("waiting/rank_", rank), static_cast<float>(pace.share()));
  }
  if (const int slowest = SlowestOf(paces); slowest >= 0) {
    values.emplace_back("slowest_rank", static_cast<float>(slowest));
  }
  events_->AddScalars(step, values);
}

void TrainingWatch::Saved() {
  MutexLock lock(events_mutex_);
  if (events_) events_->Flush();
}

void TrainingWatch::Keep(RunMetadata metadata, int64_t begin_ns, int64_t end_ns) {
  AddStep(trace_, ranks_.at(rank_).task, steps_, begin_ns, end_ns);
  dist::Join(trace_, std::move(metadata));
  if (steps_ == kFirstTraced + kTraced) TellTrace();
}

void TrainingWatch::TellTrace() {
  if (training_.trace.empty() || rank_ == replica_.chief_rank || std::exchange(has_told_trace_, true)) return;
  dist::TellRank(replica_.chief_rank, kTraceTopic, dist::EncodeTrace(trace_));
}

void TrainingWatch::Finish() {
  TellTrace();
  if (replica_.is_chief && !training_.trace.empty()) WriteTrace();
}

void TrainingWatch::WriteTrace() {
  const auto patience = std::chrono::steady_clock::now() + kWaitForTraces;
  std::map<int, std::string> told;
  while (is_one_of_many_) {
    told = dist::ToldByRanks(kTraceTopic);
    if (told.size() + 1 >= replica_.clients.size() || std::chrono::steady_clock::now() > patience) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  for (const auto& [rank, text] : told) TakeTrace(rank, text);
  WriteFile(training_.trace, ChromeTrace(trace_, ranks_));
  std::printf("Trace: %s\n", training_.trace.c_str());
}

void TrainingWatch::TakeTrace(int rank, const std::string& told) {
  RunMetadata theirs = dist::DecodeTrace(told);
  dist::RankClock clock;
  try {
    clock = dist::ClockOfRank(rank);
  } catch (const Error& error) {
    std::fprintf(stderr, "The trace leaves out rank %d: %s\n", rank, error.what());
    return;
  }
  ranks_[rank].clock_error_us = static_cast<double>(clock.error_ns) / kMicrosecond;
  dist::Shift(theirs, -clock.ahead_ns);
  dist::Join(trace_, std::move(theirs));
}

std::chrono::milliseconds StragglingOf(const Training& training, const Replica& replica) {
  if (training.straggler.empty()) return {};
  const std::string& text = training.straggler;
  int worker = -1, milliseconds = -1;
  const char* const end = text.data() + text.size();
  const auto [colon, error] = std::from_chars(text.data(), end, worker);
  const bool goes_on = error == std::errc() && colon != end && *colon == ':';
  const auto [rest, late] = goes_on ? std::from_chars(colon + 1, end, milliseconds) : std::from_chars(end, end, worker);
  Require(late == std::errc() && rest == end && worker >= 0 && milliseconds >= 0, "--straggler ", text,
          " is written W:MS: the number of a worker, and the milliseconds that it sleeps before each step");
  Require(static_cast<size_t>(worker) < replica.clients.size(), "--straggler ", text, ": there are workers 0 to ",
          replica.clients.size() - 1, " that run steps");
  return std::chrono::milliseconds(worker == replica.number ? milliseconds : 0);
}

}  // namespace plumb::tools

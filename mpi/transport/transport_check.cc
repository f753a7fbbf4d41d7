// The checks of every transport over MPI: mpirun -n 4 plumb_transport_check [lost|silent|speed|mpi]
// "mpi": with nothing past MPI, as between hosts.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "mpi/transport/mpi.h"
#include "mpi/transport/testing/suite.h"

namespace plumb::dist {
namespace {

// A rank that is stopped says nothing, and is there all the same. It is killed when the others have had their time.
void StopThisProcess() {
  const pid_t self = getpid();
  if (fork() == 0) {
    std::this_thread::sleep_for(std::chrono::seconds(6));
    kill(self, SIGKILL);
    _exit(0);
  }
  std::raise(SIGSTOP);
}

void KillThisProcess() { std::raise(SIGKILL); }

// True when the contract held on this rank.
bool Holds(const Check& check, const MpiOptions& options, void (*crash)()) {
  Mailbox box;
  std::unique_ptr<Transport> end = OpenMpi(options);
  if (end->size() < check.least_ranks) return true;
  Seat seat{*end, box, crash};
  end->Start(&box);
  const auto start = std::chrono::steady_clock::now();
  try {
    check.run(seat);
    if (check.after == Check::After::kGoesOn) Meet(seat);
  } catch (const Error& error) {
    std::printf("rank %d: %s failed: %s\n", end->rank(), check.name.c_str(), error.what());
    std::fflush(stdout);
    return false;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (end->rank() == 0) std::printf("%s holds on %d ranks, %.2f s\n", check.name.c_str(), end->size(), seconds.count());
  std::fflush(stdout);
  end->Stop();
  return true;
}

bool RunChecks(std::string_view mode) {
  bool all_hold = true;
  MpiOptions options;
  options.uses_shared_memory = mode != "mpi";
  const bool go_on = mode.empty() || mode == "mpi";
  for (const Check& check : TransportChecks()) {
    const bool breaks = check.after == Check::After::kIsBroken;
    if (breaks == go_on) continue;
    all_hold = all_hold && Holds(check, options, mode == "silent" ? StopThisProcess : KillThisProcess);
  }
  return all_hold;
}

double CpuSeconds() {
  rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_utime.tv_sec + use.ru_stime.tv_sec + 1e-6 * (use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

// Round trips between ranks 0 and 1, and what waiting costs.
void Measure(Seat& seat, size_t bytes, int rounds) {
  Meet(seat);
  const auto owner = std::make_shared<std::vector<char>>(bytes);
  const Payload payload{owner->data(), bytes, owner};
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds && seat.end.rank() < 2; ++i) {
    if (seat.end.rank() == 1) seat.box.Next(0);
    seat.end.Send(1 - seat.end.rank(), "ping", payload, nullptr);
    if (seat.end.rank() == 0) seat.box.Next(1);
  }
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  if (seat.end.rank() == 0) std::printf("%zu bytes: round trip %.2f us\n", bytes, time.count() / rounds);
}

// The same between the transports' own threads, which answer within Arrive.
void MeasureAnswers(Seat& seat, int rounds) {
  SentCount done;
  const Sent finish = done.Counted();
  seat.box.Hook([&](int from, std::string_view head, const Payload&) {
    if (!head.starts_with("left ")) return false;
    const int left = std::stoi(std::string(head.substr(5)));
    if (left > 0) {
      seat.end.Send(from, Str("left ", left - 1));
    } else {
      finish(OkStatus());
    }
    return true;
  });
  Meet(seat);
  if (seat.end.rank() == 0) {
    const auto start = std::chrono::steady_clock::now();
    seat.end.Send(1, Str("left ", 2 * rounds - 1));
    done.WaitForAll();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    std::printf("answers within Arrive: round trip %.2f us\n", time.count() / rounds);
  }
  Meet(seat);
  seat.box.Hook(nullptr);
}

void MeasureAll() {
  Mailbox box;
  std::unique_ptr<Transport> end = OpenMpi();
  Seat seat{*end, box, nullptr};
  end->Start(&box);
  if (end->size() < 2) throw InvalidArgument("speed is measured between ranks: mpirun -n 2");
  for (int i = 0; i < 3; ++i) MeasureAnswers(seat, 20000);
  for (int i = 0; i < 3; ++i) Measure(seat, 0, 20000);
  Measure(seat, 4096, 5000);
  Measure(seat, 1 << 20, 200);
  Measure(seat, 100 << 20, 5);
  Meet(seat);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const double before = CpuSeconds();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  std::printf("rank %d, idle: %.2f %% of a core\n", end->rank(), 50 * (CpuSeconds() - before));
  std::fflush(stdout);
  Meet(seat);
}

}  // namespace
}  // namespace plumb::dist

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  try {
    if (mode == "speed") {
      plumb::dist::MeasureAll();
      return 0;
    }
    // After a failure the ranks are at different places, and the end of MPI would wait for all.
    if (!plumb::dist::RunChecks(mode)) std::_Exit(1);
    return 0;
  } catch (const plumb::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

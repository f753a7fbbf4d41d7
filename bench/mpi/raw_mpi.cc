// What the rows of plumb_ranks cost in a program that says the same to MPI by hand. Under mpirun:
// plumb_raw_mpi ROW SERVERS MB[,MB]. The first worker prints the median seconds of a step.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "bench/mpi/steady.h"

namespace plumb::bench {
namespace {

constexpr int kAsk = 1, kReply = 2, kEnd = 3;
constexpr int kRows = 32, kColumns = 64;
constexpr double kBudget = 0.4;  // seconds
constexpr int kLoopIterations = 5000;

struct Run {
  std::string row;
  int servers;
  std::vector<int> megabytes;  // that a row moves, or keeps in each of its tables
  int rank = 0, size = 1;
  int64_t floats(size_t i = 0) const { return int64_t{megabytes[i]} * 1'000'000 / 4; }
};

// Answers what workers ask for until each has said that it ends.
template <class Answer>
void Serve(const Run& run, int request_ints, const Answer& answer) {
  std::vector<int> request(static_cast<size_t>(request_ints));
  for (int left = run.size - run.servers; left > 0;) {
    MPI_Status status;
    MPI_Recv(request.data(), request_ints, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == kEnd) {
      --left;
    } else {
      answer(status.MPI_SOURCE, request);
    }
  }
}

// A step of a worker: asks every server, and waits for what all of them say. A request begins with the kind of step.
std::vector<double> Ask(const Run& run, std::vector<int> request, std::vector<std::vector<float>>& replies) {
  std::vector<MPI_Request> pending(2 * static_cast<size_t>(run.servers));
  std::mt19937 random(1);
  const auto medians = MediansFor(kBudget, static_cast<int>(run.megabytes.size()), [&](int kind) {
    for (int& number : request) number = static_cast<int>(random() >> 1);
    request[0] = kind;
    for (int i = 0; i < run.servers; ++i) {
      MPI_Irecv(replies[i].data(), static_cast<int>(replies[i].size()), MPI_FLOAT, i, kReply, MPI_COMM_WORLD,
                &pending[2 * i]);
      MPI_Isend(request.data(), static_cast<int>(request.size()), MPI_INT, i, kAsk, MPI_COMM_WORLD,
                &pending[2 * i + 1]);
    }
    MPI_Waitall(static_cast<int>(pending.size()), pending.data(), MPI_STATUSES_IGNORE);
  });
  for (int i = 0; i < run.servers; ++i) MPI_Send(nullptr, 0, MPI_INT, i, kEnd, MPI_COMM_WORLD);
  return medians;
}

std::vector<double> AskForAll(const Run& run, int64_t floats) {
  std::vector<float> values(static_cast<size_t>(floats), 1.0F);
  if (run.rank < run.servers) {
    Serve(run, 1, [&](int to, const auto&) {
      MPI_Send(values.data(), static_cast<int>(floats), MPI_FLOAT, to, kReply, MPI_COMM_WORLD);
    });
    return {};
  }
  std::vector<std::vector<float>> replies(static_cast<size_t>(run.servers), values);
  return Ask(run, std::vector<int>(1), replies);
}

std::vector<double> AskForRows(const Run& run) {
  if (run.rank < run.servers) {
    std::vector<std::vector<float>> tables;
    for (size_t i = 0; i < run.megabytes.size(); ++i) tables.emplace_back(static_cast<size_t>(run.floats(i)), 1.0F);
    std::vector<float> rows(kRows * kColumns);
    Serve(run, 1 + kRows, [&](int to, const std::vector<int>& request) {
      const std::vector<float>& table = tables[request[0]];
      const auto count = static_cast<int>(table.size() / kColumns);
      for (int i = 0; i < kRows; ++i) {
        const auto from = table.begin() + int64_t{request[1 + i] % count} * kColumns;
        std::copy(from, from + kColumns, rows.begin() + int64_t{i} * kColumns);
      }
      MPI_Send(rows.data(), kRows * kColumns, MPI_FLOAT, to, kReply, MPI_COMM_WORLD);
    });
    return {};
  }
  std::vector<std::vector<float>> replies(1, std::vector<float>(kRows * kColumns));
  return Ask(run, std::vector<int>(1 + kRows), replies);
}

double AllReduce(const Run& run) {
  const std::vector<float> own(static_cast<size_t>(run.floats()), 1.0F);
  std::vector<float> sum(own.size());
  return MedianOf(5, [&] {
    MPI_Allreduce(own.data(), sum.data(), static_cast<int>(own.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  });
}

// There and back for each iteration.
double Loop(const Run& run) {
  const int other = 1 - run.rank;
  int number = 0;
  return MedianOf(10,
                  [&] {
                    for (int i = 0; i < kLoopIterations; ++i) {
                      if (run.rank == 0) MPI_Send(&number, 1, MPI_INT, other, kAsk, MPI_COMM_WORLD);
                      MPI_Recv(&number, 1, MPI_INT, other, kAsk, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                      if (run.rank == 1) MPI_Send(&number, 1, MPI_INT, other, kAsk, MPI_COMM_WORLD);
                    }
                  }) /
         kLoopIterations;
}

std::vector<double> Measure(const Run& run) {
  if (run.row == "null") return AskForAll(run, 1);
  if (run.row == "dense") return AskForAll(run, run.floats());
  if (run.row == "sparse") return AskForRows(run);
  return {run.row == "loop" ? Loop(run) : AllReduce(run)};
}

}  // namespace
}  // namespace plumb::bench

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: mpirun -n RANKS %s null|dense|sparse|allreduce|loop SERVERS MB[,MB]\n", argv[0]);
    return 2;
  }
  MPI_Init(&argc, &argv);
  plumb::bench::Run run = {argv[1], std::atoi(argv[2]), plumb::bench::Numbers(argv[3])};
  MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &run.size);
  const std::vector<double> seconds = plumb::bench::Measure(run);
  if (run.rank == run.servers) plumb::bench::Print(seconds);
  MPI_Finalize();
}

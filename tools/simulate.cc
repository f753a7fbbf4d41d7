// `plumb simulate`: what hundreds of tasks would do, in virtual time, with costs that are measured on this machine; as
// figures 7 to 9 of the OSDI paper.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "mpi/simulation/figures.h"
#include "spec/core/status.h"
#include "spec/files/file.h"
#include "spec/files/file_system.h"
#include "tools/commands.h"
#include "tools/plot/line_plot.h"
#include "tools/plot/line_text.h"
#include "tools/simulate_costs.h"

namespace plumb::tools {
namespace {

constexpr double kMs = 1000;
constexpr int kMostWorkers = 200, kMostBackup = 5;
constexpr int kSmallTable = 16, kLargeTable = 512;  // megabytes

using dist::Costs;
using dist::NetworkOptions;
using dist::Replication;

class Simulate : public Command {
 public:
  const char* name() const override { return "simulate"; }
  const char* help() const override {
    return "Simulates clusters of up to 256 workers with costs measured here, and draws what steps take.";
  }
  void Declare(Options& options) override {
    options.Option("--out", &out_, "folder for the figures, as PNG and CSV");
    options.Option("--gigabytes", &gigabytes_, "a second, of each task's link in each direction");
    options.Option("--latency", &latency_, "microseconds from task to task");
    options.Option("--cores", &network_.cores, "of each task");
    options.Option("--seed", &seed_, "of delays, and of who is slow");
    options.Flag("--given", &given_, "does not measure: takes the costs that stand in the program");
  }

  int Run() override {
    Require(gigabytes_ > 0 && latency_ >= 0 && network_.cores >= 1,
            "--gigabytes is more than 0, --latency at least 0, --cores at least 1");
    network_.bytes_per_second = 1e9 * gigabytes_;
    network_.latency = 1e-6 * latency_;
    network_.seed = static_cast<uint64_t>(seed_);
    if (!given_) costs_ = MeasureCosts();
    std::printf(
        "A core takes %.2f us for a message, %.3f ns for a byte of it, %.1f us for a part of a step, %.2f us for a "
        "row,\n%.3f ns for a byte of an update; it computes %.1f GFLOP/s.\n",
        1e6 * costs_.message, 1e9 * costs_.byte, 1e6 * costs_.part, 1e6 * costs_.row, 1e9 * costs_.update_byte,
        1e-9 / costs_.flop);
    std::fflush(stdout);
    Files().MakeFolders(out_);
    DrawNullSteps();
    DrawBackup();
    DrawLanguageModel();
    return is_as_published_ ? 0 : 1;
  }

 private:
  void Draw(const LinePlot& plot, const std::string& name) const {
    WriteLinePlot(plot, Str(out_, "/", name, ".png"));
    WriteFile(Str(out_, "/", name, ".csv"), LinesAsCsv(plot));
    std::printf("%s: %s/%s.png\n", plot.title.c_str(), out_.c_str(), name.c_str());
  }

  void Expect(bool holds, const std::string& what) {
    std::printf("  %s: %s\n", holds ? "as published" : "NOT as published", what.c_str());
    is_as_published_ &= holds;
  }

  Line Steps(const std::string& name, const std::function<Replication(int workers)>& of, const Costs& costs) const {
    Line line{name, {}, {}};
    for (const int workers : {1, 2, 5, 10, 25, 50, 100, kMostWorkers}) {
      line.xs.push_back(workers);
      line.ys.push_back(kMs * dist::MedianStep(of(workers), costs, network_));
    }
    return line;
  }

  static double At(const Line& line, double x) {
    return line.ys[static_cast<size_t>(std::find(line.xs.begin(), line.xs.end(), x) - line.xs.begin())];
  }

  void DrawNullSteps() {
    const auto sparse = [](int workers) { return dist::SparseNullSteps(workers); };
    Costs small = costs_, large = costs_;
    if (!given_) {
      small.row = SecondsForRow(kSmallTable);
      large.row = SecondsForRow(kLargeTable);
    }
    LinePlot plot{"Null steps over 16 servers (figure 7)", "workers", "ms", true, true, {}};
    plot.lines = {Steps("scalar", dist::NullSteps, costs_), Steps("sparse, small table", sparse, small),
                  Steps("sparse, large table", sparse, large),
                  Steps(
                      "dense, 100 MB", [](int workers) { return dist::DenseNullSteps(workers, 100e6); }, costs_),
                  Steps(
                      "dense, 1 GB", [](int workers) { return dist::DenseNullSteps(workers, 1e9); }, costs_)};
    plot.lines[2].is_dashed = true;
    Draw(plot, "figure7");
    const double one = At(plot.lines[0], 1), many = At(plot.lines[0], 100);
    Expect(many > 3 * one && many < 7 * one, Str("a scalar step takes ", Rounded(one), " ms with one worker and ",
                                                 Rounded(many), " ms with 100, 3 to 7 times as long"));
    if (given_) return;  // nothing was measured that could differ
    double most = 1;
    for (size_t i = 0; i < plot.lines[1].ys.size(); ++i) {
      most = std::max(most, plot.lines[2].ys[i] / plot.lines[1].ys[i]);
    }
    Expect(most < 1.1, Str("32 rows of a table of ", kLargeTable, " MB take ", Rounded(most),
                           " times as long as of one of ", kSmallTable, " MB"));
  }

  void DrawBackup() {
    const std::vector<double> seconds = dist::BackupSteps(costs_, network_, kMostBackup);
    LinePlot plot{
        "Inception-v3, 50 workers and backup workers (figure 8)", "backup workers", "seconds", false, false, {}};
    Line& line = plot.lines.emplace_back(Line{"a step", {}, seconds});
    for (size_t backup = 0; backup < seconds.size(); ++backup) line.xs.push_back(static_cast<double>(backup));
    Draw(plot, "figure8");
    const auto best = std::min_element(seconds.begin(), seconds.end()) - seconds.begin();
    Expect(best >= 3, Str("steps are shortest with ", best, " backup workers: ", Rounded(seconds[best]), " s, and ",
                          Rounded(seconds[0]), " s without"));
  }

  void DrawLanguageModel() {
    const auto full = dist::LanguageModelSpeeds(costs_, network_, 0);
    const auto sampled = dist::LanguageModelSpeeds(costs_, network_, dist::kSampledClasses);
    LinePlot plot{"LSTM-512-512, softmax over 40,000 words (figure 9)", "servers", "words a second", true, true, {}};
    const std::vector<double> servers(dist::kServersOfFigure9.begin(), dist::kServersOfFigure9.end());
    double least = INFINITY;
    for (size_t i = 0; i < full.size(); ++i) {
      plot.lines.push_back({Str(dist::kWorkersOfFigure9[i], " workers, full"), servers, full[i]});
      plot.lines.push_back({Str(dist::kWorkersOfFigure9[i], " workers, sampled"), servers, sampled[i], true});
      for (size_t j = 0; j < servers.size(); ++j) {
        if (dist::kWorkersOfFigure9[i] >= 32 && servers[j] <= 8) least = std::min(least, sampled[i][j] / full[i][j]);
      }
    }
    Draw(plot, "figure9");
    Expect(full[0][1] > full[1][0], Str("4 workers and a second server learn ", Rounded(full[0][1]),
                                        " words a second, 32 workers and one server ", Rounded(full[1][0])));
    Expect(least >= 5, Str("with 32 workers or more and up to 8 servers, a sampled softmax learns at least ",
                           Rounded(least), " times as many words"));
  }

  std::string out_ = "build/simulation";
  double gigabytes_ = 1.25, latency_ = 50;
  int seed_ = 1;
  bool given_ = false, is_as_published_ = true;
  NetworkOptions network_;
  Costs costs_;
};

}  // namespace

Command& SimulateCommand() {
  static Simulate command;
  return command;
}

}  // namespace plumb::tools

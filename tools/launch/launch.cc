#include "tools/launch/launch.h"

#include <cstdio>
#include <cstdlib>

#include "spec/checkpoint/checkpoint_state.h"
#include "spec/core/status.h"
#include "spec/files/file_system.h"
#include "tools/commands.h"
#include "tools/launch/launch_failure.h"
#include "tools/launch/launch_options.h"
#include "tools/launch/launch_process.h"
#include "tools/train/checkpoint_folder.h"

namespace plumb::tools {
namespace {

void Say(const std::string& text) { std::fprintf(stderr, "plumb launch: %s\n", text.c_str()); }

// "goes on from step 60", or why it does not.
std::string WhereItGoesOn(const Launch& launch) {
  const std::optional<std::string> folder = CheckpointFolderOf(launch.command);
  if (!folder) return "begins anew: with --checkpoint DIR it would go on from there";
  if (const std::string why = WhyNotToGoOnIn(*folder); !why.empty()) return Str("does not go on: ", why);
  const std::optional<std::string> latest = LatestCheckpoint(Files(), *folder);
  if (!latest) return Str("begins anew: there is no checkpoint in '", *folder, "' yet");
  const std::optional<long long> step = StepOfCheckpoint(*latest);
  return step ? Str("goes on from step ", *step) : Str("goes on from '", *latest, "'");
}

std::string WhatFailed(const Ended& ended) {
  const std::optional<LostRank> lost = FindLostRank(ended.errors);
  return lost ? Str("rank ", lost->rank, " ", lost->how) : Str("mpirun ended with exit code ", ended.code);
}

std::vector<std::string> CommandLine(const Launch& launch, const std::vector<std::string>& defaults) {
  std::vector<std::string> argv = {launch.mpirun, "-n", std::to_string(launch.ranks)};
  argv.insert(argv.end(), defaults.begin(), defaults.end());
  argv.insert(argv.end(), launch.mpirun_options.begin(), launch.mpirun_options.end());
  argv.insert(argv.end(), launch.command.begin(), launch.command.end());
  return argv;
}

Ended Once(const Launch& launch, const std::vector<std::string>& defaults) {
  try {
    return RunUntilEnd(CommandLine(launch, defaults), launch.ranks, std::chrono::seconds(launch.grace));
  } catch (const Error& error) {
    if (error.status().code() != Code::kNotFound) throw;
    throw NotFound(error.status().message(),
                   "; install Open MPI (apt-get install openmpi-bin), or say where it is by --mpirun PATH");
  }
}

class LaunchRanks : public Command {
 public:
  const char* name() const override { return "launch"; }
  const char* help() const override {
    return "Runs a command under mpirun, again from its last checkpoint when a rank dies:\n"
           "plumb launch -n 4 --restarts 3 -- plumb train lenet --cluster ps=1,worker=3 --checkpoint DIR";
  }
  void Declare(Options& options) override {
    options.Option("-n,--ranks", &launch_.ranks, "processes to start");
    options.Option("--restarts", &launch_.restarts, "how often all ranks are started again after a failure");
    options.Option("--grace", &launch_.grace, "seconds that ranks have to save and end after SIGTERM");
    options.Option("--mpirun", &launch_.mpirun, "Open MPI's mpirun, by name or path");
    options.Option("--mpirun-option", &launch_.mpirun_options,
                   "handed on to mpirun, as in --mpirun-option=--oversubscribe; may be given several times");
    options.Option("command", &launch_.command, "what each rank runs, after --");
  }
  int Run() override { return RunWithRestarts(launch_); }

 private:
  Launch launch_;
};

}  // namespace

int RunWithRestarts(const Launch& launch) {
  Require(!launch.command.empty(), "there is nothing to launch: plumb launch -n 4 -- plumb train lenet …");
  Require(launch.ranks >= 1 && launch.restarts >= 0 && launch.grace >= 1,
          "-n and --grace are at least 1, and --restarts at least 0");
  const LaunchDefaults defaults = DefaultsOf(launch, ThisLauncher());
  for (const auto& [name, value] : defaults.environment) setenv(name.c_str(), value.c_str(), /*overwrite=*/1);
  for (const std::string& note : defaults.notes) Say(note);
  for (int restarts = 0;; ++restarts) {
    const Ended ended = Once(launch, defaults.options);
    if (ended.code == 0) return 0;
    if (ended.was_stopped) {
      Say(Str("asked to stop; ", WhatFailed(ended)));
      return ended.code;
    }
    if (restarts == launch.restarts) {
      Say(Str(WhatFailed(ended), launch.restarts > 0 ? Str(", after ", restarts, " restarts") : ""));
      return ended.code;
    }
    Say(Str(WhatFailed(ended), "; restart ", restarts + 1, " of ", launch.restarts, " ", WhereItGoesOn(launch)));
  }
}

Command& LaunchCommand() {
  static LaunchRanks command;
  return command;
}

}  // namespace plumb::tools

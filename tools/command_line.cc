#include "tools/command_line.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "fastpath/device/caught.h"
#include "tools/commands.h"

namespace plumb::tools {
namespace {

class CliOptions : public Options {
 public:
  explicit CliOptions(CLI::App* app) : app_(app) {}
  void Flag(const std::string& names, bool* value, const std::string& help) override {
    app_->add_flag(names, *value, help);
  }
  void Option(const std::string& names, std::string* value, const std::string& help) override {
    Add(names, value, help);
  }
  void Option(const std::string& names, int* value, const std::string& help) override { Add(names, value, help); }
  void Count(const std::string& names, int* value, const std::string& help) override {
    Add(names, value, help)->check(CLI::NonNegativeNumber);
  }
  void Option(const std::string& names, double* value, const std::string& help) override { Add(names, value, help); }
  void Option(const std::string& names, std::vector<std::string>* values, const std::string& help) override {
    CLI::Option* const option = app_->add_option(names, *values, help);
    // An option takes one value each time that it is given; a list of arguments takes all that follow.
    if (names.starts_with('-')) option->allow_extra_args(false)->take_all();
  }
  void Argument(const std::string& name, std::string* value, const std::string& help) override {
    app_->add_option(name, *value, help)->required();
  }
  void OptionalArgument(const std::string& name, std::string* value, const std::string& help) override {
    Add(name, value, help);
  }

 private:
  template <class T>
  CLI::Option* Add(const std::string& names, T* value, const std::string& help) {
    return app_->add_option(names, *value, help)->capture_default_str();
  }
  CLI::App* app_;
};

void Declare(CLI::App* parent, Command& command, int* exit_code) {
  CLI::App* app = parent->add_subcommand(command.name(), command.help());
  app->footer(command.details());
  CliOptions options(app);
  command.Declare(options);
  const std::vector<Command*> below = command.subcommands();
  for (Command* subcommand : below) Declare(app, *subcommand, exit_code);
  if (below.empty()) {
    app->callback([&command, exit_code] { *exit_code = ExitCodeOf([&] { return command.Run(); }); });
  } else {
    app->require_subcommand(1);
  }
}

}  // namespace

int RunCommandLine(int argc, char** argv) {
  CLI::App app("Runs TensorFlow-v1 graphs: plainly, to say what they mean, and fast.");
  app.require_subcommand(1);
  int exit_code = 0;
  for (Command* command : {&CheckpointCommand(), &ConformanceCommand(), &DebugCommand(), &DemoCommand(),
                           &DevicesCommand(), &GpuBenchCommand(), &LaunchCommand(), &MakeDataCommand(), &OpsCommand(),
                           &PlaceCommand(), &RunCommand(), &SavedModelCommand(), &SimulateCommand(), &TrainCommand()}) {
    Declare(&app, *command, &exit_code);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {  // a full disk, say
    std::fprintf(stderr, "plumb: what was to be printed could not be written\n");
    return exit_code != 0 ? exit_code : 1;
  }
  return exit_code;
}

int ExitCodeOf(const std::function<int()>& run) {
  try {
    return run();
  } catch (const std::exception&) {
    std::fprintf(stderr, "plumb: %s\n", fast::CaughtStatus().ToString().c_str());
    return 1;
  }
}

}  // namespace plumb::tools

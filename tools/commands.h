// The subcommands of `plumb`, one file each.
#pragma once

#include <string>
#include <vector>

namespace plumb::tools {

// How a command says what it takes. Values keep what they hold unless the option is given.
class Options {
 public:
  virtual ~Options() = default;
  virtual void Flag(const std::string& names, bool* value, const std::string& help) = 0;
  virtual void Option(const std::string& names, std::string* value, const std::string& help) = 0;
  virtual void Option(const std::string& names, int* value, const std::string& help) = 0;
  // A number that the command line refuses where it is negative.
  virtual void Count(const std::string& names, int* value, const std::string& help) { Option(names, value, help); }
  virtual void Option(const std::string& names, double* value, const std::string& help) = 0;
  // May be given several times.
  virtual void Option(const std::string& names, std::vector<std::string>* values, const std::string& help) = 0;
  // Arguments without a name, in order of declaration.
  virtual void Argument(const std::string& name, std::string* value, const std::string& help) = 0;
  virtual void OptionalArgument(const std::string& name, std::string* value, const std::string& help) = 0;
};

class Command {
 public:
  virtual ~Command() = default;
  virtual const char* name() const = 0;
  virtual const char* help() const = 0;
  // Stands at the end of --help.
  virtual std::string details() const { return ""; }
  virtual void Declare(Options& options) = 0;
  // Returns the exit code: 0 when all is well, 1 when what was asked for is not so. Errors are thrown.
  virtual int Run() = 0;
  // Commands below this one ("conformance golden"); a command that has some does not run itself.
  virtual std::vector<Command*> subcommands() { return {}; }
};

Command& CheckpointCommand();
Command& ConformanceCommand();
Command& DebugCommand();
Command& DemoCommand();
Command& DevicesCommand();
Command& GpuBenchCommand();
Command& LaunchCommand();
Command& MakeDataCommand();
Command& OpsCommand();
Command& PlaceCommand();
Command& RunCommand();
Command& SavedModelCommand();
Command& SimulateCommand();
Command& TrainCommand();

}  // namespace plumb::tools

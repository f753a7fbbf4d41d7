// The command line of `plumb`.
#pragma once

#include <functional>

namespace plumb::tools {

// Hands it to the subcommand that it names (commands.h); what the program ends with.
int RunCommandLine(int argc, char** argv);

// What `run` gives, or 1 where it throws, with what that says on the error output.
int ExitCodeOf(const std::function<int()>& run);

}  // namespace plumb::tools

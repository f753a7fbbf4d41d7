// The command line of `plumb`.
#pragma once

namespace plumb::tools {

// Hands it to the subcommand that it names (commands.h); what the program ends with.
int RunCommandLine(int argc, char** argv);

}  // namespace plumb::tools

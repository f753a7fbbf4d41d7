// The `plumb` command.
#include "tools/command_line.h"

int main(int argc, char** argv) { return plumb::tools::RunCommandLine(argc, argv); }

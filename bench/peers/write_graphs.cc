// plumb_peer_graphs FOLDER: writes every compared graph as FOLDER/NAME.pb with its NAME.case (bench/peers/case.h).
#include <iostream>

#include "bench/peers/write_case.h"

int main(int argc, char** argv) {
  using namespace plumb::bench;
  if (argc != 2) {
    std::cerr << "usage: plumb_peer_graphs FOLDER\n";
    return 2;
  }
  for (const BenchGraph& bench : PeerGraphs(FilesOf(argv[1]))) {
    if (!WriteCase(argv[1], bench)) {
      std::cerr << "cannot write " << bench.name << ".case\n";
      return 1;
    }
  }
}

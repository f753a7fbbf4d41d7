#include "bench/graphs/graphs.h"

namespace plumb::bench {

std::vector<BenchGraph> PeerGraphs(const std::string& folder) {
  return {NoOpChain(2000), ScalarAddChain(2000), WideAdds(2000), WhileLoop(1000),  NullStep(), SquareMatMul(512),
          MlpStep(),       LeNetStep(),          LstmStep(),     JpegInput(folder)};
}

}  // namespace plumb::bench

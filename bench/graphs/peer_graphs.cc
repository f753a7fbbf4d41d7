#include "bench/graphs/graphs.h"

namespace plumb::bench {

std::vector<BenchGraph> PeerGraphs() {
  return {NoOpChain(2000), ScalarAddChain(2000), WideAdds(2000), WhileLoop(1000), NullStep(), SquareMatMul(512),
          MlpStep(),       LeNetStep(),          LstmStep()};
}

}  // namespace plumb::bench

// Stands in for mpi.cc where there is no MPI.
#include "mpi/transport/mpi.h"

namespace plumb::dist {

std::unique_ptr<Transport> OpenMpi(const MpiOptions& /*options*/) {
  throw Unimplemented(
      "Plumb was built without MPI: install it (apt-get install openmpi-bin libopenmpi-dev) and build again with "
      "-DPLUMB_MPI=ON");
}

}  // namespace plumb::dist

// The ranks of a host look together at how they are bound (binding.h), and mend it.
#pragma once

#include <mpi.h>

#include <string>

namespace plumb::dist {

// Each of the ranks `here` on the host calls this at one time. Where Open MPI chose a binding that leaves cores idle,
// each rank runs on all that are allowed from then on. Sets how many cores this rank has for itself. What there is to
// tell comes from the first rank of the host; "": nothing.
std::string MendBinding(MPI_Comm here, const std::string& host, int* cores);

}  // namespace plumb::dist

// One of the checks of suite.h.
#pragma once

#include "mpi/transport/testing/suite.h"

namespace plumb::dist {

// What a rank holds back arrives when it lets go, in order, whatever its size; also where it is told so twice, and
// where another thread of the rank sends meanwhile.
void LeavesTogether(Seat& seat);

}  // namespace plumb::dist

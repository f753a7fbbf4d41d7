// Two of the checks of suite.h.
#pragma once

#include "mpi/transport/testing/suite.h"

namespace plumb::dist {

// Every rank answers from within Arrive, until the count in the head has run out where the exchange began.
void AnswersWithinArrive(Seat& seat);
// Threads that attend fetch what comes, and while they are away somebody else does.
void Attending(Seat& seat);

}  // namespace plumb::dist

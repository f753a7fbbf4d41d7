// Checks of suite.h: what waiting costs those who wait and those who are waited for.
#pragma once

#include "mpi/transport/testing/suite.h"

namespace plumb::dist {

// A thread that attends and was away at a long task, while another thread stepped in for it, is woken afterwards by
// what comes.
void WakesWhoWasAway(Seat& seat);
// A transport at which nobody attends rests after a Nudge as it did before.
void RestsWhenNudged(Seat& seat);

}  // namespace plumb::dist

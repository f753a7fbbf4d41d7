// Pass: every edge between two devices becomes a Send and a Recv (rules W20–W24).
//
// The devices of one process run under one executor, so the two meet in the Recv's own input slot: the slot's number is
// the key of their rendezvous, in the same frame and iteration, and deadness passes with the token (rule X4). Loops
// need no control loop on the other device for the same reason: a Recv is armed by its Send.
#pragma once

#include "fastpath/compile/step_graph.h"

namespace plumb::fast {

void Partition(StepGraph& graph);

}  // namespace plumb::fast

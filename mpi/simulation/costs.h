// What work takes, in seconds of one core.
#pragma once

namespace plumb::dist {

// As `plumb simulate` measured it on 2026-11-23, on two cores of an AMD EPYC that others used too.
struct Costs {
  double message = 4.5e-6;       // to send a message, and as much to receive it, beside its bytes
  double byte = 3.5e-11;         // to move a byte to the wire, and as much from it
  double part = 71e-6;           // to start a part of a step on another task, and as much to run it there
  double row = 1.1e-7;           // to look a row of a table up
  double update_byte = 3.2e-11;  // to apply a byte of a gradient
  double flop = 1.6e-11;
};

}  // namespace plumb::dist

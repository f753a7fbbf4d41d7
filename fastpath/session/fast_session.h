// The fast path as a Session.
#pragma once

#include <cstddef>
#include <memory>

#include "spec/session/session.h"

namespace plumb::fast {

// What tests ask of the fast path besides.
struct FastOptions {
  // So many pieces of work of the simulated accelerators fail, drawn from SessionOptions::sim_seed. What was queued
  // behind them on the device does nothing, and steps that need it answer kUnavailable, then and later.
  int failures_per_thousand = 0;
  // The memory of each simulated accelerator, in bytes; 0: more than any test needs.
  size_t accelerator_memory = 0;
  // Every part of a step is written down and read back, as if it ran in another process (graph/serialize.h).
  bool parts_from_bytes = false;
};

std::unique_ptr<Session> NewFastSession(const SessionOptions& options, const FastOptions& more = {});

}  // namespace plumb::fast

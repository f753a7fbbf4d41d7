// What a summary writer's handle leads to: an event file, and when it is written.
#pragma once

#include "reference/state/resources.h"
#include "spec/formats/event_log.h"

namespace plumb::reference {

struct SummaryLog : ClonedByCopy<SummaryLog> {
  EventLog log;
  int64_t max_queue = 0;     // events
  int64_t flush_millis = 0;  // milliseconds

  void Save(const StateWriter& writer) const override {
    log.Save(writer);
    writer.PutScalar<int64_t>("max_queue", max_queue);
    writer.PutScalar<int64_t>("flush_millis", flush_millis);
  }
  void Restore(const StateReader& reader) override {
    log.Restore(reader);
    max_queue = reader.GetScalar<int64_t>("max_queue");
    flush_millis = reader.GetScalar<int64_t>("flush_millis");
  }
};

}  // namespace plumb::reference

// The writer of summaries that a handle names, and how events go into its file.
#pragma once

#include <string>
#include <string_view>

#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/state/summary_log.h"

namespace plumb::reference {

inline constexpr char kWriterType[] = "SummaryWriterInterface";

template <class T>
const T& ScalarAt(const OpContext& c, int input, std::string_view what) {
  const Tensor& tensor = c.tensor(input);
  Require(tensor.rank() == 0, what, " must be a scalar, not of shape ", tensor.shape().ToString());
  return tensor.data<T>()[0];
}
// What is written is not asked for its rank.
template <class T>
const T& OnlyAt(const OpContext& c, int input, std::string_view what) {
  const Tensor& tensor = c.tensor(input);
  Require(tensor.elements() == 1, what, " must have one element, not the shape ", tensor.shape().ToString());
  return tensor.data<T>()[0];
}

// The writer behind input 0; kNotFound where there is none.
inline SummaryLog& WriterOf(OpContext& c) {
  const ResourceName name = NameIn(ResourceInput(c, 0, kWriterType));
  SummaryLog* const writer = c.resources.Find<SummaryLog>(name);
  if (writer == nullptr) throw NotFound("there is no summary writer '", name.name, "'");
  return *writer;
}

// After each event: when too many wait, or have waited long enough.
inline void FlushIfDue(SummaryLog& writer) {
  if (writer.log.waiting() > writer.max_queue || writer.log.MillisSinceFlush() > writer.flush_millis) {
    writer.log.Flush();
  }
}

}  // namespace plumb::reference

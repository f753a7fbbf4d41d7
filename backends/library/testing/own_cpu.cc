// Our own cpu backend as somebody else's: what it answers directly it has to answer through plumb_backend.h. It is not
// linked with anything: the program that loads it has what it is made of (ENABLE_EXPORTS).
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <map>

#include "backends/backends.h"
#include "backends/library/values.h"
#include "plumb_backend.h"
#include "spec/core/thread_annotations.h"
#include "spec/graph/proto_io.h"
#include "spec/ops/catalogue.h"

struct PlumbSession {
  std::unique_ptr<plumb::Session> session;
  plumb::Mutex mutex;
  std::map<uint64_t, std::string> partial_runs PLUMB_GUARDED_BY(mutex);  // the handles behind ours
};
struct PlumbCallable {
  std::unique_ptr<plumb::Session::Callable> callable;
};

namespace {

using namespace plumb;

int32_t Said(const Status& status, PlumbError* error) {
  if (status.ok()) return PLUMB_OK;
  error->reason = status.reason() == Reason::kNoKernel ? PLUMB_REASON_NO_KERNEL : PLUMB_REASON_OTHER;
  std::snprintf(error->message, error->capacity, "%s", status.message().c_str());
  return static_cast<int32_t>(status.code());
}

// What the body throws is said too.
template <class Body>
int32_t Guarded(PlumbError* error, const Body& body) {
  try {
    return Said(body(), error);
  } catch (const Error& thrown) {
    return Said(thrown.status(), error);
  }
}

std::vector<std::string> Names(const PlumbString* names, uint64_t count) {
  std::vector<std::string> copied;
  for (uint64_t i = 0; i < count; ++i) copied.emplace_back(names[i].data, names[i].size);
  return copied;
}

Tensor Copied(const PlumbTensor& lent) {
  const DType type = DType(lent.dtype);
  const auto* texts = static_cast<const PlumbString*>(lent.data);
  if (type == DType::kResource || type == DType::kVariant) return ParseTensorProto({texts->data, texts->size});
  Tensor tensor(type, Shape(std::span(lent.dims, static_cast<size_t>(lent.rank))));
  if (type == DType::kString) {
    for (std::string& text : tensor.mutable_data<std::string>()) {
      text.assign(texts->data, texts->size);
      ++texts;
    }
  } else if (lent.bytes > 0) {
    std::copy_n(static_cast<const char*>(lent.data), lent.bytes, static_cast<char*>(tensor.mutable_raw()));
  }
  return tensor;
}

Status Deliver(const Status& status, const std::vector<Tensor>& outputs, PlumbSink sink) {
  for (size_t i = 0; status.ok() && i < outputs.size(); ++i) {
    library::Lent lent;
    const PlumbTensor value = lent.Lend(outputs[i]);
    if (sink.output(sink.host, i, &value) != 0) return Status(Code::kInternal, "an output was not taken");
  }
  return status;
}

int32_t HasKernel(const char* op, const PlumbAttrType* types, uint64_t count) noexcept {
  if (!IsImplemented("cpu", op)) return 0;
  const OpDef& row = GetOp(op);
  for (uint64_t i = 0; i < count; ++i) {
    const AttrDef* attr = row.FindAttr(types[i].attr);
    if (attr == nullptr || attr->kind != AttrKind::kType) continue;
    const auto& taken = row.CpuTypes(*attr);
    if (!taken.empty() && std::find(taken.begin(), taken.end(), DType(types[i].dtype)) == taken.end()) return 0;
  }
  return 1;
}

int32_t Create(const PlumbOptions* options, PlumbSession** session, PlumbError* error) noexcept {
  return Guarded(error, [&] {
    SessionOptions own;
    own.threads = options->threads;
    own.cpu_devices = options->devices;
    own.allow_soft_placement = options->allow_soft_placement != 0;
    own.optimize = options->optimize != 0;
    auto made = std::make_unique<PlumbSession>();
    made->session = OpenSession("cpu", own);
    *session = made.release();
    return OkStatus();
  });
}
void Destroy(PlumbSession* session) noexcept { delete session; }

int32_t Extend(PlumbSession* session, const void* graph_def, uint64_t bytes, PlumbError* error) noexcept {
  return Guarded(error, [&] {
    return session->session->Extend(ParseGraphDef({static_cast<const char*>(graph_def), bytes}));
  });
}

std::vector<Feed> Fed(const PlumbFeed* feeds, uint64_t count) {
  std::vector<Feed> copied;
  for (uint64_t i = 0; i < count; ++i) copied.emplace_back(Names(&feeds[i].name, 1)[0], Copied(feeds[i].value));
  return copied;
}
std::vector<std::string> FeedNames(const PlumbStep& step) {
  std::vector<std::string> names;
  for (uint64_t i = 0; i < step.feed_count; ++i) names.push_back(Names(&step.feeds[i].name, 1)[0]);
  return names;
}

Status Tell(const RunMetadata& metadata, const PlumbTrace& trace) {
  for (const DeviceStats& device : metadata.step_stats) {
    for (const NodeStats& node : device.nodes) {
      const PlumbNodeStats stats = {library::Lend(device.device),
                                    library::Lend(node.node),
                                    library::Lend(node.op),
                                    node.scheduled_ns,
                                    node.start_ns,
                                    node.end_ns,
                                    node.thread};
      if (trace.node(trace.host, &stats) != 0) return Status(Code::kInternal, "a trace was not taken");
    }
  }
  return OkStatus();
}

int32_t Run(PlumbSession* session, const PlumbStep* step, PlumbSink sink, PlumbError* error) noexcept {
  return Guarded(error, [&] {
    const bool knows_traces = step->size > offsetof(PlumbStep, trace);
    const PlumbTrace* const trace = knows_traces ? step->trace : nullptr;
    RunOptions options;
    options.timeout_ms = step->timeout_ms;
    options.trace = trace != nullptr;
    std::vector<Tensor> outputs;
    RunMetadata metadata;
    Status status =
        session->session->Run(options, Fed(step->feeds, step->feed_count), Names(step->fetches, step->fetch_count),
                              Names(step->targets, step->target_count), &outputs, &metadata);
    if (status.ok() && trace != nullptr) status = Tell(metadata, *trace);
    return Deliver(status, outputs, sink);
  });
}

int32_t PartialSetup(PlumbSession* session, const PlumbStep* step, uint64_t* handle, PlumbError* error) noexcept {
  return Guarded(error, [&] {
    std::string own;
    const Status status = session->session->PartialRunSetup(FeedNames(*step), Names(step->fetches, step->fetch_count),
                                                            Names(step->targets, step->target_count), &own);
    if (!status.ok()) return status;
    MutexLock lock(session->mutex);
    *handle = session->partial_runs.size() + 1;
    session->partial_runs[*handle] = own;
    return OkStatus();
  });
}
int32_t PartialRun(PlumbSession* session, uint64_t handle, const PlumbFeed* feeds, uint64_t feed_count,
                   const PlumbString* fetches, uint64_t fetch_count, PlumbSink sink, PlumbError* error) noexcept {
  return Guarded(error, [&] {
    std::string own;
    {
      MutexLock lock(session->mutex);
      own = session->partial_runs[handle];
    }
    std::vector<Tensor> outputs;
    const Status status =
        session->session->PartialRun(own, Fed(feeds, feed_count), Names(fetches, fetch_count), &outputs);
    return Deliver(status, outputs, sink);
  });
}

int32_t Reset(PlumbSession* session, const PlumbString* containers, uint64_t count, PlumbError* error) noexcept {
  return Guarded(error, [&] { return session->session->Reset(Names(containers, count)); });
}
int32_t Close(PlumbSession* session, PlumbError* error) noexcept {
  return Guarded(error, [&] { return session->session->Close(); });
}

int32_t MakeCallable(PlumbSession* session, const PlumbStep* step, PlumbCallable** callable,
                     PlumbError* error) noexcept {
  return Guarded(error, [&] {
    auto made = std::make_unique<PlumbCallable>();
    const Status status = session->session->MakeCallable(FeedNames(*step), Names(step->fetches, step->fetch_count),
                                                         Names(step->targets, step->target_count), &made->callable);
    if (status.ok()) *callable = made.release();
    return status;
  });
}
int32_t RunCallable(PlumbCallable* callable, const PlumbTensor* feeds, uint64_t count, PlumbSink sink,
                    PlumbError* error) noexcept {
  return Guarded(error, [&] {
    std::vector<Tensor> values, outputs;
    for (uint64_t i = 0; i < count; ++i) values.push_back(Copied(feeds[i]));
    const Status status = callable->callable->Run(values, &outputs);
    return Deliver(status, outputs, sink);
  });
}
void DestroyCallable(PlumbCallable* callable) noexcept { delete callable; }

constexpr PlumbBackend kFunctions = {
    PLUMB_BACKEND_VERSION, sizeof(PlumbBackend), HasKernel,       Create,       Destroy,   Extend, Run, Reset, Close,
    MakeCallable,          RunCallable,          DestroyCallable, PartialSetup, PartialRun};

}  // namespace

const PlumbBackend* plumb_backend() { return &kFunctions; }

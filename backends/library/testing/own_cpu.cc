// Our own cpu backend as somebody else's: what it answers directly it has to answer through plumb_backend.h. It is not
// linked with anything: the program that loads it has what it is made of (ENABLE_EXPORTS).
#include <algorithm>
#include <cstdio>

#include "backends/backends.h"
#include "backends/library/values.h"
#include "plumb_backend.h"
#include "spec/graph/proto_io.h"
#include "spec/ops/catalogue.h"

struct PlumbSession {
  std::unique_ptr<plumb::Session> session;
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
    *session = new PlumbSession{OpenSession("cpu", own)};
    return OkStatus();
  });
}
void Destroy(PlumbSession* session) noexcept { delete session; }

int32_t Extend(PlumbSession* session, const void* graph_def, uint64_t bytes, PlumbError* error) noexcept {
  return Guarded(error, [&] {
    return session->session->Extend(ParseGraphDef({static_cast<const char*>(graph_def), bytes}));
  });
}

int32_t Run(PlumbSession* session, const PlumbStep* step, PlumbSink sink, PlumbError* error) noexcept {
  return Guarded(error, [&] {
    RunOptions options;
    options.timeout_ms = step->timeout_ms;
    std::vector<Feed> feeds;
    for (uint64_t i = 0; i < step->feed_count; ++i) {
      feeds.emplace_back(Names(&step->feeds[i].name, 1)[0], Copied(step->feeds[i].value));
    }
    std::vector<Tensor> outputs;
    const Status status = session->session->Run(options, feeds, Names(step->fetches, step->fetch_count),
                                                Names(step->targets, step->target_count), &outputs, nullptr);
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
    std::vector<std::string> feeds;
    for (uint64_t i = 0; i < step->feed_count; ++i) feeds.push_back(Names(&step->feeds[i].name, 1)[0]);
    auto made = std::make_unique<PlumbCallable>();
    const Status status = session->session->MakeCallable(feeds, Names(step->fetches, step->fetch_count),
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
    PLUMB_BACKEND_VERSION, sizeof(PlumbBackend), HasKernel,      Create, Destroy, Extend, Run, Reset, Close,
    MakeCallable,          RunCallable,          DestroyCallable};

}  // namespace

const PlumbBackend* plumb_backend() { return &kFunctions; }

// A backend that does everything wrong. What it does in a step is written in its graph: a word of `kDeeds` in the name
// or the op of a node. With a macro defined (backends/CMakeLists.txt) it does not even load.
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "plumb_backend.h"

struct PlumbSession {
  std::string graph;
};

namespace {

constexpr int64_t kTwo[] = {2}, kNegative[] = {-3}, kHuge[] = {INT64_MAX, INT64_MAX}, kMany[] = {int64_t{1} << 50};
constexpr float kFloats[] = {1, 2};
constexpr uint8_t kNoBools[] = {1, 7};
constexpr PlumbString kNullString[] = {{nullptr, 4}, {nullptr, 0}};
constexpr PlumbString kEndlessString[] = {{"text", UINT64_MAX}, {"", 0}};
constexpr PlumbString kNoMessage[] = {{"\xff\xff", 2}};

struct Deed {
  const char* word;
  PlumbTensor value;
};
constexpr Deed kDeeds[] = {
    {"negative_dim", {PLUMB_FLOAT, 1, kNegative, kFloats, 8}},
    {"huge_dims", {PLUMB_FLOAT, 2, kHuge, kFloats, 8}},
    {"many_bytes", {PLUMB_FLOAT, 1, kMany, kFloats, 8}},
    {"no_memory", {PLUMB_FLOAT, 1, kMany, kFloats, uint64_t{1} << 52}},
    {"negative_rank", {PLUMB_FLOAT, -1, kTwo, kFloats, 8}},
    {"huge_rank", {PLUMB_FLOAT, 255, kTwo, kFloats, 8}},
    {"null_dims", {PLUMB_FLOAT, 1, nullptr, kFloats, 8}},
    {"null_data", {PLUMB_FLOAT, 1, kTwo, nullptr, 8}},
    {"unknown_type", {99, 1, kTwo, kFloats, 8}},
    {"reference_type", {101, 1, kTwo, kFloats, 8}},
    {"other_type", {PLUMB_DOUBLE, 1, kTwo, kFloats, 8}},
    {"null_string", {PLUMB_STRING, 1, kTwo, kNullString, sizeof(kNullString)}},
    {"endless_string", {PLUMB_STRING, 1, kTwo, kEndlessString, sizeof(kEndlessString)}},
    {"no_bool", {PLUMB_BOOL, 1, kTwo, kNoBools, 2}},
    {"no_message", {PLUMB_VARIANT, 0, nullptr, kNoMessage, sizeof(kNoMessage)}},
};

int32_t HasKernel(const char* op, const PlumbAttrType*, uint64_t) noexcept {
  if (std::strcmp(op, "Abs") == 0) std::raise(SIGKILL);
  if (std::strcmp(op, "Sqrt") == 0) return 7;
  return std::strcmp(op, "Exp") != 0;
}

int32_t Create(const PlumbOptions* options, PlumbSession** session, PlumbError* error) noexcept {
#ifdef CRASHES_WHEN_OPENED
  std::raise(SIGKILL);
#endif
#ifdef HANGS_WHEN_OPENED
  for (;;) pause();
#endif
  if (options->threads == 1001) return PLUMB_OK;  // and no session
  if (options->threads == 1002) {
    std::snprintf(error->message, error->capacity, "not more than a thousand threads");
    return PLUMB_INVALID_ARGUMENT;
  }
  *session = new PlumbSession;
  return PLUMB_OK;
}
void Destroy(PlumbSession* session) noexcept { delete session; }

int32_t Extend(PlumbSession* session, const void* graph_def, uint64_t bytes, PlumbError*) noexcept {
  session->graph.append(static_cast<const char*>(graph_def), bytes);
  return PLUMB_OK;
}

void Throw() { throw 1; }

[[maybe_unused]] int32_t Run(PlumbSession* session, const PlumbStep* step, PlumbSink sink, PlumbError* error) noexcept {
  const auto asked_for = [&](const char* word) { return session->graph.find(word) != std::string::npos; };
  const PlumbTensor good = {PLUMB_FLOAT, 1, kTwo, kFloats, 8};
  if (asked_for("Neg")) std::raise(SIGKILL);
  if (asked_for("throws")) Throw();  // ends the process, by the type of this function
  while (asked_for("Square")) pause();
  if (asked_for("Relu")) {
    error->reason = PLUMB_REASON_NO_KERNEL;
    return PLUMB_NOT_FOUND;
  }
  if (asked_for("unknown_code")) return 99;
  if (asked_for("long_message")) {
    std::memset(error->message, 'x', error->capacity);  // without its NUL
    return PLUMB_ABORTED;
  }
  if (asked_for("null_value")) sink.output(sink.host, 0, nullptr);
  if (asked_for("too_many")) sink.output(sink.host, step->fetch_count, &good);
  if (asked_for("twice")) sink.output(sink.host, 0, &good);
  if (step->trace != nullptr) {
    PlumbNodeStats stats = {{"cpu", 3}, {"n", 1}, {"Op", 2}, 1, 2, 3, 0};
    if (asked_for("backwards")) stats.end_ns = 0;
    if (asked_for("nameless")) stats.node = {nullptr, 4};
    step->trace->node(step->trace->host, asked_for("no_stats") ? nullptr : &stats);
  }
  for (const Deed& deed : kDeeds) {
    if (!asked_for(deed.word)) continue;
    const int32_t refused = sink.output(sink.host, 0, &deed.value);
    return refused != 0 ? PLUMB_INTERNAL : PLUMB_OK;
  }
  const uint64_t given = asked_for("too_few") ? step->fetch_count - 1 : step->fetch_count;
  for (uint64_t i = 0; i < given; ++i) sink.output(sink.host, i, &good);
  return PLUMB_OK;
}

int32_t Reset(PlumbSession*, const PlumbString*, uint64_t, PlumbError*) noexcept { return -1; }
int32_t Close(PlumbSession*, PlumbError*) noexcept { return PLUMB_OK; }

[[maybe_unused]] int32_t MakeCallable(PlumbSession*, const PlumbStep*, PlumbCallable**, PlumbError*) noexcept {
  return PLUMB_OK;  // and no callable
}
[[maybe_unused]] int32_t RunCallable(PlumbCallable*, const PlumbTensor*, uint64_t, PlumbSink, PlumbError*) noexcept {
  return PLUMB_OK;
}
[[maybe_unused]] void DestroyCallable(PlumbCallable*) noexcept {}

[[maybe_unused]] int32_t PartialSetup(PlumbSession*, const PlumbStep*, uint64_t* handle, PlumbError*) noexcept {
  *handle = UINT64_MAX;
  return PLUMB_OK;
}
// Of the fetches of a piece it gives the first alone.
[[maybe_unused]] int32_t PartialRun(PlumbSession*, uint64_t handle, const PlumbFeed*, uint64_t, const PlumbString*,
                                    uint64_t, PlumbSink sink, PlumbError*) noexcept {
  const PlumbTensor good = {PLUMB_FLOAT, 1, kTwo, kFloats, 8};
  sink.output(sink.host, 0, &good);
  return handle == UINT64_MAX ? PLUMB_OK : PLUMB_INVALID_ARGUMENT;
}

constexpr PlumbBackend Functions() {
  PlumbBackend functions = {
      PLUMB_BACKEND_VERSION, sizeof(PlumbBackend), HasKernel,       Create,       Destroy,   Extend, Run, Reset, Close,
      MakeCallable,          RunCallable,          DestroyCallable, PartialSetup, PartialRun};
#ifdef OTHER_VERSION
  functions.version = 7;
#endif
#ifdef NO_SIZE
  functions.size = 0;
#endif
#ifdef SHORT
  functions.size = offsetof(PlumbBackend, make_callable);
#endif
#ifdef NO_RUN
  functions.run = nullptr;
#endif
#ifdef VERSION_1  // what lies behind the table of its time is none of its functions
  functions.version = 1;
#endif
#ifdef HALF_PARTIAL_RUNS
  functions.partial_run = nullptr;
#endif
#ifdef HALF_CALLABLES
  functions.run_callable = nullptr;
#endif
  return functions;
}
constexpr PlumbBackend kFunctions = Functions();

}  // namespace

#ifdef UNRESOLVED
extern "C" void this_function_is_nowhere();
#endif

#ifndef NO_ENTRY
const PlumbBackend* plumb_backend() {
#ifdef UNRESOLVED
  this_function_is_nowhere();
#endif
#ifdef NULL_TABLE
  return nullptr;
#endif
  return &kFunctions;
}
#endif

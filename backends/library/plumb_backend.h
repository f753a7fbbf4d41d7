/* A backend of Plumb in a shared library.
 *
 * A library that exports plumb_backend() can be named wherever a backend is: `plumb run --backend ./libmine.so`,
 * `plumb conformance ops --backend ./libmine.so`. This header is all that its author needs; graphs arrive as serialised
 * GraphDef messages of TensorFlow. docs/conformance.md says how to begin.
 *
 * Rules, for both sides:
 *
 * - Ownership. Whoever made a piece of memory frees it. What is handed over is lent until the function returns; who
 *   wants to keep it copies it. Sessions and callables are the library's, from create to destroy.
 * - Failure. Functions that return int32_t answer a code of TensorFlow's (PLUMB_OK, PLUMB_INVALID_ARGUMENT, ...), and
 *   say more in the PlumbError, whose buffer is the caller's. No exception leaves the library; in C++17 the types of
 *   the functions say so.
 * - Threads. Any function may be called from any thread. Steps run at the same time on one session, and extend beside
 *   them: a step goes on over the graph that it began with. Close stops the steps that run.
 * - Versions. `version` is the first field for ever. Within a version fields are only added, at the end of structs that
 *   have a size; one that lies beyond the size counts as zero.
 *
 * Plain C99, and C++. */
#ifndef PLUMB_BACKEND_H_
#define PLUMB_BACKEND_H_

#include <stdint.h>

/* A host takes libraries of its own version and of all before. Version 1 had no partial_setup, no partial_run and no
 * PlumbStep.trace; a library made for it has no steps in pieces and traces nothing. */
#define PLUMB_BACKEND_VERSION 2u

#if defined(__cplusplus) && __cplusplus >= 201703L
#define PLUMB_NOTHROW noexcept
#else
#define PLUMB_NOTHROW
#endif

#ifdef __cplusplus
#define PLUMB_BACKEND_EXPORT extern "C" __attribute__((visibility("default")))
extern "C" {
#else
#define PLUMB_BACKEND_EXPORT __attribute__((visibility("default")))
#endif

/* error.Code of TensorFlow. A step answers the code that TensorFlow answers: it is compared, the message is not. */
enum {
  PLUMB_OK = 0,
  PLUMB_CANCELLED = 1,
  PLUMB_UNKNOWN = 2,
  PLUMB_INVALID_ARGUMENT = 3,
  PLUMB_DEADLINE_EXCEEDED = 4,
  PLUMB_NOT_FOUND = 5,
  PLUMB_ALREADY_EXISTS = 6,
  PLUMB_PERMISSION_DENIED = 7,
  PLUMB_RESOURCE_EXHAUSTED = 8,
  PLUMB_FAILED_PRECONDITION = 9,
  PLUMB_ABORTED = 10,
  PLUMB_OUT_OF_RANGE = 11,
  PLUMB_UNIMPLEMENTED = 12,
  PLUMB_INTERNAL = 13,
  PLUMB_UNAVAILABLE = 14,
  PLUMB_DATA_LOSS = 15,
  PLUMB_UNAUTHENTICATED = 16
};

/* DataType of TensorFlow. */
enum {
  PLUMB_FLOAT = 1,
  PLUMB_DOUBLE = 2,
  PLUMB_INT32 = 3,
  PLUMB_UINT8 = 4,
  PLUMB_INT16 = 5,
  PLUMB_INT8 = 6,
  PLUMB_STRING = 7,
  PLUMB_COMPLEX64 = 8,
  PLUMB_INT64 = 9,
  PLUMB_BOOL = 10,
  PLUMB_QINT8 = 11,
  PLUMB_QUINT8 = 12,
  PLUMB_QINT32 = 13,
  PLUMB_BFLOAT16 = 14,
  PLUMB_QINT16 = 15,
  PLUMB_QUINT16 = 16,
  PLUMB_UINT16 = 17,
  PLUMB_COMPLEX128 = 18,
  PLUMB_HALF = 19,
  PLUMB_RESOURCE = 20,
  PLUMB_VARIANT = 21,
  PLUMB_UINT32 = 22,
  PLUMB_UINT64 = 23
};

/* Bytes, which may be anything. Those that the host lends are followed by a NUL besides. */
typedef struct PlumbString {
  const char* data;
  uint64_t size;
} PlumbString;

/* A value. Its elements are in row-major order:
 * - of a type with a width: the elements, in the machine's byte order; a bool is a byte, 0 or 1
 * - PLUMB_STRING: a PlumbString each
 * - PLUMB_RESOURCE, PLUMB_VARIANT: one PlumbString for all, the whole value as a serialised TensorProto. */
typedef struct PlumbTensor {
  int32_t dtype;
  int32_t rank;
  const int64_t* dims; /* rank of them, none negative; may be null when there is none */
  const void* data;    /* may be null when there are no elements */
  uint64_t bytes;      /* that data points to */
} PlumbTensor;

/* Why a function failed. The library may write `capacity` bytes to `message`, the last of them a NUL, and set `reason`;
 * both are empty before. */
enum {
  PLUMB_REASON_OTHER = 0,
  PLUMB_REASON_NO_KERNEL = 1 /* nobody wrote a kernel for the op, or for these types: unsupported, and no mistake */
};
typedef struct PlumbError {
  int32_t reason;
  uint32_t capacity;
  char* message;
} PlumbError;

typedef struct PlumbSession PlumbSession;
typedef struct PlumbCallable PlumbCallable;

typedef struct PlumbOptions {
  uint32_t size;                /* sizeof(PlumbOptions), as the host knows it */
  int32_t threads;              /* 0: one per core */
  int32_t devices;              /* how many /device:CPU:i there are */
  int32_t allow_soft_placement; /* a node whose device is not there runs on another one */
  int32_t optimize;             /* 0: every node of the step runs as it stands */
} PlumbOptions;

typedef struct PlumbFeed {
  PlumbString name; /* "x" or "x:0" */
  PlumbTensor value;
} PlumbFeed;

/* When and where one node of a step ran; times in nanoseconds since the epoch. */
typedef struct PlumbNodeStats {
  PlumbString device; /* "/job:localhost/replica:0/task:0/device:CPU:0" */
  PlumbString node;
  PlumbString op;
  int64_t scheduled_ns;
  int64_t start_ns; /* not before scheduled_ns */
  int64_t end_ns;   /* not before start_ns */
  int32_t thread;   /* tells the threads of a step apart */
} PlumbNodeStats;

/* Where a step that is traced says what ran: node(trace->host, stats) for each node, before the step's function
 * returns, from any thread. The host copies the stats at once. It answers 0, or another number when this is nothing
 * that can have been: the step has failed then, whatever the library answers. */
typedef struct PlumbTrace {
  void* host;
  int32_t (*node)(void* host, const PlumbNodeStats* stats) PLUMB_NOTHROW;
} PlumbTrace;

/* One step: what fetches and targets need, with the feeds in place of the tensors they name. */
typedef struct PlumbStep {
  uint32_t size;      /* sizeof(PlumbStep), as the host knows it */
  int64_t timeout_ms; /* 0: none. Afterwards the step is stopped: PLUMB_DEADLINE_EXCEEDED */
  const PlumbFeed* feeds;
  uint64_t feed_count;
  const PlumbString* fetches; /* tensors: "y" or "y:0" */
  uint64_t fetch_count;
  const PlumbString* targets; /* nodes that have to run */
  uint64_t target_count;
  /* Since version 2; null: nobody wants to know. A library that traces nothing calls nothing. */
  const PlumbTrace* trace;
} PlumbStep;

/* Where a step puts what was fetched: output(sink.host, i, value) once for each fetch i, before the step's function
 * returns, from any thread. The host copies the value at once. It answers 0, or another number when this is no value
 * that it can take: the step has failed then, whatever the library answers. What a failed step has put there is
 * dropped. */
typedef struct PlumbSink {
  void* host;
  int32_t (*output)(void* host, uint64_t fetch, const PlumbTensor* value) PLUMB_NOTHROW;
} PlumbSink;

/* The type that an attribute of an op has: {"T", PLUMB_FLOAT}. */
typedef struct PlumbAttrType {
  const char* attr;
  int32_t dtype;
} PlumbAttrType;

/* The library's functions. Those marked optional may be null. */
typedef struct PlumbBackend {
  uint32_t version; /* PLUMB_BACKEND_VERSION of the header that the library was made with */
  uint32_t size;    /* sizeof(PlumbBackend) */

  /* 1 when there is a kernel for nodes of this op with these types, else 0. Without types: for any. This is the
   * library's declaration: to refuse what it declares is a failure, to lack what it does not declare is none. */
  int32_t (*has_kernel)(const char* op, const PlumbAttrType* types, uint64_t count) PLUMB_NOTHROW;

  int32_t (*create)(const PlumbOptions* options, PlumbSession** session, PlumbError* error) PLUMB_NOTHROW;
  /* No step runs any more, and no callable of it is left. */
  void (*destroy)(PlumbSession* session) PLUMB_NOTHROW;

  /* Adds the nodes of a serialised GraphDef to the session's graph; what is refused leaves the graph as it was. */
  int32_t (*extend)(PlumbSession* session, const void* graph_def, uint64_t bytes, PlumbError* error) PLUMB_NOTHROW;
  int32_t (*run)(PlumbSession* session, const PlumbStep* step, PlumbSink sink, PlumbError* error) PLUMB_NOTHROW;
  /* Drops the variables and other resources of these containers; none named: of the default one. */
  int32_t (*reset)(PlumbSession* session, const PlumbString* containers, uint64_t count,
                   PlumbError* error) PLUMB_NOTHROW;
  /* Stops the steps that run; they and all later calls but destroy answer PLUMB_CANCELLED. */
  int32_t (*close)(PlumbSession* session, PlumbError* error) PLUMB_NOTHROW;

  /* Optional, all three or none: a step whose names are resolved once. The feeds of `step` have names alone; their
   * values come with each run, in the same order. Without these a callable is run() with the same names. */
  int32_t (*make_callable)(PlumbSession* session, const PlumbStep* step, PlumbCallable** callable,
                           PlumbError* error) PLUMB_NOTHROW;
  int32_t (*run_callable)(PlumbCallable* callable, const PlumbTensor* feeds, uint64_t count, PlumbSink sink,
                          PlumbError* error) PLUMB_NOTHROW;
  void (*destroy_callable)(PlumbCallable* callable) PLUMB_NOTHROW;

  /* Since version 2. Optional, both or none: a step in pieces. The feeds of `step` have names alone: what the pieces
   * will feed. `handle` names the step in this session. Each piece brings some of the feeds and waits for its fetches,
   * of which the i-th goes to the sink as i; a fetch that the feeds do not reach yet is PLUMB_INVALID_ARGUMENT, and the
   * step goes on as if it had not been asked. The step ends with the piece that brings the last of both, by an error
   * that occurs in it, by close, or with its session; afterwards its handle is PLUMB_INVALID_ARGUMENT. Without these a
   * session has no steps in pieces. */
  int32_t (*partial_setup)(PlumbSession* session, const PlumbStep* step, uint64_t* handle,
                           PlumbError* error) PLUMB_NOTHROW;
  int32_t (*partial_run)(PlumbSession* session, uint64_t handle, const PlumbFeed* feeds, uint64_t feed_count,
                         const PlumbString* fetches, uint64_t fetch_count, PlumbSink sink,
                         PlumbError* error) PLUMB_NOTHROW;
} PlumbBackend;

/* The one symbol that is looked for. What it answers stays valid for ever: a loaded library is never unloaded. */
PLUMB_BACKEND_EXPORT const PlumbBackend* plumb_backend(void);

#ifdef __cplusplus
}
#endif

#endif /* PLUMB_BACKEND_H_ */

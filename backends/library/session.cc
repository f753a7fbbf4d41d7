// A session of a backend library: each call is one of plumb_backend.h.
#include <algorithm>
#include <charconv>
#include <new>
#include <optional>

#include "backends/library/trace.h"
#include "backends/library/values.h"
#include "spec/core/thread_annotations.h"
#include "spec/graph/proto_io.h"

namespace plumb::library {
namespace {

// The one place where exceptions become statuses.
template <class Body>
Status Guard(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    return error.status();
  } catch (const std::bad_alloc&) {
    return Status(Code::kResourceExhausted, "out of memory");
  }
}

// What a step hands over, from whatever thread.
class Outputs {
 public:
  Outputs(const Library& library, std::span<const std::string> fetches)
      : library_(library), fetches_(fetches), values_(fetches.size()) {}

  PlumbSink sink() {
    return {this, [](void* self, uint64_t fetch, const PlumbTensor* value) noexcept -> int32_t {
              return static_cast<Outputs*>(self)->Take(fetch, value) ? 0 : 1;
            }};
  }

  // After the step, which ended with `status`: its values, or why there are none.
  Status Finish(const Status& status, std::vector<Tensor>* outputs) {
    MutexLock lock(mutex_);
    if (!fault_.ok()) return fault_;
    if (!status.ok()) return status;
    const auto missing = std::find_if(values_.begin(), values_.end(), [](const Tensor& t) { return !t.IsSet(); });
    if (missing != values_.end()) {
      const size_t fetch = static_cast<size_t>(missing - values_.begin());
      return library_.Fault("OK, and no value for the fetch '", fetches_[fetch], "'").status();
    }
    if (outputs != nullptr) *outputs = std::move(values_);
    return OkStatus();
  }

 private:
  bool Take(uint64_t fetch, const PlumbTensor* value) {
    Tensor taken;
    Status status = Guard([&] {
      if (fetch >= fetches_.size()) throw library_.Fault("a value for fetch ", fetch, " of ", fetches_.size());
      taken = Taken(library_, value, Str("the fetch '", fetches_[fetch], "'"));
      return OkStatus();
    });
    MutexLock lock(mutex_);
    if (status.ok() && values_[fetch].IsSet()) {
      status = library_.Fault("two values for the fetch '", fetches_[fetch], "'").status();
    }
    if (status.ok()) values_[fetch] = std::move(taken);
    if (fault_.ok()) fault_ = status;
    return status.ok();
  }

  const Library& library_;
  const std::span<const std::string> fetches_;
  Mutex mutex_;
  std::vector<Tensor> values_ PLUMB_GUARDED_BY(mutex_);
  Status fault_ PLUMB_GUARDED_BY(mutex_);  // the first
};

// The names of a step, lent.
PlumbStep LendStep(Lent& lent, const std::vector<PlumbFeed>& feeds, std::span<const std::string> fetches,
                   std::span<const std::string> targets) {
  const auto fetch_names = lent.Lend(fetches), target_names = lent.Lend(targets);
  return {.size = sizeof(PlumbStep),
          .timeout_ms = 0,
          .feeds = feeds.data(),
          .feed_count = feeds.size(),
          .fetches = fetch_names.data(),
          .fetch_count = fetch_names.size(),
          .targets = target_names.data(),
          .target_count = target_names.size(),
          .trace = nullptr};
}

// Steps in pieces are numbered by the library.
constexpr std::string_view kPiecesHandle = "step in pieces ";

std::optional<uint64_t> NumberOf(std::string_view handle) {
  if (!handle.starts_with(kPiecesHandle)) return std::nullopt;
  handle.remove_prefix(kPiecesHandle.size());
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(handle.data(), handle.data() + handle.size(), number);
  return error == std::errc() && end == handle.data() + handle.size() ? std::optional(number) : std::nullopt;
}

class LibrarySession : public Session {
 public:
  LibrarySession(const Library& library, const SessionOptions& options) : library_(library) {
    const PlumbOptions lent{.size = sizeof(PlumbOptions),
                            .threads = options.threads,
                            .devices = options.cpu_devices,
                            .allow_soft_placement = options.allow_soft_placement,
                            .optimize = options.optimize};
    Failure failure(library_);
    const Status status = failure.StatusOf(functions().create(&lent, &session_, failure.error()));
    if (!status.ok()) throw Error(status);
    if (session_ == nullptr) throw library_.Fault("OK, and no session");
  }
  ~LibrarySession() override { functions().destroy(session_); }

  using Session::Run;
  Status Extend(const GraphDef& graph) override {
    return Guard([&] {
      const std::string bytes = SerializeGraphDef(graph);
      Failure failure(library_);
      return failure.StatusOf(functions().extend(session_, bytes.data(), bytes.size(), failure.error()));
    });
  }

  Status Run(const RunOptions& options, std::span<const Feed> feeds, std::span<const std::string> fetches,
             std::span<const std::string> targets, std::vector<Tensor>* outputs, RunMetadata* metadata) override {
    return Guard([&] {
      Lent lent;
      Trace trace(library_);
      std::vector<PlumbFeed> given;
      for (const auto& [name, value] : feeds) given.push_back({library::Lend(name), lent.Lend(value)});
      PlumbStep step = LendStep(lent, given, fetches, targets);
      step.timeout_ms = options.timeout_ms;
      if (options.trace && metadata != nullptr) step.trace = trace.lent();
      Outputs taken(library_, fetches);
      Failure failure(library_);
      const int32_t code = functions().run(session_, &step, taken.sink(), failure.error());
      if (step.trace != nullptr) *metadata = trace.Finish();
      return taken.Finish(failure.StatusOf(code), outputs);
    });
  }

  Status MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                      std::span<const std::string> targets, std::unique_ptr<Callable>* callable) override;

  Status PartialRunSetup(std::span<const std::string> feeds, std::span<const std::string> fetches,
                         std::span<const std::string> targets, std::string* handle) override;
  Status PartialRun(const std::string& handle, std::span<const Feed> feeds, std::span<const std::string> fetches,
                    std::vector<Tensor>* outputs) override;

  Status Reset(std::span<const std::string> containers) override {
    return Guard([&] {
      Lent lent;
      const auto names = lent.Lend(containers);
      Failure failure(library_);
      return failure.StatusOf(functions().reset(session_, names.data(), names.size(), failure.error()));
    });
  }

  Status Close() override {
    Failure failure(library_);
    return Guard([&] { return failure.StatusOf(functions().close(session_, failure.error())); });
  }

 private:
  class NamedCallable;
  class LibraryCallable;
  const PlumbBackend& functions() const { return library_.functions(); }

  const Library& library_;
  PlumbSession* session_ = nullptr;
};

// For a library without callables: the names, kept.
class LibrarySession::NamedCallable : public Callable {
 public:
  NamedCallable(LibrarySession& session, std::span<const std::string> feeds, std::span<const std::string> fetches,
                std::span<const std::string> targets)
      : session_(session),
        feeds_(feeds.begin(), feeds.end()),
        fetches_(fetches.begin(), fetches.end()),
        targets_(targets.begin(), targets.end()) {}

  Status Run(std::span<const Tensor> values, std::vector<Tensor>* outputs) override {
    return Guard([&] {
      Require(values.size() == feeds_.size(), "the callable takes ", feeds_.size(), " feeds, not ", values.size());
      std::vector<Feed> feeds;
      for (size_t i = 0; i < values.size(); ++i) feeds.emplace_back(feeds_[i], values[i]);
      return session_.Run(feeds, fetches_, targets_, outputs);
    });
  }

 private:
  LibrarySession& session_;
  const std::vector<std::string> feeds_, fetches_, targets_;
};

class LibrarySession::LibraryCallable : public Callable {
 public:
  LibraryCallable(const Library& library, PlumbCallable* callable, size_t feeds, std::span<const std::string> fetches)
      : library_(library), callable_(callable), feeds_(feeds), fetches_(fetches.begin(), fetches.end()) {}
  ~LibraryCallable() override { library_.functions().destroy_callable(callable_); }

  Status Run(std::span<const Tensor> values, std::vector<Tensor>* outputs) override {
    return Guard([&] {
      Require(values.size() == feeds_, "the callable takes ", feeds_, " feeds, not ", values.size());
      Lent lent;
      std::vector<PlumbTensor> given;
      for (const Tensor& value : values) given.push_back(lent.Lend(value));
      Outputs taken(library_, fetches_);
      Failure failure(library_);
      const int32_t code =
          library_.functions().run_callable(callable_, given.data(), given.size(), taken.sink(), failure.error());
      return taken.Finish(failure.StatusOf(code), outputs);
    });
  }

 private:
  const Library& library_;
  PlumbCallable* const callable_;
  const size_t feeds_;
  const std::vector<std::string> fetches_;
};

Status LibrarySession::MakeCallable(std::span<const std::string> feed_names, std::span<const std::string> fetches,
                                    std::span<const std::string> targets, std::unique_ptr<Callable>* callable) {
  return Guard([&] {
    if (!library_.has_callables()) {
      *callable = std::make_unique<NamedCallable>(*this, feed_names, fetches, targets);
      return OkStatus();
    }
    Lent lent;
    std::vector<PlumbFeed> names;
    for (const std::string& name : feed_names) names.push_back({library::Lend(name), {}});
    const PlumbStep step = LendStep(lent, names, fetches, targets);
    PlumbCallable* made = nullptr;
    Failure failure(library_);
    const Status status = failure.StatusOf(functions().make_callable(session_, &step, &made, failure.error()));
    if (!status.ok()) return status;
    if (made == nullptr) throw library_.Fault("OK, and no callable");
    *callable = std::make_unique<LibraryCallable>(library_, made, feed_names.size(), fetches);
    return OkStatus();
  });
}

Status LibrarySession::PartialRunSetup(std::span<const std::string> feeds, std::span<const std::string> fetches,
                                       std::span<const std::string> targets, std::string* handle) {
  if (!library_.has_partial_runs()) return Session::PartialRunSetup(feeds, fetches, targets, handle);
  return Guard([&] {
    Lent lent;
    std::vector<PlumbFeed> names;
    for (const std::string& name : feeds) names.push_back({library::Lend(name), {}});
    const PlumbStep step = LendStep(lent, names, fetches, targets);
    uint64_t number = 0;
    Failure failure(library_);
    const Status status = failure.StatusOf(functions().partial_setup(session_, &step, &number, failure.error()));
    if (status.ok()) *handle = Str(kPiecesHandle, number);
    return status;
  });
}

Status LibrarySession::PartialRun(const std::string& handle, std::span<const Feed> feeds,
                                  std::span<const std::string> fetches, std::vector<Tensor>* outputs) {
  if (!library_.has_partial_runs()) return Session::PartialRun(handle, feeds, fetches, outputs);
  return Guard([&] {
    const std::optional<uint64_t> number = NumberOf(handle);
    Require(number.has_value(), "Must run 'setup' before performing partial runs: there is no step '", handle, "'");
    Lent lent;
    std::vector<PlumbFeed> given;
    for (const auto& [name, value] : feeds) given.push_back({library::Lend(name), lent.Lend(value)});
    const auto names = lent.Lend(fetches);
    Outputs taken(library_, fetches);
    Failure failure(library_);
    const int32_t code = functions().partial_run(session_, *number, given.data(), given.size(), names.data(),
                                                 names.size(), taken.sink(), failure.error());
    return taken.Finish(failure.StatusOf(code), outputs);
  });
}

}  // namespace

std::unique_ptr<Session> NewLibrarySession(std::string_view path, const SessionOptions& options) {
  return std::make_unique<LibrarySession>(Library::Open(path), options);
}

}  // namespace plumb::library

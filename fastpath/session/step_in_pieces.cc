#include "fastpath/session/step_in_pieces.h"

#include <algorithm>

#include "fastpath/session/guard.h"

namespace plumb::fast {
namespace {

class FeedKernel final : public AsyncKernel {
 public:
  FeedKernel(std::shared_ptr<Meeting> meeting, size_t feed) : meeting_(std::move(meeting)), feed_(feed) {}
  void Start(AsyncContext& context, Done done) override { meeting_->AskFor(feed_, context, std::move(done)); }

 private:
  const std::shared_ptr<Meeting> meeting_;
  const size_t feed_;
};

class FetchKernel final : public AsyncKernel {
 public:
  FetchKernel(std::shared_ptr<Meeting> meeting, size_t fetch) : meeting_(std::move(meeting)), fetch_(fetch) {}
  bool StartsWhenDead() const override { return true; }
  void Start(AsyncContext& context, Done done) override {
    if (!context.is_dead()) context.Unalias(0);  // the client's value stays as it is (F29)
    meeting_->HandOver(fetch_, context.is_dead() ? std::nullopt : std::optional<Tensor>(context.input(0)));
    done(OkStatus());
  }

 private:
  const std::shared_ptr<Meeting> meeting_;
  const size_t fetch_;
};

}  // namespace

// The kernel parks first: from the moment that the client knows of it, its answer may come.
void Meeting::AskFor(size_t feed, AsyncContext& context, AsyncKernel::Done done) {
  const Status stopped(Code::kCancelled, "the step was stopped before it was fed");
  if (!context.Park("a value to be fed", [this, feed] { Stop(feed); })) return done(stopped);
  bool is_stopped = false;
  {
    MutexLock lock(mutex_);
    Place& place = feeds_[feed];
    is_stopped = place.is_stopped;
    if (!is_stopped && !place.value) {
      place.context = &context;
      place.done = std::move(done);
      return;
    }
    if (place.value) context.SetOutput(0, *place.value);
  }
  done(is_stopped ? stopped : OkStatus());
}

void Meeting::Stop(size_t feed) {
  AsyncKernel::Done done;
  {
    MutexLock lock(mutex_);
    feeds_[feed].is_stopped = true;
    feeds_[feed].context = nullptr;
    done = std::exchange(feeds_[feed].done, nullptr);
  }
  if (done) done(Status(Code::kCancelled, "the step was stopped before it was fed"));
}

void Meeting::Feed(size_t feed, const Tensor& value) {
  AsyncKernel::Done done;
  {
    MutexLock lock(mutex_);
    Place& place = feeds_[feed];
    place.value = value;
    if (place.context != nullptr) place.context->SetOutput(0, value);
    place.context = nullptr;
    done = std::exchange(place.done, nullptr);
  }
  if (done) done(OkStatus());
}

void Meeting::HandOver(size_t fetch, std::optional<Tensor> value) {
  MutexLock lock(mutex_);
  fetches_[fetch] = {true, std::move(value)};
  changed_.NotifyAll();
}

void Meeting::End(Status status) {
  MutexLock lock(mutex_);
  end_ = std::move(status);
  changed_.NotifyAll();
}

bool Meeting::AreThere(const std::vector<size_t>& fetches) const {
  return std::all_of(fetches.begin(), fetches.end(),
                     [&](size_t fetch) PLUMB_NO_THREAD_SAFETY_ANALYSIS { return fetches_[fetch].is_there; });
}

bool Meeting::HasEnded(std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  MutexLock lock(mutex_);
  while (!end_ && std::chrono::steady_clock::now() < until) changed_.WaitUntil(mutex_, until);
  return end_.has_value();
}

Status Meeting::Await(const std::vector<size_t>& fetches, bool for_all, std::vector<Tensor>* values) {
  MutexLock lock(mutex_);
  while (!end_ && (for_all || !AreThere(fetches))) changed_.Wait(mutex_);
  if (end_ && !end_->ok()) return *end_;
  values->clear();
  for (const size_t fetch : fetches) values->push_back(fetches_[fetch].value.value_or(Tensor()));
  return OkStatus();
}

void ReplaceEnds(StepGraph& graph, const std::shared_ptr<Meeting>& meeting) {
  for (StepNode& node : graph.nodes) {
    if (node.kind != NodeKind::kFeed && node.kind != NodeKind::kFetch) continue;
    const auto position = static_cast<size_t>(node.index);
    if (node.kind == NodeKind::kFeed) {
      node.kernel = std::make_shared<FeedKernel>(meeting, position);
    } else {
      node.kernel = std::make_shared<FetchKernel>(meeting, position);
    }
    node.kind = NodeKind::kKernel;
  }
}

StepInPieces::StepInPieces(std::shared_ptr<const Graph> graph, Request request, std::shared_ptr<Meeting> meeting,
                           std::shared_ptr<StepRunner> executor)
    : graph_(std::move(graph)),
      request_(std::move(request)),
      meeting_(std::move(meeting)),
      executor_(std::move(executor)),
      thread_([executor = executor_, meeting = meeting_] {
        meeting->End(Guard([&] { return executor->Run(RunOptions(), {}, nullptr, nullptr); }));
      }) {}

StepInPieces::~StepInPieces() {
  do {  // the thread may not have begun
    executor_->CancelAll(Status(Code::kCancelled, "the step in pieces was given up"));
  } while (!meeting_->HasEnded(std::chrono::milliseconds(1)));
  thread_.join();
}

// P2: what was named in the setup, and only once.
StepInPieces::Piece StepInPieces::Resolve(std::span<const Feed> feeds, std::span<const std::string> fetches) const {
  const auto position = [&](const std::vector<Endpoint>& named, const std::string& text, std::string_view role) {
    const TensorName name = ParseTensorName(text);
    const auto node = graph_->Find(name.node);
    const auto found =
        node && !name.control ? std::find(named.begin(), named.end(), Endpoint{*node, name.output}) : named.end();
    Require(found != named.end(), "the ", role, " '", text, "' was not named in the setup of this step");
    return static_cast<size_t>(found - named.begin());
  };
  Piece piece;
  for (const auto& [name, value] : feeds) {
    const size_t feed = position(request_.feeds, name, "feed");
    const DType wanted = Base(graph_->TypeOf(request_.feeds[feed]));
    Require(value.dtype() == wanted, "feed '", name, "' has the type ", DTypeName(value.dtype()), ", wanted is ",
            DTypeName(wanted));  // F4
    const bool again = fed_.contains(feed) || std::count(piece.feeds.begin(), piece.feeds.end(), feed) > 0;
    Require(!again, "the feed '", name, "' was fed already");
    piece.feeds.push_back(feed);
  }
  for (const std::string& name : fetches) {
    const size_t fetch = position(request_.fetches, name, "fetch");
    Require(!fetched_.contains(fetch), "the fetch '", name, "' was fetched already");
    piece.fetches.push_back(fetch);
  }
  return piece;
}

// P3: along all edges of the graph, also those that feeds cut.
void StepInPieces::CheckComputable(const Piece& piece) const {
  std::set<Endpoint> missing;
  for (size_t feed = 0; feed < request_.feeds.size(); ++feed) {
    const bool is_fed = fed_.contains(feed) || std::count(piece.feeds.begin(), piece.feeds.end(), feed) > 0;
    if (!is_fed) missing.insert(request_.feeds[feed]);
  }
  const auto check = [&](const Node& node, Endpoint input) {
    Require(!missing.contains(input), "a fetch can't be computed from the feeds that have been fed so far: node '",
            node.name, "' needs '", graph_->NameOf(input), "'");
  };
  std::vector<NodeId> open;
  for (const size_t fetch : piece.fetches) open.push_back(request_.fetches[fetch].node);
  std::set<NodeId> seen(open.begin(), open.end());
  const auto visit = [&](NodeId id) {
    if (seen.insert(id).second) open.push_back(id);
  };
  while (!open.empty()) {
    const Node& node = graph_->node(open.back());
    open.pop_back();
    for (const Endpoint input : node.inputs) {
      check(node, input);
      visit(input.node);
    }
    for (const NodeId before : node.control_inputs) {
      check(node, {before, 0});
      visit(before);
    }
  }
}

Status StepInPieces::RunPiece(std::span<const Feed> feeds, std::span<const std::string> fetches,
                              std::vector<Tensor>* outputs, bool* is_over) {
  Piece piece;
  bool is_last = false;
  {
    MutexLock lock(mutex_);
    piece = Resolve(feeds, fetches);
    CheckComputable(piece);
    fed_.insert(piece.feeds.begin(), piece.feeds.end());
    fetched_.insert(piece.fetches.begin(), piece.fetches.end());
    is_last = fed_.size() == request_.feeds.size() && fetched_.size() == request_.fetches.size();
  }
  for (size_t i = 0; i < feeds.size(); ++i) meeting_->Feed(piece.feeds[i], feeds[i].second);
  std::vector<Tensor> values;
  Status status = meeting_->Await(piece.fetches, is_last, &values);
  for (size_t i = 0; status.ok() && i < values.size(); ++i) {
    if (values[i].IsSet()) continue;
    status = Status(Code::kInvalidArgument, Str("Retval[", i, "] of this piece does not have value: the tensor '",
                                                fetches[i], "' is on a branch that was not taken"));
  }
  *is_over = is_last || !status.ok();  // P4
  if (status.ok() && outputs != nullptr) *outputs = std::move(values);
  return status;
}

}  // namespace plumb::fast

#include "mpi/worker/server.h"

#include <algorithm>
#include <utility>

#include "fastpath/cpu/lib/collective/groups.h"
#include "fastpath/cpu/lib/state/alarm.h"
#include "fastpath/session/guard.h"
#include "mpi/transport/deadline.h"

namespace plumb::dist {
namespace {

std::vector<std::pair<std::string, int>> RanksOfDevices(const Cluster& cluster, int cpus) {
  std::vector<std::pair<std::string, int>> ranks;
  for (int rank = 0; rank < cluster.size(); ++rank) {
    for (int cpu = 0; cpu < cpus; ++cpu) ranks.emplace_back(cluster.DeviceName(rank, cpu), rank);
  }
  return ranks;
}

// Besides the client's own thread there is one that serves others, unless the transport has them served.
int ThreadsOf(const ServerOptions& options, const Transport& transport) {
  if (transport.HasOwnTime()) return 1;
  return std::max(2, options.threads > 0 ? options.threads : transport.Cores());
}

}  // namespace

Server::Server(std::unique_ptr<Transport> transport, const ServerOptions& options)
    : options_(options),
      transport_(std::move(transport)),
      post_(*transport_),
      cluster_(Cluster::Parse(options.cluster, post_.size())),
      devices_(OwnDevices(cluster_, post_.rank(), options.cpus)),
      routes_(RanksOfDevices(cluster_, options.cpus), post_.rank()),
      pool_(std::make_unique<fast::ThreadPool>(ThreadsOf(options, *transport_))),
      attendant_(*transport_, *pool_),
      environment_(new fast::StepEnvironment{*pool_, resources_, watchdog_}),
      steps_(post_.size(), post_.rank(), [this](StepName name) { return MakeStep(name); }),
      exchange_(
          std::make_shared<RankExchange>(post_, *pool_, cluster_.TaskName(post_.rank()), options.cpus, options.wire)),
      worker_(std::make_unique<Worker>(post_, devices_, routes_, *environment_, steps_, *exchange_,
                                       options.clock_ahead_ns)),
      master_(std::make_unique<Master>(post_, steps_, *pool_)) {
  if (transport_->HasOwnTime()) fast::cpu::Alarm::OfferTo(KeepDeadline);
  resources_.FindOrCreate<fast::cpu::CollectiveGroups>(fast::cpu::kCollectiveGroups)->Use(exchange_);
  transport_->Employ([this] { return pool_->RunOne() || exchange_->Advance(); });
  transport_->Start(this);
  const Hello hello{kProtocolVersion, Str(cluster_.ToString(), " with ", options.cpus, " CPUs each"),
                    options.statement.Fingerprint()};
  for (int rank = 0; rank < post_.size(); ++rank) {
    if (rank != post_.rank()) post_.Send(rank, hello);
  }
}

Server::~Server() {
  static_cast<void>(Leave());  // whoever wants to know how the run ended has left before
  exchange_->Stop();
  pool_.reset();  // what it runs knows all that is below
}

std::shared_ptr<Step> Server::MakeStep(StepName name) {
  return std::make_shared<Step>(
      name, std::make_shared<StepRendezvous>(name, routes_, *transport_, static_cast<StepOutlet&>(*this)));
}

Status Server::SendAway(StepName step, int rank, const fast::RendezvousKey& key, const fast::Message& message) {
  return SendValue(post_, step, rank, key, message);
}

void Server::StepFailed(StepName step, const Status& status) {
  if (step.master == rank()) return master_->Failed(step.number, status);
  post_.Send(step.master, Stop{step, status});
}

Place Server::PlaceFor(int from, std::string_view head, size_t bytes) {
  Place place;
  const Status status = fast::Guard([&] {
    const MessageKind kind = KindOf(head);
    if (kind == MessageKind::kPiece) {
      place = exchange_->PlaceFor(Decode<Piece>(head), bytes);
    } else {
      place = kind == MessageKind::kValue ? dist::PlaceFor(Decode<Value>(head), bytes) : NewPlace(bytes);
    }
    return OkStatus();
  });
  if (!status.ok()) Lost(from, status.WithMessage(Str("rank ", from, ": ", status.message())));
  return place;
}

void Server::Arrive(int from, std::string_view head, Payload payload) {
  const Status status = fast::Guard([&] {
    Dispatch(from, head, std::move(payload));
    return OkStatus();
  });
  if (!status.ok()) Lost(from, status.WithMessage(Str("rank ", from, ": ", status.message())));
}

void Server::Dispatch(int from, std::string_view message, Payload payload) {
  switch (KindOf(message)) {
    case MessageKind::kHello:
      return Take(from, DecodeHello(message));
    case MessageKind::kTerms:
      return Take(from, Decode<Terms>(message));
    case MessageKind::kNote:
      return Take(from, Decode<Note>(message), payload);
    case MessageKind::kTime:
      return worker_->Take(from, Decode<Time>(message));
    case MessageKind::kSave:
      return worker_->Take(from, Decode<Save>(message));
    case MessageKind::kSaved:
      return master_->Take(from, Decode<Saved>(message), payload);
    case MessageKind::kRestore:
      return worker_->Take(from, Decode<Restore>(message), std::move(payload));
    case MessageKind::kRegister:
      return worker_->Take(from, Decode<Register>(message), std::move(payload));
    case MessageKind::kAnswer:
      return master_->Take(from, Decode<Answer>(message));
    case MessageKind::kForget:
      return worker_->Take(from, Decode<Forget>(message));
    case MessageKind::kStart:
      return worker_->Take(from, Decode<Start>(message));
    case MessageKind::kValue:
      return Take(from, Decode<Value>(message), payload);
    case MessageKind::kDone:
      return master_->Take(from, Decode<Done>(message), payload);
    case MessageKind::kStop: {
      const Stop stop = Decode<Stop>(message);
      return stop.step.master == rank() ? master_->Take(from, stop) : worker_->Take(from, stop);
    }
    case MessageKind::kProbe:
      return worker_->Take(from, Decode<Probe>(message));
    case MessageKind::kProbed:
      return master_->Take(from, Decode<Probed>(message));
    case MessageKind::kClose:
      return worker_->Take(from, Decode<Close>(message));
    case MessageKind::kReset:
      return worker_->Take(from, Decode<Reset>(message));
    case MessageKind::kLeave:
      return TakeDeparture(from);
    case MessageKind::kFailed:
      return FailRun(Decode<Failed>(message).status);
    case MessageKind::kJoin:
      return exchange_->Take(from, Decode<Join>(message), payload);
    case MessageKind::kWithdraw:
      return exchange_->Take(from, Decode<Withdraw>(message));
    case MessageKind::kAbsent:
      return exchange_->Take(from, Decode<Absent>(message));
    case MessageKind::kMet:
      return exchange_->Take(Decode<Met>(message), payload);
    case MessageKind::kPiece:
      return exchange_->Take(Decode<Piece>(message), std::move(payload));
    case MessageKind::kRoom:
      return exchange_->Take(Decode<Room>(message));
  }
}

void Server::Take(int from, const Value& value, const Payload& payload) {
  const std::shared_ptr<Step> step = steps_.Get(value.step);
  if (step == nullptr) return;  // it is over
  fast::Message message;
  message.is_dead = value.is_dead;
  if (!value.is_dead) message.value = TensorOf(value, payload);
  step->rendezvous->Deliver(from, value.key, std::move(message));
}

void Server::Take(int from, const Hello& message) {
  const std::string own = Str(cluster_.ToString(), " with ", options_.cpus, " CPUs each");
  const bool speaks_alike = message.version == kProtocolVersion && message.cluster == own;
  const bool is_disputed = speaks_alike && message.fingerprint != options_.statement.Fingerprint();
  if (is_disputed) post_.Send(from, Terms{options_.statement.terms()});
  {
    MutexLock lock(mutex_);
    there_.insert(from);
    if (is_disputed) disputed_.insert(from);
    if (!speaks_alike) {
      mismatch_ = Status(Code::kFailedPrecondition,
                         Str("rank ", from, " speaks version ", message.version, " and has the cluster ",
                             message.cluster, "; rank ", rank(), " speaks version ", kProtocolVersion, " and has ", own,
                             ": start all ranks with the same program and the same --cluster"));
    }
  }
  changed_.NotifyAll();
}

void Server::Take(int from, const Terms& message) {
  const Statement theirs(message.terms);
  // Each pair says the same, in one order.
  std::string difference = from < rank() ? FirstDifference(from, theirs, rank(), options_.statement)
                                         : FirstDifference(rank(), options_.statement, from, theirs);
  {
    MutexLock lock(mutex_);
    differences_[from] = std::move(difference);
  }
  changed_.NotifyAll();
}

void Server::Take(int from, const Note& message, const Payload& text) {
  MutexLock lock(mutex_);
  notes_[message.topic][from].assign(static_cast<const char*>(text.data), text.bytes);
}

void Server::Tell(int rank, const std::string& topic, std::string text) {
  post_.Send(rank, Note{topic}, PayloadOf(std::move(text)));
}

std::map<int, std::string> Server::Told(const std::string& topic) {
  MutexLock lock(mutex_);
  return notes_[topic];
}

void Server::Lost(int rank, const Status& status) {
  bool had_left;
  {
    MutexLock lock(mutex_);
    had_left = !gone_.insert(rank).second;
    const bool owes_terms = disputed_.contains(rank) && !differences_.contains(rank);
    if ((!there_.contains(rank) || owes_terms) && mismatch_.ok()) mismatch_ = status;
  }
  if (!had_left) FailRun(status);
  TellOfDeparture();
  master_->Lose(rank, status);
  exchange_->Lose(rank, status);
  for (const std::shared_ptr<Step>& step : steps_.Of(rank)) step->Stop(status);  // nobody waits for them any more
}

bool Server::AllHaveSpoken() const {
  return static_cast<int>(there_.size()) == post_.size() - 1 && differences_.size() == disputed_.size();
}

void Server::AwaitOthers() {
  transport_->AwaitInOwnTime([this] {
    MutexLock lock(mutex_);
    return !mismatch_.ok() || AllHaveSpoken();
  });
  MutexLock lock(mutex_);
  while (mismatch_.ok() && !AllHaveSpoken()) changed_.Wait(mutex_);
  if (!mismatch_.ok()) throw Error(mismatch_);
  if (differences_.empty()) return;
  std::string others;
  for (const int rank : disputed_) others += Str(others.empty() ? "" : ", ", rank);
  throw FailedPrecondition("the ranks do not run the same program: ", differences_.begin()->second, " (rank ", rank(),
                           " differs from rank", disputed_.size() > 1 ? "s " : " ", others,
                           "): start all ranks with the same program and the same settings");
}

}  // namespace plumb::dist

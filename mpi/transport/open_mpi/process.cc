#include "mpi/transport/open_mpi/process.h"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mpi/transport/open_mpi/mend_binding.h"
#include "spec/core/status.h"

namespace plumb::dist {
namespace {

// Whether this process may read the memory of others of the same user. Its parent, who starts all ranks of the host, is
// asked for a byte where it has none: what is refused is refused before that is found out.
bool MayCopyFromOthers() {
  char byte = 0;
  const iovec here{&byte, 1}, there{nullptr, 1};
  return process_vm_readv(getppid(), &here, 1, &there, 1, 0) == -1 && errno == EFAULT;
}

// Whether a look at MPI that finds nothing gives the core away. The transport decides itself when it does that, and
// would lose it at every look; it is left as it is where Open MPI has no such function.
void GiveWayInMpi(bool gives_way) {
  using Set = bool (*)(bool);
  const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle"));
  if (set != nullptr) set(gives_way);
}

}  // namespace

void CheckMpi(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(result, text, &length);
  throw Internal(what, ": ", text);
}

MpiProcess& MpiProcess::Get() {
  static MpiProcess process;
  return process;
}

MpiProcess::MpiProcess() {
  Initialise();
  FindHosts();
  ShareMemory();
}

MpiProcess::~MpiProcess() {
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  if (!is_ours_ || is_unfinished_ || is_finalized != 0) return;
  GiveWayInMpi(true);
  MPI_Finalize();
}

void MpiProcess::Initialise() {
  // Unless the user says otherwise. Open MPI copies large payloads straight from process to process, unless the system
  // refuses that, as in most containers: then it complains, rank by rank, so it is told beforehand. Ranks that wait for
  // each other in MPI itself give way when there are more of them than cores. Two ranks of different hosts that send to
  // each other for the first time at once may never connect: connect beforehand. Over TCP a large payload could be one
  // piece, asked for by its receiver, which what asks for a payload of the other direction waits behind: two ranks that
  // send to each other would take turns. In fragments, of which few wait in line, both directions are in use.
  if (!MayCopyFromOthers()) setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  setenv("OMPI_MCA_mpi_preconnect_mpi", "1", 0);
  setenv("OMPI_MCA_btl_tcp_flags", "send,inplace,need-ack,need-csum,hetero-rdma", 0);
  int is_initialised = 0;
  MPI_Initialized(&is_initialised);
  int level = MPI_THREAD_SINGLE;
  if (is_initialised != 0) {
    MPI_Query_thread(&level);
  } else {
    CheckMpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread");
    is_ours_ = true;
  }
  if (level < MPI_THREAD_SERIALIZED) {
    throw FailedPrecondition("MPI was initialised for one thread; initialise it with MPI_THREAD_SERIALIZED or above");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

void MpiProcess::FindHosts() {
  constexpr int kLongest = MPI_MAX_PROCESSOR_NAME;
  char mine[kLongest] = "";
  int length = 0;
  MPI_Get_processor_name(mine, &length);
  std::vector<char> names(static_cast<size_t>(size_) * kLongest);
  CheckMpi(MPI_Allgather(mine, kLongest, MPI_CHAR, names.data(), kLongest, MPI_CHAR, MPI_COMM_WORLD), "MPI_Allgather");
  for (int rank = 0; rank < size_; ++rank) hosts_.emplace_back(&names[static_cast<size_t>(rank) * kLongest]);
}

void MpiProcess::ShareMemory() {
  MPI_Comm here;
  CheckMpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here), "MPI_Comm_split");
  MPI_Comm_rank(here, &here_);
  MPI_Comm_size(here, &ranks_here_);
  ranks_.resize(ranks_here_);
  MPI_Allgather(&rank_, 1, MPI_INT, ranks_.data(), 1, MPI_INT, here);
  // Named by the first of them, while it lives.
  int64_t leader = getpid();
  MPI_Bcast(&leader, 1, MPI_INT64_T, 0, here);
  const std::string name = Str("/plumb-", leader);
  memory_ = HostMemory(name, ranks_here_);
  places_.assign(size_, -1);
  for (int i = 0; i < ranks_here_; ++i) places_[ranks_[i]] = i;
  memory_.bell(here_).has_chutes = memory_.ReserveChutes(here_) ? 1 : 0;
  memory_.bell(here_).process = getpid();
  MPI_Barrier(here);
  if (here_ == 0) HostMemory::Unlink(name);
  Bind(here);
  MPI_Comm_free(&here);
}

// The first rank tells what there is to be told: of the first host that has something, and of how many it is true.
void MpiProcess::Bind(MPI_Comm here) {
  constexpr int kLongest = 512;
  const std::string note = MendBinding(here, hosts_[rank_], &cores_).substr(0, kLongest - 1);
  char mine[kLongest] = "";
  note.copy(mine, note.size());
  std::vector<char> notes(rank_ == 0 ? static_cast<size_t>(size_) * kLongest : 0);
  CheckMpi(MPI_Gather(mine, kLongest, MPI_CHAR, notes.data(), kLongest, MPI_CHAR, 0, MPI_COMM_WORLD), "MPI_Gather");
  std::vector<std::string> told;
  for (size_t at = 0; at < notes.size(); at += kLongest) {
    if (notes[at] != '\0') told.emplace_back(&notes[at]);
  }
  if (told.empty()) return;
  const std::string others = told.size() > 1 ? Str(", and so on ", told.size() - 1, " other hosts") : "";
  std::fprintf(stderr, "plumb: %s%s\n", told[0].c_str(), others.c_str());
}

MPI_Comm MpiProcess::NewCommunicator() const {
  MPI_Comm comm;
  GiveWayInMpi(true);
  CheckMpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Barrier(comm);  // whoever is here puts nothing in any more
  EmptyChutes();
  MPI_Barrier(comm);
  GiveWayInMpi(false);
  return comm;
}

void MpiProcess::EmptyChutes() const {
  for (int from = 0; from < size_; ++from) {
    Chute* const chute = ChuteFrom(from);
    while (chute != nullptr && chute->First()) chute->DropFirst();
  }
  memory_.bell(here_).mail = 0;
}

}  // namespace plumb::dist

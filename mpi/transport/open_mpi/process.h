// What MPI knows of this process: initialised once, finalised when the process ends.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/transport/open_mpi/bells.h"
#include "mpi/transport/transport.h"

namespace plumb::dist {

// Throws kInternal, naming `what`, unless MPI says that it went well.
void CheckMpi(int result, const char* what);

class MpiProcess {
 public:
  // Initialises MPI when it is first called. Throws kFailedPrecondition.
  static MpiProcess& Get();

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::string& HostOf(int rank) const { return hosts_[rank]; }
  // Null: the rank is on another host.
  Bell* BellOf(int rank) const { return places_[rank] < 0 ? nullptr : &memory_.bell(places_[rank]); }
  SharedArea AreaOf(int rank) const {
    return places_[rank] < 0 ? SharedArea() : SharedArea{memory_.area(places_[rank]), HostMemory::kAreaBytes};
  }
  // What leads from this rank to that one, and back; null where it is on another host, or had no memory for what leads
  // to it.
  Chute* ChuteTo(int rank) const { return HasChute(rank, rank) ? &memory_.chute(here_, places_[rank]) : nullptr; }
  Chute* ChuteFrom(int rank) const { return HasChute(rank, rank_) ? &memory_.chute(places_[rank], here_) : nullptr; }
  // Of this rank in a Bell's mail, and whose bit it is; negative where it is nobody's.
  uint64_t mail_bit() const { return uint64_t{1} << here_; }
  int RankOfMail(int bit) const { return bit < ranks_here_ ? ranks_[static_cast<size_t>(bit)] : -1; }
  // Transport::Reserve.
  bool Reserve(size_t bytes) const { return memory_.Reserve(places_[rank_], bytes); }
  int ranks_here() const { return ranks_here_; }
  int cores() const { return cores_; }
  // Of all ranks, with messages of their own: nothing from before is left in the chutes. MPI frees it in the end:
  // before, that would wait for all ranks.
  MPI_Comm NewCommunicator() const;
  // Some rank is dead or messages are left on their way: MPI is not finalised, which would wait for ever.
  void LeaveUnfinished() { is_unfinished_ = true; }

  MpiProcess(const MpiProcess&) = delete;
  MpiProcess& operator=(const MpiProcess&) = delete;

 private:
  MpiProcess();
  ~MpiProcess();
  void Initialise();
  void FindHosts();
  void ShareMemory();
  void Bind(MPI_Comm here);
  void EmptyChutes() const;
  bool HasChute(int other, int reader) const {
    return other != rank_ && places_[other] >= 0 && memory_.bell(places_[reader]).has_chutes != 0;
  }

  bool is_ours_ = false;  // to finalise
  bool is_unfinished_ = false;
  int rank_ = 0;
  int size_ = 0;
  int ranks_here_ = 0;
  int here_ = 0;                 // the place of this rank
  std::vector<int> ranks_ = {};  // of this host, by place
  int cores_ = 1;                // Transport::Cores
  std::vector<std::string> hosts_;
  HostMemory memory_;
  std::vector<int> places_;  // by rank, in the memory of this host; negative: it is on another one
};

}  // namespace plumb::dist

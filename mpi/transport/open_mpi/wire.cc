#include "mpi/transport/open_mpi/wire.h"

#include <algorithm>

#include "mpi/transport/open_mpi/process.h"

namespace plumb::dist {
namespace {
constexpr size_t kPieceBytes = size_t{1} << 30;
}

void Requests::Send(const void* data, size_t bytes, int to, Tag tag, MPI_Comm comm) {
  for (size_t at = 0; at < bytes; at += kPieceBytes) {
    const int piece = static_cast<int>(std::min(kPieceBytes, bytes - at));
    requests_.emplace_back();
    CheckMpi(MPI_Isend(static_cast<const char*>(data) + at, piece, MPI_BYTE, to, tag, comm, &requests_.back()),
             "MPI_Isend");
  }
}

void Requests::Receive(void* data, size_t bytes, int from, Tag tag, MPI_Comm comm) {
  for (size_t at = 0; at < bytes; at += kPieceBytes) {
    const int piece = static_cast<int>(std::min(kPieceBytes, bytes - at));
    requests_.emplace_back();
    CheckMpi(MPI_Irecv(static_cast<char*>(data) + at, piece, MPI_BYTE, from, tag, comm, &requests_.back()),
             "MPI_Irecv");
  }
}

bool Requests::Done() {
  if (requests_.empty()) return true;
  int is_done = 0;
  CheckMpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &is_done, MPI_STATUSES_IGNORE),
           "MPI_Testall");
  if (is_done != 0) requests_.clear();
  return is_done != 0;
}

}  // namespace plumb::dist

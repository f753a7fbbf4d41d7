#include "fastpath/session/saved_kinds.h"

#include "fastpath/cpu/data_flow/barrier_object.h"
#include "fastpath/cpu/data_flow/batching_object.h"
#include "fastpath/cpu/data_flow/mutex_object.h"
#include "fastpath/cpu/data_flow/queue_object.h"
#include "fastpath/cpu/data_flow/reader_object.h"
#include "fastpath/cpu/lib/collective/groups.h"
#include "fastpath/cpu/lib/state/accumulator.h"
#include "fastpath/cpu/lib/state/lookup_table.h"
#include "fastpath/cpu/lib/state/session_tensors.h"
#include "fastpath/cpu/lib/state/sparse_tensors.h"
#include "fastpath/cpu/lib/state/staging.h"
#include "fastpath/cpu/state/stub_resource.h"
#include "fastpath/cpu/summary/writer_object.h"
#include "fastpath/device/variable.h"

namespace plumb::fast {

std::span<const ResourceKind> SavedKinds() {
  static const ResourceKind kKinds[] = {
      KindOf<Variable>("Variable"),
      KindOf<ResourceVariable>("ResourceVariable"),
      KindOf<cpu::Accumulator>("Accumulator"),
      KindOf<cpu::QueueObject>("Queue"),
      KindOf<cpu::LookupTable>("Table"),
      KindOf<cpu::SessionTensors>("SessionTensors"),
      KindOf<cpu::BarrierObject>("Barrier"),
      KindOf<cpu::SparseTensors>("SparseTensors"),
      KindOf<cpu::StagingArea>("StagingArea"),
      KindOf<cpu::StagingMap>("StagingMap"),
      KindOf<cpu::MutexObject>("Mutex"),
      KindOf<cpu::ReaderObject>("Reader"),
      KindOf<cpu::CollectiveGroups>("Collectives"),
      KindOf<cpu::WriterObject>("SummaryWriter"),
      KindOf<cpu::StubObject>("Stub"),
      KindOf<cpu::BatchObject>("Batches"),
      KindOf<cpu::UnbatchObject>("BatchParts"),
      KindOf<cpu::GradientBatchObject>("BatchGradients"),
  };
  return kKinds;
}

}  // namespace plumb::fast

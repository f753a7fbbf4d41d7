#include "fastpath/cpu/lib/onednn/engine.h"

#include "spec/core/status.h"

namespace plumb::fast::cpu::onednn {

dnnl::engine& Engine() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& Stream() {
  thread_local dnnl::stream stream(Engine());
  return stream;
}

void ThrowFrom(const dnnl::error& error) {
  if (error.status == dnnl_out_of_memory) throw ResourceExhausted("oneDNN has no memory: ", error.what());
  throw Internal("oneDNN refused: ", error.what());
}

}  // namespace plumb::fast::cpu::onednn

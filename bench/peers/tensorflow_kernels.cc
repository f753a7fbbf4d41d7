#include "bench/peers/tensorflow_kernels.h"

#include <set>
#include <string_view>

#include "spec/core/bytes.h"

namespace plumb::peers {
namespace {

// The fields of a message of protocol buffers that TensorFlow wrote, one after the other.
class Fields {
 public:
  explicit Fields(std::string_view message) : left_(message, "a list of TensorFlow's kernels") {}

  bool Next() {
    if (left_.IsEmpty()) return false;
    const uint64_t key = left_.TakeVarint(), kind = key & 7;
    field = static_cast<int>(key >> 3);
    if (kind == 0) {
      left_.TakeVarint();
    } else {
      bytes = left_.Take(kind == 2 ? left_.TakeVarint() : kind == 5 ? 4 : 8);
    }
    return true;
  }

  int field = 0;
  std::string_view bytes;

 private:
  ByteReader left_;
};

// AttrValue { list (1) { type (6): packed numbers } }
std::set<uint64_t> ListedTypes(std::string_view attr) {
  std::set<uint64_t> types;
  for (Fields value(attr); value.Next();) {
    if (value.field != 1) continue;
    for (Fields list(value.bytes); list.Next();) {
      if (list.field != 6) continue;
      for (ByteReader packed(list.bytes, "a list of types"); !packed.IsEmpty();) types.insert(packed.TakeVarint());
    }
  }
  return types;
}

// KernelDef.AttrConstraint { name (1), allowed_values (2) }
bool Allows(std::string_view constraint, const PlumbAttrType* types, uint64_t count) {
  std::string_view name;
  std::set<uint64_t> allowed;
  for (Fields f(constraint); f.Next();) {
    if (f.field == 1) name = f.bytes;
    if (f.field == 2) allowed = ListedTypes(f.bytes);
  }
  for (uint64_t i = 0; i < count; ++i) {
    if (types[i].attr == name && !allowed.contains(static_cast<uint64_t>(types[i].dtype))) return false;
  }
  return true;
}

// KernelDef { device_type (2), constraint (3), label (5) }
bool Takes(std::string_view kernel, const PlumbAttrType* types, uint64_t count) {
  for (Fields f(kernel); f.Next();) {
    if (f.field == 2 && f.bytes != "CPU") return false;
    if (f.field == 3 && !Allows(f.bytes, types, count)) return false;
    if (f.field == 5 && !f.bytes.empty()) return false;
  }
  return true;
}

}  // namespace

bool HasCpuKernel(const TensorFlowApi& tf, const char* op, const PlumbAttrType* types, uint64_t count) {
  TF_Status* const status = tf.NewStatus();
  TF_Buffer* const list = tf.GetRegisteredKernelsForOp(op, status);
  tf.DeleteStatus(status);
  if (list == nullptr) return false;
  bool has = false;
  for (Fields f({static_cast<const char*>(list->data), list->length}); f.Next();) {  // KernelList { kernel (1) }
    has = has || (f.field == 1 && Takes(f.bytes, types, count));
  }
  tf.DeleteBuffer(list);
  return has;
}

}  // namespace plumb::peers

#include <unordered_map>

#include "reference/kernel/op_context.h"
#include "reference/ops/topics.h"

namespace plumb::reference {

void KernelState::Save(const StateWriter&) const { throw Unimplemented("this kernel's state cannot be saved"); }
void KernelState::Restore(const StateReader&) { throw Unimplemented("this kernel's state cannot be restored"); }
namespace {

#define PLUMB_TOPIC(name) topics::name,
constexpr std::span<const KernelRow> (*kTopics[])() = {PLUMB_REFERENCE_TOPICS(PLUMB_TOPIC)};
#undef PLUMB_TOPIC

const KernelRow* FindRow(std::string_view op) {
  static const auto table = [] {
    std::unordered_map<std::string_view, const KernelRow*> rows;
    for (const auto topic : kTopics) {
      for (const KernelRow& row : topic()) rows.emplace(row.op, &row);
    }
    return rows;
  }();
  const auto found = table.find(op);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace

Kernel FindKernel(std::string_view op) {
  const KernelRow* row = FindRow(op);
  return row == nullptr ? nullptr : row->kernel;
}

NodeCheck FindCheck(std::string_view op) {
  const KernelRow* row = FindRow(op);
  return row == nullptr ? nullptr : row->check;
}

}  // namespace plumb::reference

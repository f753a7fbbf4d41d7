#include "fastpath/cpu/lib/testing/kernel_test_util.h"

#include <gtest/gtest.h>

#include "fastpath/cpu/cpu_device.h"
#include "fastpath/device/thread_pool.h"
#include "spec/ops/catalogue.h"

namespace plumb::fast::cpu {
namespace {

// How many values the arguments with `number_attr` share out: N of k lists, after the single arguments.
int64_t NumberFor(const OpDef& op, const std::string& number_attr, size_t inputs) {
  size_t lists = 0, others = 0;
  for (const ArgDef& arg : op.inputs) ++(arg.number_attr == number_attr ? lists : others);
  return static_cast<int64_t>((inputs - others) / lists);
}

AttrMap InferAttrs(const OpDef& op, const std::vector<Tensor>& inputs, AttrMap attrs) {
  size_t next = 0;
  for (const ArgDef& arg : op.inputs) {
    if (!arg.type_list_attr.empty()) {
      std::vector<DType> types;
      while (next < inputs.size()) types.push_back(inputs[next++].dtype());
      attrs.try_emplace(arg.type_list_attr, types);
      continue;
    }
    const int64_t count = arg.number_attr.empty() ? 1 : NumberFor(op, arg.number_attr, inputs.size());
    if (!arg.number_attr.empty()) attrs.try_emplace(arg.number_attr, count);
    if (!arg.type_attr.empty() && next < inputs.size()) attrs.try_emplace(arg.type_attr, inputs[next].dtype());
    next += static_cast<size_t>(count);
  }
  return attrs;
}

NodeId AddOp(Graph& graph, std::string_view op, const std::vector<Tensor>& inputs, AttrMap attrs) {
  const OpDef* def = FindOp(op);
  if (def == nullptr) throw NotFound("Op type not registered: ", op);
  std::vector<Endpoint> edges;
  for (size_t i = 0; i < inputs.size(); ++i) {
    NodeDef feed;
    feed.name = Str("in", i);
    feed.op = "Placeholder";
    feed.attrs["dtype"] = inputs[i].dtype();
    edges.push_back({graph.Add(feed, {}, {}), 0});
  }
  NodeDef node;
  node.name = "node";
  node.op = op;
  node.attrs = InferAttrs(*def, inputs, std::move(attrs));
  return graph.Add(node, edges, {});
}

}  // namespace

std::vector<Tensor> RunKernel(std::string_view op, std::vector<Tensor> inputs, AttrMap attrs, int threads) {
  Graph graph;
  const Node& node = graph.node(AddOp(graph, op, inputs, std::move(attrs)));
  const std::shared_ptr<Kernel> kernel = MakeCpuKernel(node);

  std::vector<Entry> in(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) in[i].tensor = std::move(inputs[i]);
  std::vector<Entry> out(node.output_types.size());
  ThreadPool pool(threads);
  ResourceManager session, of_step;
  StepContext step{pool, session, of_step};
  KernelContext context(step, in.data(), static_cast<int>(in.size()), out.data(), static_cast<int>(out.size()));
  kernel->Run(context);

  std::vector<Tensor> outputs;
  outputs.reserve(out.size());
  for (Entry& entry : out) outputs.push_back(std::move(entry.tensor));
  return outputs;
}

Tensor RunKernel1(std::string_view op, std::vector<Tensor> inputs, AttrMap attrs, int threads) {
  return RunKernel(op, std::move(inputs), std::move(attrs), threads).at(0);
}

Code CodeOfKernel(std::string_view op, std::vector<Tensor> inputs, AttrMap attrs) {
  try {
    RunKernel(op, std::move(inputs), std::move(attrs));
    return Code::kOk;
  } catch (const Error& error) {
    return error.status().code();
  }
}

}  // namespace plumb::fast::cpu

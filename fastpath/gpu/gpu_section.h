// A section of a plan on a GPU. Its first runs are ordinary; one of them is a trial, which finds out whether a graph
// can do the same again and how much memory it takes. Then its work is captured, over memory of its own, and from there
// on launched as one: what comes is copied into place before, what leaves is copied out behind. Variables are changed
// where they lie. docs/decisions/captured-sections.md says why.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fastpath/device/section.h"
#include "fastpath/device/variable_access.h"
#include "fastpath/gpu/gpu_section_graph.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::GPU_NAMESPACE {

class GpuSection : public Kernel {
 public:
  GpuSection(Section section, GpuDevice& device);
  ~GpuSection() override;

  void Run(KernelContext& call) override;
  bool KeepsAliases() const override { return true; }

  // Lets the memory of graphs go that do not run. Whether there was any.
  bool DropGraphs();

 private:
  // Runs of one set of shapes, and of values that the host looks at.
  struct Case {
    std::string places;  // where its variables lie: elsewhere, everything begins anew
    int runs = 0;
    int pause = 0;  // so many runs until memory is asked for again
    bool is_busy = false;
    std::optional<size_t> memory;  // what a trial took
    std::string why_not;           // it stays ordinary
    std::unique_ptr<SectionGraph> graph;
  };
  enum class Way { kPlain, kTrial, kCapture, kReplay };

  std::vector<SectionInput> InputsOf(KernelContext& call) const;
  // The case of a run, and what is done in it; `why` a plain one is plain. Who does something else gives it back.
  std::shared_ptr<Case> Begin(const std::vector<SectionInput>& inputs, Way& way, std::string& why);
  static Way WayOf(Case& its, std::string& why);
  void End(Case& its);

  std::string RunSomehow(KernelContext& call);
  std::string RunAs(Way way, KernelContext& call, GpuStep& step, const std::vector<SectionInput>& inputs, Case& its);
  void RunPlainly(KernelContext& call) const;
  void SetOutputs(KernelContext& call, const std::vector<Entry>& values) const;
  void Try(KernelContext& call, const std::vector<SectionInput>& inputs, Case& its);
  // Nothing was done; the case has a graph, or `why` it has none.
  void Capture(KernelContext& call, const std::vector<SectionInput>& inputs, Case& its, std::string& why);
  // Whether the graph was launched; else nothing was done.
  bool Launch(KernelContext& call, GpuStep& step, const std::vector<SectionInput>& inputs, Case& its, bool is_counted,
              std::string& why);
  // There is no graph, for now or for ever.
  void Refuse(Case& its, const Status& status);

  const Section section_;
  GpuDevice& device_;
  const std::vector<std::unique_ptr<VariableLookup>> lookups_;  // by input; null for what is no handle
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Case>> cases_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::GPU_NAMESPACE

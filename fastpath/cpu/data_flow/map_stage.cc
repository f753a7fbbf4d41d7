// Staging maps (Q72–Q75).
#include "fastpath/cpu/data_flow/stage_kernel.h"
#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {
namespace {

class MapKernel : public StageKernel {
 public:
  MapKernel(const Node& node, bool is_ordered) : StageKernel(node), is_ordered_(is_ordered) {}

 protected:
  std::shared_ptr<StagingMap> Map(KernelContext& context) const {
    auto map = context.resources().FindOrCreate<StagingMap>(name());
    map->Describe(name().name, limits(), is_ordered_, types());
    return map;
  }
  int64_t KeyIn(const KernelContext& context) const {
    const Tensor& key = context.input(0);
    Require(key.elements() == 1, "the key must be one number, not of shape ", Printed(key.shape()));
    return key.data<int64_t>()[0];
  }
  std::vector<int64_t> IndicesIn(const KernelContext& context, int input) const {
    std::vector<int64_t> indices = ToInt64s(context.input(input));
    Require(!indices.empty(), "there must be one index at least");
    for (size_t i = 1; i < indices.size(); ++i) {
      Require(indices[i - 1] < indices[i], "the indices must ascend strictly, not be ", indices[i - 1], " and ",
              indices[i]);
    }
    return indices;
  }

 private:
  const bool is_ordered_;
};

class PutKernel final : public MapKernel {
 public:
  using MapKernel::MapKernel;
  void Start(AsyncContext& context, Done done) override {
    MapRequest request{StagingAct::kPut, KeyIn(context), IndicesIn(context, 1), ValuesFrom(context, 2)};
    Map(context)->Ask(context, std::move(done), std::move(request));
  }
};

enum class Wish { kTake, kTakeAny, kPeek };

template <bool ordered>
class GetKernel final : public MapKernel {
 public:
  GetKernel(const Node& node, Wish wish)
      : MapKernel(node, ordered),
        act_(wish == Wish::kPeek ? StagingAct::kPeek : StagingAct::kTake),
        has_key_(wish != Wish::kTakeAny) {}
  void Start(AsyncContext& context, Done done) override {
    MapRequest request{act_};
    if (has_key_) request.key = KeyIn(context);
    request.indices = IndicesIn(context, has_key_ ? 1 : 0);
    request.types = types();
    Require(request.indices.size() == types().size(), request.indices.size(), " indices for values of ", types().size(),
            " types");
    Map(context)->Ask(context, std::move(done), std::move(request));
  }

 private:
  const StagingAct act_;
  const bool has_key_;
};

template <bool ordered>
class SizeKernel final : public MapKernel {
 public:
  SizeKernel(const Node& node, bool is_incomplete) : MapKernel(node, ordered), is_incomplete_(is_incomplete) {}
  void Start(AsyncContext& context, Done done) override {
    const auto map = Map(context);
    const int64_t size = is_incomplete_ ? map->num_incomplete() : map->size();
    context.SetOutput(0, MakeScalar(static_cast<int32_t>(size)));
    done(OkStatus());
  }

 private:
  const bool is_incomplete_;
};

class ClearKernel final : public MapKernel {
 public:
  using MapKernel::MapKernel;
  void Start(AsyncContext& context, Done done) override {
    Map(context)->Clear();
    done(OkStatus());
  }
};

constexpr KernelRow kRows[] = {
    {"MapStage", MakeWith<PutKernel, false>},
    {"OrderedMapStage", MakeWith<PutKernel, true>},
    {"MapUnstage", MakeWith<GetKernel<false>, Wish::kTake>},
    {"OrderedMapUnstage", MakeWith<GetKernel<true>, Wish::kTake>},
    {"MapPeek", MakeWith<GetKernel<false>, Wish::kPeek>},
    {"OrderedMapPeek", MakeWith<GetKernel<true>, Wish::kPeek>},
    {"MapUnstageNoKey", MakeWith<GetKernel<false>, Wish::kTakeAny>},
    {"OrderedMapUnstageNoKey", MakeWith<GetKernel<true>, Wish::kTakeAny>},
    {"MapSize", MakeWith<SizeKernel<false>, false>},
    {"OrderedMapSize", MakeWith<SizeKernel<true>, false>},
    {"MapIncompleteSize", MakeWith<SizeKernel<false>, true>},
    {"OrderedMapIncompleteSize", MakeWith<SizeKernel<true>, true>},
    {"MapClear", MakeWith<ClearKernel, false>},
    {"OrderedMapClear", MakeWith<ClearKernel, true>},
};

}  // namespace

std::span<const KernelRow> DataFlowMapStage() { return kRows; }

}  // namespace plumb::fast::cpu

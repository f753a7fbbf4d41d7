#include "fastpath/gpu/emulator/libraries/products.h"

#include <algorithm>
#include <complex>

#include "fastpath/gpu/emulator/libraries/run_of.h"
#include "fastpath/gpu/emulator/libraries/tf32.h"

namespace plumb::fast::emulated_gpu {
namespace {

template <class T>
struct Sums {
  using Type = T;
  static T Load(T value) { return value; }
  static T Store(T value) { return value; }
};
template <>
struct Sums<Half> {
  using Type = float;
  static float Load(Half value) { return static_cast<float>(value); }
  static Half Store(float value) { return Half(value); }
};
template <>
struct Sums<BFloat16> {
  using Type = float;
  static float Load(BFloat16 value) { return static_cast<float>(value); }
  static BFloat16 Store(float value) { return BFloat16(value); }
};

template <class T>
T Conjugated(T value) {
  return value;
}
template <class T>
std::complex<T> Conjugated(std::complex<T> value) {
  return std::conj(value);
}

template <class T>
using SumOf = typename Sums<T>::Type;

// Elements of a row of op(matrix), or of a column.
template <class T>
struct Line {
  T operator[](int64_t j) const { return is_conjugated ? Conjugated(data[j * stride]) : data[j * stride]; }
  const T* data;
  int64_t stride;
  bool is_conjugated;
};
// Those from `from` to `to` of row `row` of op(matrix), whose columns lie `ld` apart.
template <class T>
Line<T> RowOf(const Global<const T>& matrix, cublasOperation_t op, int64_t ld, int64_t row, int64_t from, int64_t to) {
  if (op == CUBLAS_OP_N) return {RunOf(matrix, from * ld + row, ld, to - from), ld, false};
  return {RunOf(matrix, row * ld + from, 1, to - from), 1, op == CUBLAS_OP_C};
}
template <class T>
Line<T> ColumnOf(const Global<const T>& matrix, cublasOperation_t op, int64_t ld, int64_t column, int64_t from,
                 int64_t to) {
  if (op == CUBLAS_OP_N) return {RunOf(matrix, column * ld + from, 1, to - from), 1, false};
  return {RunOf(matrix, from * ld + column, ld, to - from), ld, op == CUBLAS_OP_C};
}

// Row i % m of a with column i / m % n of b, over [from, to) of the inner axis.
template <class T>
SumOf<T> AddedUp(const Product& p, int64_t i, int64_t from, int64_t to, const Global<const T>& a,
                 const Global<const T>& b) {
  const int64_t matrix = i / (p.m * p.n);
  const auto own_a = a.From(matrix * p.a_stride, a.size - matrix * p.a_stride);
  const auto own_b = b.From(matrix * p.b_stride, b.size - matrix * p.b_stride);
  const Line<T> row = RowOf(own_a, p.op_a, p.lda, i % p.m, from, to);
  const Line<T> column = ColumnOf(own_b, p.op_b, p.ldb, i / p.m % p.n, from, to);
  SumOf<T> sum = 0;
  for (int64_t j = 0; j < to - from; ++j) {
    sum += FactorOf<SumOf<T>>(row[j], p.as_tf32) * FactorOf<SumOf<T>>(column[j], p.as_tf32);
  }
  return sum;
}

template <class T>
PLUMB_GPU_KERNEL AddUpFirstPart(Product p, int64_t to, Global<const T> a, Global<const T> b, Global<SumOf<T>> sums) {
  const int64_t all = p.m * p.n * p.batch;
  for (int64_t i = BlockNumber() * Threads() + ThreadNumber(); i < all; i += Blocks() * Threads()) {
    sums[i] = AddedUp(p, i, 0, to, a, b);
  }
}

// `sums` has those of the inner axis before `from`, or nothing.
template <class T>
PLUMB_GPU_KERNEL Multiply(Product p, int64_t from, SumOf<T> alpha, SumOf<T> beta, Global<const T> a, Global<const T> b,
                          Global<const SumOf<T>> sums, Global<T> c) {
  const int64_t all = p.m * p.n * p.batch;
  for (int64_t i = BlockNumber() * Threads() + ThreadNumber(); i < all; i += Blocks() * Threads()) {
    SumOf<T> sum = AddedUp(p, i, from, p.k, a, b);
    if (from > 0) sum += sums[i];
    T& place = c[i / (p.m * p.n) * p.c_stride + i / p.m % p.n * p.ldc + i % p.m];
    sum *= alpha;
    if (beta != SumOf<T>(0)) sum += beta * Sums<T>::Load(place);
    place = Sums<T>::Store(sum);
  }
}

// How many elements a strided batch reaches over.
int64_t Extent(int64_t columns, int64_t ld, int64_t rows, int64_t stride, int64_t batch) {
  return columns == 0 || rows == 0 ? 0 : (batch - 1) * stride + (columns - 1) * ld + rows;
}

template <class T>
void QueueAs(cudaStream_t stream, const Product& p, const void* alpha, const void* a, const void* b, const void* beta,
             void* c, void* workspace) {
  using Sum = SumOf<T>;
  const bool n_a = p.op_a == CUBLAS_OP_N, n_b = p.op_b == CUBLAS_OP_N;
  const Global<const T> from_a(static_cast<const T*>(a),
                               Extent(n_a ? p.k : p.m, p.lda, n_a ? p.m : p.k, p.a_stride, p.batch));
  const Global<const T> from_b(static_cast<const T*>(b),
                               Extent(n_b ? p.n : p.k, p.ldb, n_b ? p.k : p.n, p.b_stride, p.batch));
  const Global<T> to(static_cast<T*>(c), Extent(p.n, p.ldc, p.m, p.c_stride, p.batch));
  const int64_t elements = p.m * p.n * p.batch, first = workspace == nullptr ? 0 : p.k / 2;
  const GridSize shape = {.blocks = (elements + 255) / 256, .threads = 256, .has_barriers = false};
  const int64_t sums = first == 0 ? 0 : elements;
  if (first > 0) {
    Launch(stream, shape, AddUpFirstPart<T>, p, first, from_a, from_b, Global<Sum>(static_cast<Sum*>(workspace), sums));
  }
  Launch(stream, shape, Multiply<T>, p, first, *static_cast<const Sum*>(alpha), *static_cast<const Sum*>(beta), from_a,
         from_b, Global<const Sum>(static_cast<const Sum*>(workspace), sums), to);
}

// Calls visit<T>() for the type of C++ that elements are of.
template <class Visit>
auto ByElement(cudaDataType_t element, const Visit& visit) {
  switch (element) {
    case CUDA_R_16F:
      return visit.template operator()<Half>();
    case CUDA_R_16BF:
      return visit.template operator()<BFloat16>();
    case CUDA_R_64F:
      return visit.template operator()<double>();
    case CUDA_C_32F:
      return visit.template operator()<std::complex<float>>();
    case CUDA_C_64F:
      return visit.template operator()<std::complex<double>>();
    case CUDA_R_32F:
      break;
  }
  return visit.template operator()<float>();
}

}  // namespace

bool Product::HasRoom() const {
  const auto has_room = [](cublasOperation_t op, int64_t column, int64_t rows, int64_t columns) {
    return column >= std::max<int64_t>(1, op == CUBLAS_OP_N ? rows : columns);
  };
  return has_room(op_a, lda, m, k) && has_room(op_b, ldb, k, n) && ldc >= std::max<int64_t>(1, m);
}

void QueueProduct(cudaStream_t stream, cudaDataType_t element, const Product& product, const void* alpha, const void* a,
                  const void* b, const void* beta, void* c) {
  QueueProductInParts(stream, element, product, alpha, a, b, beta, c, nullptr);
}

void QueueProductInParts(cudaStream_t stream, cudaDataType_t element, const Product& product, const void* alpha,
                         const void* a, const void* b, const void* beta, void* c, void* workspace) {
  ByElement(element, [&]<class T>() { QueueAs<T>(stream, product, alpha, a, b, beta, c, workspace); });
}

int64_t WorkspaceOf(cudaDataType_t element, const Product& product) {
  const auto bytes = ByElement(element, []<class T>() { return sizeof(SumOf<T>); });
  return product.m * product.n * product.batch * static_cast<int64_t>(bytes);
}

bool IsSupported(cudaDataType_t element, cublasComputeType_t compute) {
  if (compute == CUBLAS_COMPUTE_32F_FAST_TF32) return element == CUDA_R_32F || element == CUDA_C_32F;
  const bool is_wide = element == CUDA_R_64F || element == CUDA_C_64F;
  return compute == (is_wide ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F);
}

}  // namespace plumb::fast::emulated_gpu

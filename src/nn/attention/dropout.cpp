#include "nn/attention/dropout.hpp"

namespace heed::nn {

template <class S> void apply(const Dropout& dropout, Matrix<S>& x) {
    if (!dropout.active()) return;
    for (Index i = 0; i < x.size(); ++i) x.data()[i] *= dropout.factor<S>(i);
}

template void apply(const Dropout&, Matrix<float>&);
template void apply(const Dropout&, Matrix<double>&);

} // namespace heed::nn

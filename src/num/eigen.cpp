#include "num/eigen.hpp"

#include "base/check.hpp"

namespace heed::num {

void shapes_differ(const char* condition) {
    throw base::ContractError(fmt::format("matrices whose shapes do not fit: {}", condition));
}

} // namespace heed::num

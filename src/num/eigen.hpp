// Eigen, with one promise more: arithmetic on matrices of different shapes throws in every build,
// where Eigen's own assertions are gone from a release. Only expressions, products, blocks,
// reductions and assignments (of products to views, too) are checked, once each and never an
// element, which costs nothing beside their work.
#pragma once

#include <string_view>

namespace heed::num {

/// Throws base::ContractError.
[[noreturn]] void shapes_differ(const char* condition);

/// True where the assertions of this file of Eigen are about shapes.
constexpr bool asserts_shapes(std::string_view file) {
    for (const std::string_view name :
         {"/CwiseBinaryOp.h", "/CwiseTernaryOp.h", "/Select.h", "/Product.h",
          "/ProductEvaluators.h", "/GeneralMatrixMatrix.h", "/Block.h", "/Diagonal.h",
          "/AssignEvaluator.h", "/DenseBase.h", "/Dot.h", "/Redux.h", "/Visitor.h",
          "/VectorwiseOp.h"}) {
        if (file.ends_with(name)) return true;
    }
    return false;
}

} // namespace heed::num

#define eigen_assert(condition)                                                                    \
    do {                                                                                           \
        if constexpr (::heed::num::asserts_shapes(__FILE__)) {                                     \
            if (!(condition)) ::heed::num::shapes_differ(#condition);                              \
        } else {                                                                                   \
            eigen_plain_assert(condition);                                                         \
        }                                                                                          \
    } while (false)

#include <Eigen/Core>

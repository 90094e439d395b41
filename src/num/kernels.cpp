#include "num/kernels.hpp"

#include <cstdlib>
#include <string_view>

namespace heed::num {

namespace isa_base {
extern const Kernels table;
}
#ifdef HEED_HAS_ISA_v3
namespace isa_v3 {
extern const Kernels table;
}
#endif
#ifdef HEED_HAS_ISA_v4
namespace isa_v4 {
extern const Kernels table;
}
#endif

namespace {

const Kernels& chosen() {
    const char* variable = std::getenv("HEED_ISA");
    const std::string_view wish = variable ? variable : "";
    // A wish for what this processor cannot run is no wish: the next one down is taken.
    const bool limit_v3 = wish == "v3", limit_base = wish == "base";
#if defined(HEED_HAS_ISA_v3) && defined(HEED_HAS_ISA_v4)
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("f16c");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    if (v4 && !limit_v3 && !limit_base) return isa_v4::table;
    if (v3 && !limit_base) return isa_v3::table;
#else
    static_cast<void>(limit_v3);
    static_cast<void>(limit_base);
#endif
    return isa_base::table;
}

} // namespace

const Kernels& kernels() {
    static const Kernels& result = chosen();
    return result;
}

} // namespace heed::num

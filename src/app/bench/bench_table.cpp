// What was measured, as a table and as JSON.
#include "app/bench/bench.hpp"
#include "num/product.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

namespace heed::app {

namespace {

/// Rate of this machine in the named case with so many threads; 0 where that was not measured.
double rate_of(const std::vector<BenchCase>& cases, std::string_view name, int threads,
               double BenchCase::*rate) {
    for (const BenchCase& c : cases) {
        if (c.name == name && c.threads == threads) return c.*rate;
    }
    return 0;
}

std::string share_text(double rate, double best) {
    const std::string share = best > 0 ? fmt::format("{:>8.0f} %", 100 * rate / best) : "";
    return rate > 0 ? fmt::format(" {:>9.1f} {:>10}", rate, share) : fmt::format("{:>21}", "");
}

/// A case's measure of its limit; nothing where it has none, or nothing to compare it with.
std::optional<double> measured_limit(const std::vector<BenchCase>& cases, const BenchCase& c) {
    using Of = BenchLimit::Of;
    if (c.limit.of == Of::nothing) return std::nullopt;
    const bool reading = c.limit.of == Of::reading;
    const auto rate = reading ? &BenchCase::gigabytes_per_second : &BenchCase::gflops;
    const double best = rate_of(cases, reading ? "reading" : "matmul", c.threads, rate);
    if (best <= 0 || c.*rate <= 0) return std::nullopt;
    return c.limit.of == Of::product_rate ? c.*rate / best : best / (c.*rate);
}

bool holds(const BenchLimit& limit, double measured) {
    return limit.of == BenchLimit::Of::product_rate ? measured >= limit.factor
                                                    : measured <= limit.factor;
}

/// "limit 1.25 x reading: 1.04", and where it does not hold that it does not.
std::string limit_text(const BenchLimit& limit, double measured) {
    const std::string verdict = holds(limit, measured) ? "" : " (does not hold)";
    if (limit.of == BenchLimit::Of::product_rate) {
        return fmt::format("limit {:.0f} % of matmul: {:.0f} %{}", 100 * limit.factor,
                           100 * measured, verdict);
    }
    return fmt::format("limit {} x {}: {:.2f}{}", limit.factor,
                       limit.of == BenchLimit::Of::reading ? "reading" : "arithmetic", measured,
                       verdict);
}

} // namespace

std::string bench_json(const std::vector<BenchCase>& cases) {
    tensors::Json list = tensors::Json::array();
    for (const BenchCase& c : cases) {
        tensors::Json json = {{"name", c.name},
                              {"tokens", c.tokens},
                              {"threads", c.threads},
                              {"median_ms", c.median_ms}};
        if (c.gflops > 0) json["gflops"] = c.gflops;
        if (c.gigabytes_per_second > 0) json["gigabytes_per_second"] = c.gigabytes_per_second;
        if (const auto measured = measured_limit(cases, c)) {
            json["limit"] = c.limit.factor;
            json["measured"] = *measured;
            json["holds"] = holds(c.limit, *measured);
        }
        list.push_back(std::move(json));
    }
    return tensors::dump_json({{"instruction_set", std::string(num::instruction_set())},
                               {"cases", std::move(list)}},
                              2) +
           "\n";
}

std::string bench_text(const std::vector<BenchCase>& cases) {
    std::string text = fmt::format("kernels: {}\n\n{:<24} {:>6} {:>7} {:>10} {:>9} {:>10} {:>9} "
                                   "{:>10}\n",
                                   num::instruction_set(), "case", "tokens", "threads", "median ms",
                                   "GFLOP/s", "of matmul", "GB/s", "of reading");
    for (const BenchCase& c : cases) {
        text +=
            fmt::format("{:<24} {:>6} {:>7} {:>10.3f}", c.name, c.tokens, c.threads, c.median_ms);
        const auto best = [&](std::string_view name, double BenchCase::*rate) {
            return rate_of(cases, name, c.threads, rate);
        };
        text += share_text(c.gflops, best("matmul", &BenchCase::gflops));
        text +=
            share_text(c.gigabytes_per_second, best("reading", &BenchCase::gigabytes_per_second));
        if (const auto measured = measured_limit(cases, c)) {
            text += "  " + limit_text(c.limit, *measured);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += "\n";
    }
    return text;
}

} // namespace heed::app

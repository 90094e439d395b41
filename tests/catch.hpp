// Catch2 2 (Debian 12) and 3 (Debian 13) under one include.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers.hpp>
using Catch::Approx; // in 2 it is there already
#else
#include <catch2/catch.hpp>
#endif

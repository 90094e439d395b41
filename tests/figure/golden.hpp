// Approved text dumps in tests/golden. A dump that differs is written beside the approved one.
#pragma once

#include <string>

/// Empty where the dump is as approved: the same words, numbers within 0.15. Else what differs
/// first, and how to approve.
std::string difference_from_golden(const std::string& name, const std::string& dump);

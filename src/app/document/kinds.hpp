// The tables of scores and positions, for panels, which name and explain them.
#pragma once

#include "nn/attention/position_info.hpp"
#include "nn/attention/score_info.hpp"

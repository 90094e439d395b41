// The tables of scores and positions, for panels, which name and explain them.
#pragma once

#include "nn/position_info.hpp"
#include "nn/score_info.hpp"

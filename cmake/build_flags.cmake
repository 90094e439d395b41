# Flags of our own code: heed_flags carries them to every target.
add_library(heed_flags INTERFACE)
target_compile_options(heed_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wundef
  "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
# GCC sees uninitialised members inside std::variant (its bug 80635, in 12 to 14), and GCC 12
# overlaps inside std::string (105329), in copies and bounds of it, too (105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(heed_flags INTERFACE -Wno-maybe-uninitialized)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(heed_flags INTERFACE
      -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()
# A class of an anonymous namespace in a member is no mistake where several files are one (HEED_UNITY).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND HEED_UNITY)
  target_compile_options(heed_flags INTERFACE -Wno-subobject-linkage)
endif()
if(HEED_WERROR)
  target_compile_options(heed_flags INTERFACE -Werror)
endif()
# Threads are ours; Eigen's own would fight them (50 times slower on small products).
target_compile_definitions(heed_flags INTERFACE EIGEN_DONT_PARALLELIZE)
if(HEED_SANITIZE)
  target_compile_options(heed_flags INTERFACE
    "-fsanitize=${HEED_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  target_link_options(heed_flags INTERFACE "-fsanitize=${HEED_SANITIZE}")
endif()
find_package(Threads REQUIRED)
target_link_libraries(heed_flags INTERFACE Threads::Threads)
target_compile_options(heed_flags INTERFACE -pthread) # the same macros for all, as a precompiled header needs

# What nearly every file reads of the standard library and of Eigen, fmt and expected, compiled once.
# Headers stand on their own all the same: tests/house/headers.py compiles each alone.
add_library(heed_precompiled OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp")
target_link_libraries(heed_precompiled PRIVATE
  heed_flags heed_dep_eigen heed_dep_fmt heed_dep_tl-expected)
target_include_directories(heed_precompiled PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_precompile_headers(heed_precompiled PRIVATE "${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp")

# Matrix kernels, compiled once per instruction set and chosen when the program starts.
# Eigen is renamed in each of them, so that the linker cannot mix their inline functions.
set(HEED_INSTRUCTION_SETS base)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND HEED_INSTRUCTION_SETS v3 v4)
endif()

function(heed_kernels room)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/kernels_*.cpp")
  foreach(isa IN LISTS HEED_INSTRUCTION_SETS)
    add_library(heed_${room}_${isa} OBJECT ${sources})
    target_link_libraries(heed_${room}_${isa} PRIVATE heed_flags heed_dep_eigen)
    target_include_directories(heed_${room}_${isa} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_compile_definitions(heed_${room}_${isa} PRIVATE
      HEED_ISA=${isa} Eigen=Eigen_heed_${isa})
    # Packets are vector types as template arguments, and GCC 12 takes its own AVX-512 headers'
    # undefined registers for mistakes.
    target_compile_options(heed_${room}_${isa} PRIVATE
      -O2 -Wno-ignored-attributes -Wno-uninitialized -Wno-maybe-uninitialized)
    if(NOT isa STREQUAL base)
      target_compile_options(heed_${room}_${isa} PRIVATE -march=x86-64-${isa})
    endif()
    target_sources(heed_${room} PRIVATE $<TARGET_OBJECTS:heed_${room}_${isa}>)
    target_compile_definitions(heed_${room} PRIVATE HEED_HAS_ISA_${isa})
  endforeach()
endfunction()

# Flags of everything that is ours. Arithmetic follows the source: no fused multiply-add, no fast-math.

include(CheckCCompilerFlag)

set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG" CACHE STRING "Flags of a release build")

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
    set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
    set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# gcc's vectoriser joins a multiplication with an alternating addition and subtraction into one fused instruction even
# with -ffp-contract=off, where the caller's flags (-march=native) allow such instructions. Speed comes from the kernels,
# so it is turned off there.
include(CheckCSourceCompiles)
check_c_source_compiles("
#ifndef __FMA__
#error
#endif
int main(void) { return 0; }" FUREAI_FLAGS_ALLOW_FMA)
set(FUREAI_UNFUSED -ffp-contract=off)
if(FUREAI_FLAGS_ALLOW_FMA AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND FUREAI_UNFUSED -fno-tree-vectorize)
endif()

# Which instruction sets the kernels are compiled for.
set(FUREAI_KERNEL_SETS baseline)
if(FUREAI_AVX2 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
    check_c_compiler_flag("-mavx2 -mno-fma" FUREAI_COMPILER_HAS_AVX2)
    if(FUREAI_COMPILER_HAS_AVX2)
        list(APPEND FUREAI_KERNEL_SETS avx2)
    endif()
endif()

# Language, warnings, sanitizers: for every target of ours.
function(fr_flags target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17
        C_STANDARD_REQUIRED ON
        C_EXTENSIONS OFF
        C_VISIBILITY_PRESET hidden
        LINKER_LANGUAGE C) # what an adapter in C++ needs, its library names
    target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    target_compile_options(${target} PRIVATE ${FUREAI_UNFUSED} -Wall -Wextra -Wpointer-arith -Wshadow -Wconversion)
    if(FUREAI_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(FUREAI_SANITIZE)
        set(sanitize -fsanitize=${FUREAI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C>:${sanitize}>" -g1)
        target_link_options(${target} PRIVATE ${sanitize})
    endif()
    if(FUREAI_FUZZ)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-fsanitize=fuzzer-no-link>)
    endif()
endfunction()

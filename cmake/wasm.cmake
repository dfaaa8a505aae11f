# Cross-compiles to WebAssembly with Debian's emscripten; tests run under Node.js.
find_program(FUREAI_EMCC emcc)
if(NOT FUREAI_EMCC)
    message(FATAL_ERROR "emcc not found: sudo apt-get install emscripten")
endif()
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT root)
    set(root /usr/share/emscripten)
endif()
include("${root}/cmake/Modules/Platform/Emscripten.cmake")

# The linker runs programs of Node.js that need modules of Debian's, which a Node.js from elsewhere does not look for.
set(CMAKE_C_LINKER_LAUNCHER env NODE_PATH=/usr/share/nodejs)

# Kernels are compiled once, for the 128-bit registers that every current browser has.
set(CMAKE_C_FLAGS_INIT "-msimd128")

# Straight code is not vectorised (SLP): with that of clang 14 for WebAssembly walking bodies had other bits. A level of
# optimisation that stands behind the option turns it on again.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG -fno-slp-vectorize" CACHE STRING "Flags of a release build")

set(CMAKE_EXE_LINKER_FLAGS_INIT "-sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=4194304")

# Tests and benchmarks are programs of Node.js, whose fetch from 18 on cannot read files.
set(FUREAI_PROGRAM_LINK_OPTIONS -sENVIRONMENT=node -sEXIT_RUNTIME=1 -sNODERAWFS=1)
find_program(FUREAI_WASM_NODE NAMES node nodejs)
set(CMAKE_CROSSCOMPILING_EMULATOR "${FUREAI_WASM_NODE};--no-experimental-fetch")

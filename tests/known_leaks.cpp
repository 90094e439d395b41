// Memory that libraries keep for themselves, so that the address sanitizer reports only ours.
// Compiled into the program and every test binary when it is on.

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __asan_default_options();
extern "C" int dlclose(void* library) noexcept;

const char* __lsan_default_suppressions() {
    return "leak:libfontconfig.so\n"     // its configuration, once a process
           "leak:cairo_surface_finish\n" // Cairo 1.16: tables of an embedded OpenType font
           "leak:swrast_dri.so\n"        // Mesa's drivers, by their names before 24 and since
           "leak:libgallium\n"
           "leak:libLLVM\n";
}

/// The libraries are compiled without frame pointers: the quick way to walk a stack sees one frame
/// of them, which for Cairo is not enough. With the thorough way Mesa's compiler locks up: it
/// allocates while it holds the lock that the walk needs.
const char* __asan_default_options() {
#ifdef HEED_DRAWS_WITH_GL
    return "print_suppressions=0";
#else
    return "fast_unwind_on_malloc=0:print_suppressions=0";
#endif
}

/// A driver stays where it is: a leak in one that has gone has no name.
int dlclose(void*) noexcept { return 0; }

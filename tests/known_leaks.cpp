// Memory that libraries keep for themselves, so that the address sanitizer reports only ours.
// Compiled into every test binary when it is on.

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __asan_default_options();

const char* __lsan_default_suppressions() {
    return "leak:libfontconfig.so\n"      // its configuration, once a process
           "leak:cairo_surface_finish\n"; // Cairo 1.16: tables of an embedded OpenType font
}

/// The libraries are compiled without frame pointers: the quick way to walk a stack sees one frame
/// of them, and no suppression would match.
const char* __asan_default_options() { return "fast_unwind_on_malloc=0:print_suppressions=0"; }

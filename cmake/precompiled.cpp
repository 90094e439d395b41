// A precompiled header belongs to some target; this is its only file.

/* Monotonic wall-clock time in seconds. */
#ifndef PAIDIA_NOW_H
#define PAIDIA_NOW_H
#ifdef _WIN32
#include <windows.h>
static double paidia_now(void) {
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}
#else
#include <time.h>
static double paidia_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#endif
#endif

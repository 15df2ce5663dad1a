/* Bit instructions under names that every compiler knows. */
#ifndef PAIDIA_BITS_H
#define PAIDIA_BITS_H
#include <stdint.h>
#ifdef _MSC_VER
#include <intrin.h>
static __inline int paidia_popcount(uint64_t x) { return (int)__popcnt64(x); }
static __inline int paidia_lowest(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
#else
#define paidia_popcount(x) __builtin_popcountll(x)
#define paidia_lowest(x) __builtin_ctzll(x)
#endif
#endif

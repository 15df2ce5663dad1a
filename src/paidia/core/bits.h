/* Bit instructions under names that every compiler knows. */
#ifndef PAIDIA_BITS_H
#define PAIDIA_BITS_H
#include <stdint.h>
#ifdef _MSC_VER
#include <intrin.h>
static __inline int paidia_popcount(uint64_t x) { return (int)__popcnt64(x); }
static __inline int paidia_lowest(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
#define PAIDIA_INLINE static __inline
#else
#define paidia_popcount(x) __builtin_popcountll(x)
#define paidia_lowest(x) __builtin_ctzll(x)
#define PAIDIA_INLINE static inline
#endif

/* The n-th set bit of x, counted from 0, as a word with that bit alone; x must have more than n bits.
   Finds the byte by the running sums of the bytes' bit counts, then halves it three times; no branch to mispredict. */
PAIDIA_INLINE uint64_t paidia_nth_portable(uint64_t x, uint64_t n) {
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    uint64_t sums = x - ((x >> 1) & 0x5555555555555555ULL), part, skip;
    int place;
    sums = (sums & 0x3333333333333333ULL) + ((sums >> 2) & 0x3333333333333333ULL);
    sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * ones;      /* byte i: bits set in bytes 0..i */
    place = 8 * paidia_popcount((((n * ones) | tops) - sums) & tops);  /* bytes that end before the n-th bit */
    n -= ((sums << 8) >> place) & 0xFF;
    part = (x >> place) & 0xFF;
    skip = paidia_popcount(part & 0xF);
    if (n >= skip) { n -= skip; place += 4; part >>= 4; }
    skip = paidia_popcount(part & 0x3);
    if (n >= skip) { n -= skip; place += 2; part >>= 2; }
    skip = part & 1;
    if (n >= skip) place += 1;
    return (uint64_t)1 << place;
}

/* The same by one instruction where the processor has a quick one (BMI2; on AMD before Zen 3 it exists but crawls).
   Written as assembly so that what we ship still starts on processors without it. */
#if defined(__x86_64__) && defined(__GNUC__)
static int paidia_has_pdep;
__attribute__((constructor)) static void paidia_look_for_pdep(void) {
    __builtin_cpu_init();
    paidia_has_pdep = __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("amdfam17h");
}
PAIDIA_INLINE uint64_t paidia_nth_bit(uint64_t x, uint64_t n) {
    if (paidia_has_pdep) {
        uint64_t bit;
        __asm__("pdepq %2, %1, %0" : "=r"(bit) : "r"((uint64_t)1 << n), "rm"(x));
        return bit;
    }
    return paidia_nth_portable(x, n);
}
#else
#define paidia_nth_bit(x, n) paidia_nth_portable(x, n)
#endif
#endif

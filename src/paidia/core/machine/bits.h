/* Bit instructions under names that every compiler knows. */
#ifndef PAIDIA_BITS_H
#define PAIDIA_BITS_H
#include <stdint.h>
#ifdef _MSC_VER
#include <intrin.h>
static __inline int paidia_popcount(uint64_t x) { return (int)__popcnt64(x); }
static __inline int paidia_lowest(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
#define paidia_prefetch(address) ((void)(address))
#else
#define paidia_popcount(x) __builtin_popcountll(x)
#define paidia_lowest(x) __builtin_ctzll(x)
#define paidia_prefetch(address) __builtin_prefetch(address)
#endif

/* Index of the n-th set bit (from 0) of x; playouts pick moves with it. Where the processor deposits bits quickly, that is
   two instructions, chosen at run time; elsewhere byte-wise prefix counts find the byte and a table the bit in it, without
   a branch to mispredict. Both give the same index. */
#ifdef _MSC_VER
static __inline int paidia_nth(uint64_t x, int n) {
    while (n-- > 0) x &= x - 1;
    return paidia_lowest(x);
}
#else
static uint8_t paidia_select_in_byte[8][256];
static int paidia_has_pdep = 0;

__attribute__((constructor)) static void paidia_prepare_nth(void) {
    for (int byte = 0; byte < 256; byte++)
        for (int bit = 0, rank = 0; bit < 8; bit++)
            if (byte >> bit & 1) paidia_select_in_byte[rank++][byte] = (uint8_t)bit;
#ifdef __x86_64__
    __builtin_cpu_init();   /* the first two Zen generations have pdep in slow microcode */
    paidia_has_pdep = __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
#endif
}

static inline int paidia_nth(uint64_t x, int n) {
#ifdef __x86_64__
    if (paidia_has_pdep) {
        uint64_t bit;
        __asm__("pdep %2, %1, %0" : "=r"(bit) : "r"(1ULL << n), "r"(x));
        return paidia_lowest(bit);
    }
#endif
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    uint64_t sums = x - ((x >> 1) & 0x5555555555555555ULL);
    sums = (sums & 0x3333333333333333ULL) + ((sums >> 2) & 0x3333333333333333ULL);
    sums = ((sums + (sums >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * ones;
    const uint64_t passed = (((uint64_t)n * ones | tops) - sums) & tops;   /* bytes that end at or before the n-th */
    const int shift = paidia_popcount(passed) * 8;
    const int rank = n - (int)((sums << 8) >> shift & 0xFF);
    return shift + paidia_select_in_byte[rank][(x >> shift) & 0xFF];
}
#endif
#endif

/* exp and log from additions, multiplications and one division only. The C library's own differ in the last bit between machines
   (with and without fused multiply-add) and between versions; a search that must give the same moves everywhere cannot use them. Both
   are within two units of the last place. */
#ifndef PAIDIA_MATHS_H
#define PAIDIA_MATHS_H
#include <stdint.h>
#include <string.h>

/* x = k * ln 2 + r with |r| <= ln 2 / 2; Taylor's series of degree 13 for exp(r). Arguments beyond +-700 are cut off there. */
static inline double paidia_exp(double x) {
    const double shifter = 6755399441055744.0;     /* 1.5 * 2^52: adding it rounds to an integer */
    x = x < -700.0 ? -700.0 : x > 700.0 ? 700.0 : x;
    double k = x * 1.4426950408889634 + shifter;
    int64_t bits;
    memcpy(&bits, &k, sizeof bits);
    k -= shifter;
    const double r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    bits = (int64_t)((uint64_t)bits << 52) + 0x3FF0000000000000LL;    /* 2^k */
    double power;
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

/* x = m * 2^k with m in [sqrt(1/2), sqrt 2); log m = 2 artanh((m - 1) / (m + 1)) as a series. x must be positive and normal. */
static inline double paidia_log(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int k = (int)(bits >> 52) - 1023;
    bits = (bits & 0x000FFFFFFFFFFFFFULL) | 0x3FF0000000000000ULL;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        k += 1;
    }
    const double s = (m - 1.0) / (m + 1.0), z = s * s;
    double p = 1.0 / 21.0;
    p = p * z + 1.0 / 19.0;
    p = p * z + 1.0 / 17.0;
    p = p * z + 1.0 / 15.0;
    p = p * z + 1.0 / 13.0;
    p = p * z + 1.0 / 11.0;
    p = p * z + 1.0 / 9.0;
    p = p * z + 1.0 / 7.0;
    p = p * z + 1.0 / 5.0;
    p = p * z + 1.0 / 3.0;
    return k * 0.693147180369123816490 + (2.0 * s + (2.0 * s * z * p + k * 1.90821492927058770002e-10));
}

/* Selection needs ln n, sqrt(ln n), 1 / n and 1 / sqrt n for numbers of visits, mostly small ones: those are looked up. The
   tables hold exactly what the functions would compute. */
#include <math.h>
#define PAIDIA_COUNTED 4096
#define PAIDIA_LOGS 65536
static double paidia_logs[PAIDIA_LOGS], paidia_root_logs[PAIDIA_COUNTED];
static struct { double one, root; } paidia_inverses[PAIDIA_COUNTED];    /* whoever wants one mostly wants the other */

static inline void paidia_prepare_counts(void) {
    paidia_logs[0] = 0.0;
    for (int n = 1; n < PAIDIA_LOGS; n++) paidia_logs[n] = paidia_log((double)n);
    for (int n = 1; n < PAIDIA_COUNTED; n++) {
        paidia_inverses[n].one = 1.0 / (double)n;
        paidia_inverses[n].root = 1.0 / sqrt((double)n);
        paidia_root_logs[n] = sqrt(paidia_logs[n]);
    }
}

static inline double paidia_log_count(int32_t n) { return n < PAIDIA_LOGS ? paidia_logs[n] : paidia_log((double)n); }
static inline double paidia_inverse_root(int32_t n) {
    return n < PAIDIA_COUNTED ? paidia_inverses[n].root : 1.0 / sqrt((double)n);
}
static inline double paidia_bound(double sum, double scale, int32_t n) {
    if (n < PAIDIA_COUNTED) return sum * paidia_inverses[n].one + scale * paidia_inverses[n].root;
    return sum * (1.0 / (double)n) + scale * (1.0 / sqrt((double)n));
}
static inline double paidia_root_log_count(int32_t n) {
    return n < PAIDIA_COUNTED ? paidia_root_logs[n] : sqrt(paidia_log_count(n));
}
#endif

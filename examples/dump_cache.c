/* Writes the cosines and sines that a C program computes as .npy files, for posproof to judge.
 *
 *   cc -O2 dump_cache.c -o dump_cache -lm && ./dump_cache
 *   posproof check rope --cos cos.npy --sin sin.npy --dim 64 --base 10000
 *
 * A CUDA kernel is dumped alike: copy its buffer to the host, and write that.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 2048, PAIRS = 32 };

static float cosines[ROWS][PAIRS], sines[ROWS][PAIRS];

/* The code under test. */
static void fill(void) {
    for (int position = 0; position < ROWS; position++) {
        for (int pair = 0; pair < PAIRS; pair++) {
            float frequency = powf(10000.0f, -(float)pair / PAIRS);
            cosines[position][pair] = cosf((float)position * frequency);
            sines[position][pair] = sinf((float)position * frequency);
        }
    }
}

/* An array of little-endian binary32 numbers in NumPy's format, version 1.0: a header of 128 bytes, and the numbers. */
static int write_npy(const char *name, const void *entries, int rows, int columns) {
    char header[128];
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    uint16_t length = sizeof header - 10;
    header[8] = (char)(length & 0xff);
    header[9] = (char)(length >> 8);
    int used = snprintf(header + 10, sizeof header - 10, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns);
    header[10 + used] = ' ';
    header[sizeof header - 1] = '\n';
    FILE *file = fopen(name, "wb");
    if (!file) return 0;
    size_t count = (size_t)rows * (size_t)columns;
    int whole = fwrite(header, sizeof header, 1, file) == 1 && fwrite(entries, sizeof(float), count, file) == count;
    return fclose(file) == 0 && whole;
}

int main(void) {
    fill();
    if (!write_npy("cos.npy", cosines, ROWS, PAIRS) || !write_npy("sin.npy", sines, ROWS, PAIRS)) {
        perror("cos.npy, sin.npy");
        return 1;
    }
    return 0;
}

/* Prints vertices as PFOBJ with snprintf("%.6f"). The baseline of `cargo xtask bench` for writing.
 *
 *     cc -O2 -o pfobj_write pfobj_write.c && ./pfobj_write FILE [RUNS] > OUT
 *
 * FILE holds 32-bit floats, little-endian, eight per vertex: position, texture coordinate, normal. Every vertex is printed with one
 * full weight on joint 0 and material 0. The best run's seconds go to stderr; the text of one run goes to stdout, so that another
 * writer's text can be compared with it byte for byte.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LONGEST_VERTEX 1024

static size_t print(const float *values, size_t vertices, char *out) {
    char *at = out;
    for (size_t i = 0; i < vertices; i++, values += 8) {
        at += snprintf(at, LONGEST_VERTEX, "v %.6f %.6f %.6f\n", values[0], values[1], values[2]);
        at += snprintf(at, LONGEST_VERTEX, "vt %.6f %.6f\n", values[3], values[4]);
        at += snprintf(at, LONGEST_VERTEX, "vn %.6f %.6f %.6f\n", values[5], values[6], values[7]);
        at += snprintf(at, LONGEST_VERTEX, "vw  %d/%.6f\n", 0, 1.0);
        at += snprintf(at, LONGEST_VERTEX, "vm %d\n", 0);
    }
    return (size_t)(at - out);
}

int main(int count, char **arguments) {
    if (count < 2) {
        fprintf(stderr, "usage: pfobj_write FILE [RUNS]\n");
        return 2;
    }
    int runs = count > 2 ? atoi(arguments[2]) : 1;
    FILE *file = fopen(arguments[1], "rb");
    if (!file) {
        perror(arguments[1]);
        return 1;
    }
    fseek(file, 0, SEEK_END);
    size_t bytes = (size_t)ftell(file), vertices = bytes / 32;
    rewind(file);
    float *values = malloc(bytes);
    if (fread(values, 1, bytes, file) != bytes)
        return 1;
    fclose(file);

    char *out = malloc(vertices * LONGEST_VERTEX / 2 + 8 * LONGEST_VERTEX);
    /* Touched once, so that no run includes the cost of page faults. */
    memset(out, 0, vertices * LONGEST_VERTEX / 2);
    size_t length = 0;
    double best = 1e9;
    for (int i = 0; i < runs; i++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        length = print(values, vertices, out);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        if (seconds < best)
            best = seconds;
    }
    fprintf(stderr, "%.6f\n", best);
    fwrite(out, 1, length, stdout);
    return 0;
}

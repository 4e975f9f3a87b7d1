/* Shared by the readers with an fscanf loop: opening files, reporting errors, growing arrays, and the clock. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static FILE *file;

static void want(int found, int expected, const char *what) {
    if (found != expected) {
        fprintf(stderr, "cannot read %s near byte %ld\n", what, ftell(file));
        exit(1);
    }
}

static inline void *room(size_t count, size_t size) {
    void *memory = malloc(count * size + 1);
    if (!memory) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
    return memory;
}

/* An array of items with a fixed number of floats each, which doubles when it is full. */
struct list {
    float *values;
    size_t count, space;
    int each;
};

static inline float *push(struct list *list) {
    if (list->count == list->space) {
        list->space = list->space ? list->space * 2 : 64;
        list->values = realloc(list->values, list->space * (size_t)list->each * sizeof(float));
        if (!list->values)
            exit(1);
    }
    return list->values + list->count++ * (size_t)list->each;
}

static inline double total(const float *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* The sum over everything that was read, for comparing two readers. */
static double read_model(void);

int main(int count, char **arguments) {
    if (count < 2 || !(file = fopen(arguments[1], "r"))) {
        fprintf(stderr, "usage: %s FILE\n", arguments[0]);
        return 2;
    }
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    double sum = read_model();
    clock_gettime(CLOCK_MONOTONIC, &end);
    fclose(file);
    printf("%.6f\nsum %.6f\n", (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec), sum);
    return 0;
}

/* Reads an AMO file of the counted dialect with fscanf, and prints how long it took. The baseline of
 * `cargo xtask bench` for reading.
 *
 *     cc -O2 -o amo_counted_read amo_counted_read.c && ./amo_counted_read FILE
 *
 * The arrays are allocated from the file's counts. Corners have all five indices; equal corners are not merged, and
 * nothing is checked beyond what fscanf checks.
 */
#include "fscanf.h"

static double sum;

static int read_count(const char *word) {
    int count;
    want(fscanf(file, "%d", &count), 1, word);
    return count;
}

static void read_floats(int count, int each) {
    float *values = room((size_t)count * (size_t)each, sizeof *values);
    for (int i = 0; i < count; i++) {
        float *v = values + (size_t)i * (size_t)each;
        for (int k = 0; k < each; k++)
            want(fscanf(file, "%f", &v[k]), 1, "a number");
        sum += total(v, each);
    }
}

static void read_wholes(int count, int each) {
    int *values = room((size_t)count * (size_t)each, sizeof *values);
    for (int i = 0; i < count * each; i++) {
        want(fscanf(file, "%d", &values[i]), 1, "a whole number");
        sum += values[i];
    }
}

static void read_joints(int count) {
    char name[128];
    int parent;
    float matrix[16];
    for (int i = 0; i < count; i++) {
        want(fscanf(file, " %127s %d", name, &parent), 2, "a joint");
        for (int k = 0; k < 16; k++)
            want(fscanf(file, "%f", &matrix[k]), 1, "a matrix");
    }
}

static void read_clips(int count) {
    struct pose {
        int joint;
        float values[7];
    };
    char name[128];
    float duration, progress;
    int keys, joints;
    for (int i = 0; i < count; i++) {
        want(fscanf(file, " an %127s %f %d", name, &duration, &keys), 3, "a clip");
        for (int k = 0; k < keys; k++) {
            want(fscanf(file, " k %f %d", &progress, &joints), 2, "a key");
            struct pose *poses = room((size_t)joints, sizeof *poses);
            for (int j = 0; j < joints; j++) {
                float *v = poses[j].values;
                want(fscanf(file, "%d %f %f %f %f %f %f %f", &poses[j].joint, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6]),
                     8, "a joint of a key");
                sum += poses[j].joint + total(v, 7);
            }
        }
    }
}

static double read_model(void) {
    char word[64];
    while (fscanf(file, " %63s", word) == 1) {
        if (!strcmp(word, "v") || !strcmp(word, "vn"))
            read_floats(read_count(word), 3);
        else if (!strcmp(word, "vt"))
            read_floats(read_count(word), 2);
        else if (!strcmp(word, "vw"))
            read_floats(read_count(word), 4);
        else if (!strcmp(word, "vj"))
            read_wholes(read_count(word), 4);
        else if (!strcmp(word, "f"))
            read_wholes(read_count(word), 15);
        else if (!strcmp(word, "j"))
            read_joints(read_count(word));
        else if (!strcmp(word, "a"))
            read_clips(read_count(word));
        else if (!strcmp(word, "end"))
            break;
        else
            want(fscanf(file, "%*[^\n]"), 0, word);
    }
    return sum;
}

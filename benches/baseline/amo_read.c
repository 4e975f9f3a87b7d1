/* Reads an AMO file of the dialects with a keyword on every line with fscanf, and prints how long it took. The baseline of
 * `cargo xtask bench` for reading.
 *
 *     cc -O2 -o amo_read amo_read.c && ./amo_read FILE
 *
 * Arrays grow. Faces are triangles with all five indices; equal corners are not merged, and nothing is checked beyond
 * what fscanf checks.
 */
#include "fscanf.h"

static double read_model(void) {
    struct list positions = {.each = 3}, uvs = {.each = 2}, normals = {.each = 3}, joints = {.each = 4};
    struct list weights = {.each = 4}, faces = {.each = 15}, moves = {.each = 5}, turns = {.each = 6};
    char word[64], name[128];
    int parent, joint;
    double sum = 0;
    while (fscanf(file, " %63s", word) == 1) {
        float *v;
        if (!strcmp(word, "v")) {
            v = push(&positions);
            want(fscanf(file, "%f %f %f", &v[0], &v[1], &v[2]), 3, word);
            sum += total(v, 3);
        } else if (!strcmp(word, "vt")) {
            v = push(&uvs);
            want(fscanf(file, "%f %f", &v[0], &v[1]), 2, word);
            sum += total(v, 2);
        } else if (!strcmp(word, "vn")) {
            v = push(&normals);
            want(fscanf(file, "%f %f %f", &v[0], &v[1], &v[2]), 3, word);
            sum += total(v, 3);
        } else if (!strcmp(word, "vj")) {
            int *j = (int *)push(&joints);
            want(fscanf(file, "%d %d %d %d", &j[0], &j[1], &j[2], &j[3]), 4, word);
            sum += j[0] + j[1] + j[2] + j[3];
        } else if (!strcmp(word, "vw")) {
            v = push(&weights);
            want(fscanf(file, "%f %f %f %f", &v[0], &v[1], &v[2], &v[3]), 4, word);
            sum += total(v, 4);
        } else if (!strcmp(word, "f")) {
            int *c = (int *)push(&faces);
            for (int k = 0; k < 3; k++, c += 5) {
                want(fscanf(file, "%d/%d/%d/%d/%d", &c[0], &c[1], &c[2], &c[3], &c[4]), 5, word);
                sum += c[0] + c[1] + c[2] + c[3] + c[4];
            }
        } else if (!strcmp(word, "ap")) {
            v = push(&moves);
            want(fscanf(file, "%f %d %f %f %f", &v[0], &joint, &v[2], &v[3], &v[4]), 5, word);
            v[1] = (float)joint;
            sum += total(v, 5);
        } else if (!strcmp(word, "ar")) {
            v = push(&turns);
            want(fscanf(file, "%f %d %f %f %f %f", &v[0], &joint, &v[2], &v[3], &v[4], &v[5]), 6, word);
            v[1] = (float)joint;
            sum += total(v, 6);
        } else if (!strcmp(word, "j")) {
            want(fscanf(file, " %127s %d", name, &parent), 2, word);
        } else if (!strcmp(word, "ao") || !strcmp(word, "o") || !strcmp(word, "t") || !strcmp(word, "a") || word[0] == '#') {
            want(fscanf(file, "%*[^\n]"), 0, word);
        } else {
            want(0, 1, word);
        }
    }
    return sum;
}

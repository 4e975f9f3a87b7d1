/* Reads a QMSH TMP file (version 10, one mesh or more, an armature) with fscanf, and prints how long it took. The baseline
 * of `cargo xtask bench` for reading.
 *
 *     cc -O2 -o qmsh_tmp_read qmsh_tmp_read.c && ./qmsh_tmp_read FILE
 *
 * Arrays are allocated from the file's counts, or grow where it has none; nothing is checked beyond what fscanf checks,
 * and comments and escapes are not supported.
 */
#include "fscanf.h"

static double sum;

static void read_word(const char *word) {
    char found[64];
    want(fscanf(file, " %63s", found), 1, word);
    want(strcmp(found, word), 0, word);
}

static void read_string(char *text) {
    text[0] = 0;
    want(fscanf(file, " \"%127[^\"]", text) >= 0, 1, "a string");
    want(fgetc(file), '"', "a string");
}

/* Whether a block in braces ends here. */
static int block_ends(void) {
    char next;
    want(fscanf(file, " %c", &next), 1, "a block");
    if (next == '}')
        return 1;
    ungetc(next, file);
    return 0;
}

static int read_count(const char *name) {
    int count;
    read_word(name);
    want(fscanf(file, "%d {", &count), 1, name);
    return count;
}

static void end_block(void) {
    want(block_ends(), 1, "the end of a block");
}

static void skip_numbers(int count) {
    float value;
    for (int i = 0; i < count; i++) {
        want(fscanf(file, "%f", &value), 1, "a number");
        int next = fgetc(file);
        if (next != ',' && next != ';')
            ungetc(next, file);
    }
}

static void read_mesh(void) {
    char text[128];
    read_string(text);
    want(fscanf(file, " {"), 0, "a mesh");
    skip_numbers(9);
    read_string(text);
    read_string(text);
    skip_numbers(1);
    int count = read_count("materials");
    for (int i = 0; i < count; i++)
        read_string(text);
    end_block();

    count = read_count("vertices");
    float(*positions)[3] = room((size_t)count, sizeof *positions);
    for (int i = 0; i < count; i++) {
        float *p = positions[i];
        want(fscanf(file, "%f,%f,%f", &p[0], &p[1], &p[2]), 3, "a vertex");
        sum += total(p, 3);
    }
    end_block();

    count = read_count("faces");
    int(*heads)[3] = room((size_t)count, sizeof *heads);
    struct corner {
        int vertex;
        float uv[2];
    } *corners = room((size_t)count * 4, sizeof *corners), *corner = corners;
    for (int i = 0; i < count; i++) {
        int *head = heads[i];
        want(fscanf(file, "%d %d %d", &head[0], &head[1], &head[2]), 3, "a face");
        for (int k = 0; k < head[0]; k++, corner++) {
            want(fscanf(file, "%d %f,%f", &corner->vertex, &corner->uv[0], &corner->uv[1]), 3, "a corner");
            sum += corner->vertex + total(corner->uv, 2);
        }
    }
    end_block();

    read_word("vertex_groups");
    want(fscanf(file, " {"), 0, "groups");
    while (!block_ends()) {
        read_string(text);
        want(fscanf(file, " {"), 0, "a group");
        struct list weights = {.each = 2};
        while (!block_ends()) {
            int vertex;
            float *pair = push(&weights);
            want(fscanf(file, "%d %f", &vertex, &pair[1]), 2, "a weight");
            memcpy(pair, &vertex, sizeof vertex);
            sum += vertex + (double)pair[1];
        }
    }
    end_block();
}

static void read_armature(void) {
    char text[128];
    read_string(text);
    want(fscanf(file, " {"), 0, "an armature");
    skip_numbers(11);
    while (!block_ends()) {
        read_word("bone");
        read_string(text);
        want(fscanf(file, " {"), 0, "a bone");
        read_string(text);
        read_word("head");
        skip_numbers(7);
        read_word("tail");
        skip_numbers(7 + 4 + 9 + 16);
        end_block();
    }
}

static double read_model(void) {
    char text[128], extend[64];
    want(fscanf(file, "QMSH TMP 10 objects {"), 0, "the header");
    while (!block_ends()) {
        want(fscanf(file, " %63s", text), 1, "an object");
        if (!strcmp(text, "mesh"))
            read_mesh();
        else
            read_armature();
    }
    read_word("actions");
    want(fscanf(file, " {"), 0, "actions");
    while (!block_ends()) {
        read_string(text);
        want(fscanf(file, " {"), 0, "an action");
        while (!block_ends()) {
            read_string(text);
            want(fscanf(file, " {"), 0, "a bone's curves");
            while (!block_ends()) {
                read_string(text);
                want(fscanf(file, " %63s %63s {", text, extend), 2, "a curve");
                struct list keys = {.each = 2};
                while (!block_ends()) {
                    float *key = push(&keys);
                    want(fscanf(file, "%f,%f", &key[0], &key[1]), 2, "a key");
                    sum += total(key, 2);
                }
            }
        }
    }
    return sum;
}

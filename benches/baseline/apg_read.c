/* Reads an APG text file the way its author suggests, with fscanf, and prints how long it took. The baseline of
 * `cargo xtask bench` for reading.
 *
 *     cc -O2 -o apg_read apg_read.c && ./apg_read FILE
 *
 * The arrays are allocated from the file's counts, and nothing is checked beyond what fscanf checks.
 */
#include "fscanf.h"

static double sum;
static int vertices;

static void read_rows(int count, int comps) {
    float *rows = room((size_t)count * (size_t)comps, sizeof *rows);
    for (int i = 0; i < count; i++) {
        float *row = rows + (size_t)i * (size_t)comps;
        if (comps == 3)
            want(fscanf(file, "%f %f %f", &row[0], &row[1], &row[2]), 3, "a row");
        else if (comps == 2)
            want(fscanf(file, "%f %f", &row[0], &row[1]), 2, "a row");
        else if (comps == 4)
            want(fscanf(file, "%f %f %f %f", &row[0], &row[1], &row[2], &row[3]), 4, "a row");
        else
            for (int k = 0; k < comps; k++)
                want(fscanf(file, "%f", &row[k]), 1, "a number");
        sum += total(row, comps);
    }
}

static void read_bones(int comps) {
    int *bones = room((size_t)vertices * (size_t)comps, sizeof *bones);
    for (int i = 0; i < vertices * comps; i++) {
        want(fscanf(file, "%d", &bones[i]), 1, "a bone");
        sum += bones[i];
    }
}

static void read_keys(int comps) {
    int node, count;
    want(fscanf(file, " node %d count %d comps %*d", &node, &count), 2, "keys");
    float *times = room((size_t)count, sizeof *times), *values = room((size_t)count * (size_t)comps, sizeof *values);
    for (int i = 0; i < count; i++) {
        float *v = values + (size_t)i * (size_t)comps;
        if (comps == 4)
            want(fscanf(file, " t %f ROT %f %f %f %f", &times[i], &v[0], &v[1], &v[2], &v[3]), 5, "a key");
        else
            want(fscanf(file, " t %f %*s %f %f %f", &times[i], &v[0], &v[1], &v[2]), 4, "a key");
        sum += times[i] + total(v, comps);
    }
}

static double read_model(void) {
    char tag[64], name[64];
    int bones = 0, clips, comps, nodes;
    float seconds, radius;
    want(fscanf(file, "@Anton's%*[^\n]"), 0, "the header");
    while (fscanf(file, " %63s", tag) == 1) {
        if (!strcmp(tag, "@vert_count"))
            want(fscanf(file, "%d", &vertices), 1, "a count");
        else if (!strcmp(tag, "@vb"))
            want(fscanf(file, " comps %d", &comps), 1, "comps"), read_bones(comps);
        else if (!strncmp(tag, "@v", 2))
            want(fscanf(file, " comps %d", &comps), 1, "comps"), read_rows(vertices, comps);
        else if (!strcmp(tag, "@skeleton"))
            want(fscanf(file, " bones %d animations %d", &bones, &clips), 2, "the skeleton");
        else if (!strcmp(tag, "@root_transform"))
            want(fscanf(file, " comps %d", &comps), 1, "comps"), read_rows(1, comps);
        else if (!strcmp(tag, "@offset_mat"))
            want(fscanf(file, " comps %d", &comps), 1, "comps"), read_rows(bones, comps);
        else if (!strcmp(tag, "@hierarchy")) {
            want(fscanf(file, " nodes %d", &nodes), 1, "nodes");
            for (int i = 0, parent, bone; i < nodes; i++)
                want(fscanf(file, " parent %d bone_id %d", &parent, &bone), 2, "a node");
        } else if (!strcmp(tag, "@animation"))
            want(fscanf(file, " name %63s duration %f", name, &seconds), 2, "an animation");
        else if (!strcmp(tag, "@tra_keys") || !strcmp(tag, "@sca_keys"))
            read_keys(3);
        else if (!strcmp(tag, "@rot_keys"))
            read_keys(4);
        else if (!strcmp(tag, "@bounding_radius"))
            want(fscanf(file, "%f", &radius), 1, "the radius");
        else
            want(0, 1, tag);
    }
    return sum;
}

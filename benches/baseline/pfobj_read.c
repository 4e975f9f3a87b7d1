/* Reads a PFOBJ file the way engines do, with fgets and sscanf, and prints how long it took. The baseline of
 * `cargo xtask bench` for reading.
 *
 *     cc -O2 -o pfobj_read pfobj_read.c && ./pfobj_read FILE [RUNS]
 *
 * The file is read from the disk cache. The arrays are allocated from the header's counts, as the format intends, and
 * nothing is checked beyond what sscanf checks. Prints the seconds of the best run, and a sum over all values, which keeps the
 * compiler from skipping work and allows comparing two readers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_LINE 1024
#define MAX_WEIGHTS 6
#define MAX_CLIPS 64

struct vertex {
    float position[3], uv[2], normal[3];
    int joints[MAX_WEIGHTS];
    float weights[MAX_WEIGHTS];
    int weight_count, material;
};

struct transform {
    float scale[3], rotation[4], translation[3];
};

struct material {
    char name[64], texture[64];
    float ambient, diffuse[3], specular[3];
};

struct joint {
    int parent;
    char name[64];
    struct transform bind;
    float tip[3];
};

static char line[MAX_LINE];

static void next(FILE *file) {
    if (!fgets(line, sizeof line, file)) {
        fprintf(stderr, "the file ends too early\n");
        exit(1);
    }
}

static void want(int found, int expected) {
    if (found != expected) {
        fprintf(stderr, "cannot read: %s", line);
        exit(1);
    }
}

static void read_weights(struct vertex *v) {
    char *save = NULL;
    v->weight_count = 0;
    for (char *pair = strtok_r(line + 2, " \t\n", &save); pair; pair = strtok_r(NULL, " \t\n", &save)) {
        if (v->weight_count == MAX_WEIGHTS)
            break;
        int i = v->weight_count++;
        want(sscanf(pair, "%d/%f", &v->joints[i], &v->weights[i]), 2);
    }
}

static void read_vertex(FILE *file, struct vertex *v) {
    next(file);
    want(sscanf(line, "v %f %f %f", &v->position[0], &v->position[1], &v->position[2]), 3);
    next(file);
    want(sscanf(line, "vt %f %f", &v->uv[0], &v->uv[1]), 2);
    next(file);
    want(sscanf(line, "vn %f %f %f", &v->normal[0], &v->normal[1], &v->normal[2]), 3);
    next(file);
    read_weights(v);
    next(file);
    want(sscanf(line, "vm %d", &v->material), 1);
}

static void read_bounds(FILE *file, float *bounds) {
    next(file);
    want(sscanf(line, " x_bounds %f %f", &bounds[0], &bounds[1]), 2);
    next(file);
    want(sscanf(line, " y_bounds %f %f", &bounds[2], &bounds[3]), 2);
    next(file);
    want(sscanf(line, " z_bounds %f %f", &bounds[4], &bounds[5]), 2);
}

static double read_model(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    float version;
    int vertices, joints, materials, clips, collision, frame_counts[MAX_CLIPS];
    next(file), want(sscanf(line, "version %f", &version), 1);
    next(file), want(sscanf(line, "num_verts %d", &vertices), 1);
    next(file), want(sscanf(line, "num_joints %d", &joints), 1);
    next(file), want(sscanf(line, "num_materials %d", &materials), 1);
    next(file), want(sscanf(line, "num_as %d", &clips), 1);
    next(file);
    char *at = line + strlen("frame_counts");
    for (int i = 0; i < clips && i < MAX_CLIPS; i++)
        frame_counts[i] = (int)strtol(at, &at, 10);
    next(file), want(sscanf(line, "has_collision %d", &collision), 1);

    double sum = 0;
    struct vertex *v = malloc(sizeof *v * (size_t)vertices);
    for (int i = 0; i < vertices; i++) {
        read_vertex(file, &v[i]);
        sum += v[i].position[0] + v[i].uv[0] + v[i].normal[0] + v[i].material;
    }
    for (int i = 0; i < materials; i++) {
        struct material m;
        next(file), want(sscanf(line, "material %63s", m.name), 1);
        next(file), want(sscanf(line, " ambient %f", &m.ambient), 1);
        next(file), want(sscanf(line, " diffuse %f %f %f", &m.diffuse[0], &m.diffuse[1], &m.diffuse[2]), 3);
        next(file), want(sscanf(line, " specular %f %f %f", &m.specular[0], &m.specular[1], &m.specular[2]), 3);
        next(file), want(sscanf(line, " texture %63s", m.texture), 1);
        sum += m.ambient;
    }
    struct joint *j = malloc(sizeof *j * (size_t)(joints + 1));
    for (int i = 0; i < joints; i++) {
        struct transform *t = &j[i].bind;
        next(file);
        want(sscanf(line, "j %d %63s %f/%f/%f %f/%f/%f/%f %f/%f/%f %f/%f/%f", &j[i].parent, j[i].name, &t->scale[0],
                    &t->scale[1], &t->scale[2], &t->rotation[0], &t->rotation[1], &t->rotation[2], &t->rotation[3],
                    &t->translation[0], &t->translation[1], &t->translation[2], &j[i].tip[0], &j[i].tip[1],
                    &j[i].tip[2]),
             15);
        sum += t->translation[0];
    }
    for (int i = 0; i < clips && i < MAX_CLIPS; i++) {
        char name[64];
        int frames;
        next(file), want(sscanf(line, "as %63s %d", name, &frames), 2);
        if (frames != frame_counts[i])
            exit(1);
        struct transform *poses = malloc(sizeof *poses * (size_t)(frames * joints + 1));
        for (int f = 0; f < frames; f++) {
            for (int k = 0; k < joints; k++) {
                struct transform *t = &poses[f * joints + k];
                int index;
                next(file);
                want(sscanf(line, " %d %f/%f/%f %f/%f/%f/%f %f/%f/%f", &index, &t->scale[0], &t->scale[1], &t->scale[2],
                            &t->rotation[0], &t->rotation[1], &t->rotation[2], &t->rotation[3], &t->translation[0],
                            &t->translation[1], &t->translation[2]),
                     11);
                sum += t->translation[0];
            }
            if (collision) {
                float bounds[6];
                read_bounds(file, bounds);
            }
        }
        free(poses);
    }
    if (collision) {
        float bounds[6];
        read_bounds(file, bounds);
    }
    free(j);
    free(v);
    fclose(file);
    return sum;
}

int main(int count, char **arguments) {
    if (count < 2) {
        fprintf(stderr, "usage: pfobj_read FILE [RUNS]\n");
        return 2;
    }
    int runs = count > 2 ? atoi(arguments[2]) : 1;
    double best = 1e9, sum = 0;
    for (int i = 0; i < runs; i++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        sum = read_model(arguments[1]);
        clock_gettime(CLOCK_MONOTONIC, &end);
        double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        if (seconds < best)
            best = seconds;
    }
    printf("%.6f %.3f\n", best, sum);
    return 0;
}

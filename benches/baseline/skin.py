"""Skinning 100,000 vertices with four influences each, with numpy's einsum. Prints the fastest of N runs."""

import sys
import time

import numpy as np

VERTICES, JOINTS = 100_000, 64


def numbers(index):
    return (index * 2_654_435_761 % 1_000_003 / 1_000_003).astype(np.float32)


vertex = np.arange(VERTICES, dtype=np.int64)
positions = np.ones((VERTICES, 4), np.float32)
positions[:, :3] = numbers(3 * vertex[:, None] + np.arange(3))
weights = numbers(4 * vertex[:, None] + np.arange(4)) + np.float32(0.01)
weights /= weights.sum(1, keepdims=True)
joints = (vertex[:, None] * 7 + np.arange(4) * 13) % JOINTS
matrices = np.zeros((JOINTS, 4, 4), np.float32)
for j in range(JOINTS):
    s, c = np.sin(j * 0.1), np.cos(j * 0.1)
    matrices[j] = [[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1]]
    matrices[j, :3, 3] = positions[j, :3]

best = float("inf")
for _ in range(int(sys.argv[1])):
    start = time.perf_counter()
    skinned = np.einsum("vk,vkij,vj->vi", weights, matrices[joints], positions)
    best = min(best, time.perf_counter() - start)
print(f"seconds {best:.9f}")

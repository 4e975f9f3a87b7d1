"""Shape keys as morph targets."""

import ligament as lig
import numpy as np

from .. import resting


def has_shape_keys(item):
    keys = item.data.shape_keys
    return keys is not None and keys.use_relative and len(keys.key_blocks) > 1


def add(context, entry, out, source, parts, matrix, notes):
    """Adds the shape keys of an object to its mesh; `matrix` is the transform that was applied to its vertices."""
    item = entry.item
    if item.type != "MESH" or item.data.shape_keys is None:
        return
    keys = item.data.shape_keys
    if not has_shape_keys(item):
        if not keys.use_relative:
            notes.add("BL120", f"mesh {item.name!r}", "absolute shape keys are not exported")
        return
    blocks = list(keys.key_blocks)
    modified = any(m.show_viewport for m in item.modifiers)
    changes = _after_modifiers(context, item, blocks, source, notes) if modified else _plain(item, blocks)
    stored = resting.of(keys, len(blocks) - 1) if keys.animation_data is not None else None
    for number, (block, deltas) in enumerate(zip(blocks[1:], changes)):
        if deltas is None:
            continue
        weight = block.value if stored is None else stored[number]
        out.morphs.append(lig.Morph(block.name, 0.0 if block.mute else weight))
        for part in parts:
            source.add_morph(part, deltas, matrix)
        entry.morphs.append(block.name)


def _after_modifiers(context, item, blocks, source, notes):
    """The deltas of each key after the modifiers, found by showing one key at a time."""
    about = f"mesh {item.name!r}"
    notes.add("BL117", about, "shape keys are read after the modifiers, one at a time")
    shown, found = {}, []
    for index, block in enumerate(blocks):
        item.active_shape_key_index = index
        context.view_layer.update()
        evaluated = item.evaluated_get(context.evaluated_depsgraph_get())
        mesh = evaluated.to_mesh()
        flat = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
        mesh.vertices.foreach_get("co", flat)
        evaluated.to_mesh_clear()
        shown[block.name] = flat.reshape(-1, 3)
    item.active_shape_key_index = 0
    context.view_layer.update()
    for block in blocks[1:]:
        moved, base = shown[block.name], shown[block.relative_key.name]
        if moved.shape != base.shape or len(moved) != source.vertex_count:
            notes.add("BL117", about, f"shape key {block.name!r} changes the number of vertices and is skipped")
            found.append(None)
            continue
        found.append(moved - base)
    return found


def _plain(item, blocks):
    """The deltas of each key, directly from the keys."""
    places = {}
    for block in blocks:
        flat = np.empty(len(block.data) * 3, dtype=np.float32)
        block.data.foreach_get("co", flat)
        places[block.name] = flat.reshape(-1, 3)
    found = []
    for block in blocks[1:]:
        deltas = places[block.name] - places[block.relative_key.name]
        if block.vertex_group in item.vertex_groups:
            share = np.zeros(len(deltas), dtype=np.float32)
            group = item.vertex_groups[block.vertex_group].index
            for vertex in item.data.vertices:
                for entry in vertex.groups:
                    if entry.group == group:
                        share[vertex.index] = entry.weight
            deltas = deltas * share[:, None]
        found.append(deltas)
    return found

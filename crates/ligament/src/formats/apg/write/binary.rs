//! Ligament's binary form; see [`super::super::layout`] for its header and the module for its sections.

use super::super::document::{Document, IDENTITY, Kind, Values};
use crate::io::little_endian::write;
use std::io::{self, BufWriter, Write};

impl Document {
    pub(super) fn write_binary(&self, sink: &mut dyn Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, sink);
        let out = &mut out;
        out.write_all(&self.binary_header())?;
        self.write_vertices(out)?;
        count(self.bones as usize, out)?;
        count(self.animations.len(), out)?;
        count(16, out)?;
        write(&self.root_transform.unwrap_or(IDENTITY), out)?;
        count(16, out)?;
        for bone in 0..self.bones as usize {
            write(self.offsets.get(bone).unwrap_or(&IDENTITY), out)?;
        }
        count(self.nodes.len(), out)?;
        for node in &self.nodes {
            write(&[node.parent, node.bone], out)?;
        }
        self.write_animations(out)?;
        write(&[self.bounding_radius.unwrap_or(0.0)], out)?;
        out.flush()
    }

    fn write_vertices(&self, out: &mut dyn Write) -> io::Result<()> {
        let vertices = &self.vertices;
        count(vertices.count(), out)?;
        vertices.listed().try_for_each(|i| write(&vertices.positions[i].to_array(), out))?;
        for i in vertices.listed() {
            write(&vertices.normals.get(i).copied().unwrap_or_default().to_array(), out)?;
        }
        for i in vertices.listed() {
            write(&vertices.uvs.get(i).copied().unwrap_or_default().to_array(), out)?;
        }
        let comps = match (vertices.tangents.is_empty(), vertices.short_tangents) {
            (true, _) => 0,
            (false, true) => 3,
            (false, false) => 4,
        };
        count(comps, out)?;
        if comps > 0 {
            vertices.listed().try_for_each(|i| write(&vertices.tangents[i].to_array()[..comps], out))?;
        }
        let slots = vertices.bones_per_vertex.max(1);
        for i in vertices.listed() {
            for slot in 0..slots {
                let bone = vertices.bones.get(i * slots + slot).copied().unwrap_or(0);
                write(&[bone], out)?;
            }
        }
        for i in vertices.listed() {
            for slot in 0..slots {
                // Without weights a vertex follows its first bone.
                let alone = if slot == 0 { 1.0 } else { 0.0 };
                write(&[vertices.weights.get(i * slots + slot).copied().unwrap_or(alone)], out)?;
            }
        }
        Ok(())
    }

    fn write_animations(&self, out: &mut dyn Write) -> io::Result<()> {
        for animation in &self.animations {
            write(&[animation.duration], out)?;
            count(animation.channels.len(), out)?;
            count(animation.name.as_bytes().len(), out)?;
            out.write_all(animation.name.as_bytes())?;
            for channel in &animation.channels {
                let letter = match channel.values.kind() {
                    Kind::Translation => b't',
                    Kind::Scale => b's',
                    Kind::Rotation => b'r',
                };
                out.write_all(&[letter])?;
                count(channel.node as usize, out)?;
                count(channel.times.len(), out)?;
                for (i, &time) in channel.times.iter().enumerate() {
                    match &channel.values {
                        Values::Translation(v) | Values::Scale(v) => {
                            write(&[time, v[i].x, v[i].y, v[i].z], out)?;
                        }
                        Values::Rotation(v) => write(&[time, v[i].w, v[i].x, v[i].y, v[i].z], out)?,
                    }
                }
            }
        }
        Ok(())
    }
}

fn count(value: usize, out: &mut dyn Write) -> io::Result<()> {
    // All counts were checked to have at most 31 bits, or are limited by memory to less.
    write(&[u32::try_from(value).unwrap_or(u32::MAX)], out)
}

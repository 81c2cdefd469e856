// Folds of a skin: triangles that blending turns over are turned back, overstretched vertices pulled in (view/folds.py).
//
//   const folds = new Folds(skin, read)   skin: as in the data of the replay; read: its arrays
//   folds.open(bones)                     whether folds.shift has changed; bones: their matrices, columns first
//   folds.shift                           how far each vertex of the skin is moved from its blended place [m]
"use strict";

const Folds = (() => {
  const found = [0, 0, 0];  // the last normal

  return class {
    constructor(skin, read) {
      const rest = read(skin.vertices), triangles = read(skin.triangles), folding = read(skin.folding);
      const place = new Map(), border = new Set(), corner = [];
      folding.forEach((inside, t) => {
        for (const vertex of triangles.subarray(3 * t, 3 * t + 3)) {
          if (!inside) { border.add(vertex); continue; }
          if (!place.has(vertex)) place.set(vertex, place.size);
          corner.push(place.get(vertex));
        }
      });
      Object.assign(this, skin.rule, { follows: skin.follows, corner: Uint32Array.from(corner), vertex: Uint32Array.from(place.keys()) });
      this.shift = new Float32Array(rest.length);
      this.moved = false;
      const count = this.vertex.length, bone = read(skin.bone), weight = read(skin.weight);
      this.free = Float64Array.from(this.vertex, (vertex) => (border.has(vertex) ? 0 : 1));
      this.rest = new Float64Array(3 * count);
      this.bone = new Uint8Array(this.follows * count);
      this.weight = new Float64Array(this.follows * count);
      this.reach = new Float64Array(count);
      this.rest_place = skin.rest_place;
      this.vertex.forEach((vertex, i) => {
        const at = rest.subarray(3 * vertex, 3 * vertex + 3), mine = this.follows * vertex;
        const whole = weight.subarray(mine, mine + this.follows).reduce((sum, value) => sum + value, 0);
        this.rest.set(at, 3 * i);
        for (let k = 0; k < this.follows; k++) {
          this.bone[this.follows * i + k] = bone[mine + k];
          this.weight[this.follows * i + k] = weight[mine + k] / whole;
        }
        const home = skin.rest_place[bone[mine]];
        this.reach[i] = this.farthest * Math.hypot(at[0] - home[0], at[1] - home[1], at[2] - home[2]);
      });
      this.area = new Float64Array(corner.length);
      this.size = new Float64Array(corner.length / 3);
      for (let t = 0; t < this.size.length; t++) {
        const area = normal(this.rest, this.corner, t);
        this.area.set(area, 3 * t);
        this.size[t] = Math.hypot(...area);
      }
      const near = Array.from({ length: count }, () => new Set());
      for (let k = 0; k < corner.length; k++) {
        const next = corner[k % 3 === 2 ? k - 2 : k + 1];
        near[corner[k]].add(next);
        near[next].add(corner[k]);
      }
      this.near = near.map((of) => Uint32Array.from(of));
    }

    open(bones) {
      const { first, home, out } = this.blended(bones), { corner, size, free } = this, count = this.vertex.length;
      const at = Float64Array.from(first), before = Float64Array.from(first);
      this.pull(at, home);
      first.set(at);
      const signed = new Float64Array(size.length), step = new Float64Array(3 * count), many = new Uint16Array(count);
      let share = this.averaged;
      for (let pass = 0; pass < this.passes; pass++) {
        let worst = 1;
        for (let t = 0; t < size.length; t++) {
          const area = normal(at, corner, t);
          signed[t] = (area[0] * out[3 * t] + area[1] * out[3 * t + 1] + area[2] * out[3 * t + 2]) / size[t];
          worst = Math.min(worst, signed[t]);
        }
        if (worst >= this.least) break;
        step.fill(0);
        many.fill(0);
        for (let t = 0; t < size.length; t++) if (signed[t] < this.aim) this.widen(t, at, out, this.aim - signed[t], step, many);
        for (let i = 0; i < count; i++) {
          const rate = (free[i] * this.step) / Math.max(many[i], 1);
          for (let k = 3 * i; k < 3 * i + 3; k++) at[k] += rate * step[k] - first[k];  // now the displacement
        }
        for (let i = 0; i < count; i++) {
          for (let k = 0; k < 3; k++) {
            let mean = 0;
            const near = this.near[i];
            for (let n = 0; n < near.length; n++) mean += at[3 * near[n] + k];
            mean /= near.length;
            step[3 * i + k] = at[3 * i + k] + share * free[i] * (mean - at[3 * i + k]);
          }
        }
        for (let k = 0; k < at.length; k++) at[k] = first[k] + step[k];
        this.pull(at, home);
        share *= this.fading;
      }
      return this.keep(at, before);
    }

    // vertices as the bones place them, the place of the bone that each follows most, normals as blended rotations turn them
    blended(bones) {
      const count = this.vertex.length, { follows, corner, area, rest } = this;
      const first = new Float64Array(3 * count), home = new Float64Array(3 * count), out = new Float64Array(corner.length);
      const turn = new Float64Array(9 * count), places = bones.map((m, b) => outward(m, this.rest_place[b]));
      const m = new Float64Array(12);
      for (let i = 0; i < count; i++) {
        m.fill(0);
        for (let k = follows * i; k < follows * (i + 1); k++) {
          const w = this.weight[k], bone = bones[this.bone[k]];
          if (w > 0) for (let c = 0; c < 4; c++) for (let r = 0; r < 3; r++) m[3 * c + r] += w * bone[4 * c + r];
        }
        for (let r = 0; r < 3; r++) first[3 * i + r] = m[r] * rest[3 * i] + m[3 + r] * rest[3 * i + 1] + m[6 + r] * rest[3 * i + 2] + m[9 + r];
        turn.set(m.subarray(0, 9), 9 * i);
        home.set(places[this.bone[follows * i]], 3 * i);
      }
      for (let t = 0; t < this.size.length; t++) {
        const a = 9 * corner[3 * t], b = 9 * corner[3 * t + 1], c = 9 * corner[3 * t + 2];
        let whole = 0;
        for (let r = 0; r < 3; r++) {
          let sum = 0;
          for (let k = 0; k < 3; k++) sum += (turn[a + 3 * k + r] + turn[b + 3 * k + r] + turn[c + 3 * k + r]) * area[3 * t + k];
          out[3 * t + r] = sum;
          whole += sum * sum;
        }
        for (let r = 0; r < 3; r++) out[3 * t + r] /= Math.sqrt(whole) || 1;
      }
      return { first, home, out };
    }

    // add the steps that give a triangle the signed area that it lacks
    widen(t, at, out, lack, step, many) {
      const size = this.size[t], n = out.subarray(3 * t, 3 * t + 3), slopes = [];
      let whole = 0;
      for (let k = 0; k < 3; k++) {
        const b = 3 * this.corner[3 * t + ((k + 1) % 3)], c = 3 * this.corner[3 * t + ((k + 2) % 3)];
        const x = at[b] - at[c], y = at[b + 1] - at[c + 1], z = at[b + 2] - at[c + 2];
        const slope = [y * n[2] - z * n[1], z * n[0] - x * n[2], x * n[1] - y * n[0]];
        slopes.push(slope);
        whole += slope[0] ** 2 + slope[1] ** 2 + slope[2] ** 2;
      }
      const rate = (lack * size) / Math.max(whole, this.round * size);
      slopes.forEach((slope, k) => {
        const i = this.corner[3 * t + k];
        for (let r = 0; r < 3; r++) step[3 * i + r] += rate * slope[r];
        many[i] += 1;
      });
    }

    pull(at, home) {
      for (let i = 0; i < this.reach.length; i++) {
        const k = 3 * i, x = at[k] - home[k], y = at[k + 1] - home[k + 1], z = at[k + 2] - home[k + 2];
        const share = this.reach[i] / Math.max(Math.hypot(x, y, z), 1e-300);
        if (share >= 1) continue;
        at[k] = home[k] + share * x;
        at[k + 1] = home[k + 1] + share * y;
        at[k + 2] = home[k + 2] + share * z;
      }
    }

    keep(at, before) {
      const was = this.moved;
      this.moved = at.some((value, k) => value !== before[k]);
      if (was || this.moved) this.vertex.forEach((vertex, i) => {
        for (let r = 0; r < 3; r++) this.shift[3 * vertex + r] = at[3 * i + r] - before[3 * i + r];
      });
      return was || this.moved;
    }
  };

  // normal of a triangle, as long as twice its area; one array for all
  function normal(at, corner, t) {
    const a = 3 * corner[3 * t], b = 3 * corner[3 * t + 1], c = 3 * corner[3 * t + 2];
    const px = at[b] - at[a], py = at[b + 1] - at[a + 1], pz = at[b + 2] - at[a + 2];
    const qx = at[c] - at[a], qy = at[c + 1] - at[a + 1], qz = at[c + 2] - at[a + 2];
    found[0] = py * qz - pz * qy;
    found[1] = pz * qx - px * qz;
    found[2] = px * qy - py * qx;
    return found;
  }

  function outward(m, p) {
    return [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
  }
})();

// Tools of the replay: a click names a segment with its load and curves, traces of points, distances, a measuring tape,
// a scale bar, a map of injury, skeleton and contact shapes, a plan to scale, pictures, films and full screen.
//
//   const tools = new Tools(replay, element)   element: the div of the replay
//   tools.pick(x, y)    what is at a point of the canvas [px]: { actor, body, name, at, local }
//   tools.picture()     a canvas with the picture, its labels, the scale and the line about the model
//   tools.film(speeds)  plays the run once at each speed, and resolves to a WebM film
"use strict";

const Tools = (() => {
  const MAP = [[0.25, 0.62, 0.42], [0.96, 0.82, 0.35], [0.88, 0.35, 0.20], [0.45, 0.04, 0.12]];  // 0, 50, 100, 150 %
  const TRACES = [[0.80, 0.25, 0.10], [0.10, 0.45, 0.70], [0.20, 0.55, 0.30], [0.55, 0.30, 0.65]];
  const LINE = { measure: [0.08, 0.10, 0.14], wrap: [0.85, 0.35, 0.10], way: [0.15, 0.35, 0.60] };
  const add = (a, b) => a.map((value, k) => value + b[k]), less = (a, b) => a.map((value, k) => value - b[k]);
  const times = (a, s) => a.map((value) => value * s), dot = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const inward = (m, p) => { const d = less(p, m.slice(12, 15)); return [0, 4, 8].map((k) => dot(m.slice(k, k + 3), d)); };
  const outward = (m, p) => [0, 1, 2].map((k) => m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k]);
  const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

  class Tools {
    constructor(replay, element) {
      this.replay = replay;
      this.element = element;
      this.traces = [];
      this.points = [];
      this.measuring = false;
      this.card = this.make("div", "tool-card");
      this.card.hidden = true;
      this.bar = this.make("div", "scale-bar");
      this.key = this.make("div", "map-key");
      this.key.innerHTML = "<i></i><span>0</span><span>50</span><span>100 % of limit</span><span>150</span>";
      this.labels = [];
      replay.extras = (camera, states) => this.draw(camera, states);
      replay.tone = () => (replay.show.map ? { scale: MAP, of: (actor) => this.map(actor) } : null);
      let down = null;
      replay.canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
      replay.canvas.addEventListener("pointerup", (event) => {
        if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
        const box = replay.canvas.getBoundingClientRect();
        this.click(event.clientX - box.left, event.clientY - box.top);
      });
      this.card.addEventListener("click", (event) => {
        const what = event.target.dataset.do;
        if (what === "close") this.choose(null);
        if (what === "trace") this.trace(this.chosen);
        if (what === "curves") this.curves();
      });
      replay.onDraw = () => this.tell();
    }

    make(tag, name) {
      const made = document.createElement(tag);
      made.className = name;
      this.element.append(made);
      return made;
    }

    // what is at a point of the picture

    pick(x, y) {
      const { replay } = this, camera = replay.camera();
      const { clientWidth: wide, clientHeight: high } = replay.canvas;
      const right = times(camera.right, (x - wide / 2) * camera.pixel), up = times(camera.up, (high / 2 - y) * camera.pixel);
      const there = add(add(camera.target, right), up);
      const from = camera.flat ? add(there, less(camera.eye, camera.target)) : camera.eye;
      const way = less(there, from), length = Math.hypot(...way), ray = times(way, 1 / length);
      let best = null;
      (replay.states ?? []).forEach((state, place) => {
        if (place && replay.actors.length > 1 && !replay.show.apart && best) return;
        for (const part of state.actor.parts) {
          if (part.kind === "cover" && !replay.show.covers) continue;
          const model = part.body < 0 ? IDENTITY : state.models[part.body];
          const start = inward(model, from), along = [0, 4, 8].map((k) => dot(model.slice(k, k + 3), ray));
          const far = hit(part.solid, start, along);
          if (far < (best?.far ?? Infinity)) best = { far, place, actor: state.actor, part, body: part.body, local: add(start, times(along, far)) };
        }
      });
      if (!best) return null;
      best.at = add(from, times(ray, best.far));
      best.name = best.body >= 0 && best.part.kind !== "surface" && best.part.kind !== "cover" ? best.actor.names[best.body] : best.part.name.replaceAll("_", " ");
      return best;
    }

    click(x, y) {
      const found = this.pick(x, y);
      if (this.measuring) {
        if (found) this.points = this.points.length === 1 ? [...this.points, found.at] : [found.at];
        this.replay.draw();
      } else this.choose(found && found.part.kind !== "ground" ? found : null);
    }

    measure(on) {
      this.measuring = on;
      this.points = [];
      this.replay.canvas.classList.toggle("measuring", on);
      this.replay.draw();
    }

    // the segment that was clicked

    choose(found) {
      this.chosen = found;
      this.card.hidden = !found;
      if (!found) return;
      const { actor, body } = found, limit = actor.limits[actor.raw[body]];
      const load = this.load(actor, body), speed = body < 0 ? null : this.speed(actor, body);
      this.data = { load, speed };
      const rows = [];
      if (load) rows.push(chart("contact force [kN]", actor.frames, load.map((value) => value / 1000)));
      if (speed) rows.push(chart("speed [m/s]", actor.frames, speed));
      const title = this.replay.actors.length > 1 ? `<small></small>` : "";
      this.card.innerHTML = `<header><b></b>${title}<button type="button" data-do="close" aria-label="Close">×</button></header><p class="now"></p><p class="limit"></p>${rows.join("")}<footer></footer>`;
      this.card.querySelector("b").textContent = found.name;
      if (title) this.card.querySelector("small").textContent = actor.title;
      const peak = load ? load.reduce((most, value, k) => (value > load[most] ? k : most), 0) : 0;
      this.peak = load && load[peak] > 0 ? `, largest ${force(load[peak])} at ${(1e3 * actor.frames[peak]).toFixed(1)} ms` : "";
      this.card.querySelector(".limit").textContent = limit ? limit.words : "";
      const buttons = body >= 0 ? ['<button type="button" data-do="trace">trace this point</button>'] : [];
      if (this.chart()) buttons.push('<button type="button" data-do="curves">show its curves</button>');
      this.card.querySelector("footer").innerHTML = buttons.join("");
      this.tell();
    }

    tell() {
      const { replay, chosen, data } = this;
      if (!chosen) return;
      const frame = near(chosen.actor.frames, replay.time), parts = [];
      if (data.load) parts.push(`contact force ${force(data.load[frame])}${this.peak}`);
      if (data.speed) parts.push(`speed ${data.speed[frame].toFixed(2)} m/s`);
      this.card.querySelector(".now").textContent = parts.join("; ") || "no contact in this run";
      const { frames } = chosen.actor, share = (replay.time - frames[0]) / Math.max(frames.at(-1) - frames[0], 1e-9);
      for (const line of this.card.querySelectorAll("svg line")) for (const end of ["x1", "x2"]) line.setAttribute(end, 200 * Math.min(share, 1));
    }

    load(actor, body) {
      const column = actor.touched.indexOf(body);
      return column < 0 ? null : Array.from(actor.frames, (_, frame) => actor.loads[frame * actor.touched.length + column]);
    }

    speed(actor, body) {
      const { frames, position, bodies } = actor, place = (frame) => position.subarray(3 * (frame * bodies + body), 3 * (frame * bodies + body) + 3);
      return Array.from(frames, (_, frame) => {
        const a = Math.max(frame - 1, 0), b = Math.min(frame + 1, frames.length - 1), p = place(a), q = place(b);
        return b > a ? Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]) / Math.max(frames[b] - frames[a], 1e-9) : 0;
      });
    }

    chart() {
      const name = this.chosen?.name;
      return (window.report?.tree?.charts ?? []).find((one) => one.title.toLowerCase().startsWith(name) || one.curves.some((curve) => curve.name.toLowerCase().startsWith(name)));
    }

    curves() {
      const found = this.chart();
      document.getElementById(`chart-${found.key}`)?.closest("figure")?.scrollIntoView({ behavior: "smooth", block: "center" });
    }

    // traces

    trace(found) {
      const { actor, body, local, name, place } = found, known = this.traces.findIndex((one) => one.actor === actor && one.body === body);
      if (known >= 0) this.traces.splice(known, 1);
      else {
        const points = new Float32Array(3 * actor.frames.length);
        for (let frame = 0; frame < actor.frames.length; frame++) points.set(outward(actor.model(frame, body), local), 3 * frame);
        this.traces.push({ actor, body, place, name, points, colour: TRACES[this.traces.length % TRACES.length] });
      }
      this.replay.draw();
    }

    // colours by share of limit: bodies -> 0 to 1, less than 0 for those without a limit
    map(actor) {
      return (actor.mapped ??= actor.raw.map((name) => (actor.limits[name] ? Math.min(Math.max(actor.limits[name].share / 1.5, 0.081), 1) : 0)));
    }

    // drawing

    draw(camera, states) {
      const { replay } = this, { show } = replay, words = [];
      replay.states = states;
      const shown = show.apart ? states : states.slice(0, 1);
      if (show.skeleton) for (const state of states) this.skeleton(state);
      if (show.joints) for (const state of shown) for (const [body, start] of state.actor.skeleton) replay.ball_at(outward(state.models[body], start), [0.15, 0.40, 0.62], 0.028);
      const plan = replay.preset === "plan";
      if (plan || show.path) for (const state of states) this.centre(state);
      for (const trace of this.traces) {
        const state = states[trace.place];
        const count = 1 + near(trace.actor.frames, replay.time);
        replay.polyline(trace, trace.points, count, trace.colour, state.shift);
        words.push([add(Array.from(trace.points.subarray(3 * count - 3, 3 * count)), state.shift), trace.name, "trace"]);
      }
      if (show.lines) {
        for (const state of shown) for (const line of state.actor.lines) {
          if (replay.time < line.time - 1e-9) continue;
          const model = line.body < 0 ? null : state.models[line.body];
          const points = line.points.map((point) => (model ? outward(model, point) : add(point, state.shift)));
          replay.rope(points, model ? LINE.wrap : LINE.way, 0.25 * Math.max(camera.pixel * 6, 0.02));
          words.push([times(add(points[0], points.at(-1)), 0.5), line.words, model ? "wrap" : "way"]);
        }
      }
      if (plan) for (const state of states) state.actor.rests.forEach((rest, k) => words.push([add(rest.place, state.shift), rest.words, k % 2 ? "rest above" : "rest"]));
      if (this.points.length) {
        for (const point of this.points) replay.ball_at(point, LINE.measure, 3 * camera.pixel);
        if (this.points.length === 2) {
          const [a, b] = this.points, way = less(b, a);
          replay.rope(this.points, LINE.measure, 1.2 * camera.pixel);
          words.push([times(add(a, b), 0.5), `${Math.hypot(...way).toFixed(3)} m (level ${Math.hypot(way[0], way[1]).toFixed(3)}, up ${way[2].toFixed(3)})`, "measure"]);
        }
      }
      this.write(camera, words);
      const metres = nice(110 * camera.pixel);
      this.bar.hidden = !show.scale;
      this.bar.style.width = `${metres / camera.pixel}px`;
      this.bar.textContent = metres < 1 ? `${(100 * metres).toFixed(0)} cm` : `${metres} m`;
      this.key.hidden = !show.map;
    }

    skeleton(state) {
      const { replay } = this;
      for (const [body, start, end] of state.actor.skeleton) {
        replay.rope([start, end].map((point) => outward(state.models[body], point)), [0.93, 0.90, 0.80], 0.014);
        replay.ball_at(outward(state.models[body], start), [0.80, 0.74, 0.58], 0.022);
      }
    }

    centre(state) {
      const { actor } = state, count = this.replay.preset === "plan" ? actor.frames.length : 1 + near(actor.frames, this.replay.time);
      this.replay.polyline(actor, actor.centres, count, actor.badge, state.shift);
    }

    write(camera, words) {
      while (this.labels.length < words.length) this.labels.push(this.make("span", "tool-label"));
      const { clientWidth: wide, clientHeight: high } = this.replay.canvas;
      this.labels.forEach((label, place) => {
        label.hidden = place >= words.length;
        if (label.hidden) return;
        const [point, text, kind] = words[place], [x, y, , w] = camera.project(point);
        label.textContent = text;
        label.className = `tool-label ${kind}`;
        label.style.left = `${Math.min(Math.max((0.5 + (0.5 * x) / w) * wide, 4), wide - 40)}px`;
        label.style.top = `${Math.min(Math.max((0.5 - (0.5 * y) / w) * high, 12), high - 12)}px`;
      });
    }

    // pictures, films, full screen

    picture(wide = 0, also = "") {
      const { replay } = this, source = replay.canvas;
      replay.paint();
      const scale = (wide || source.width) / source.width, foot = Math.round(30 * scale * (source.width / source.clientWidth));
      const sheet = this.sheet ?? document.createElement("canvas");
      const size = [2 * Math.round((source.width * scale) / 2), 2 * Math.round((source.height * scale + 1.6 * foot) / 2)];
      if (sheet.width !== size[0] || sheet.height !== size[1]) [sheet.width, sheet.height] = size;
      const pen = sheet.getContext("2d"), unit = (scale * source.width) / source.clientWidth;
      pen.fillStyle = "#ffffff";
      pen.fillRect(0, 0, sheet.width, sheet.height);
      pen.drawImage(source, 0, 0, sheet.width, source.height * scale);
      pen.textBaseline = "middle";
      const outer = this.element.getBoundingClientRect();
      for (const label of this.element.querySelectorAll(".replay-labels span, .tool-label, .scale-bar")) {
        if (label.hidden || label.style.visibility === "hidden" || !label.textContent) continue;
        const box = label.getBoundingClientRect(), [x, y] = [(box.left - outer.left) * unit, (box.top - outer.top) * unit];
        pen.font = `${12 * unit}px system-ui, sans-serif`;
        pen.fillStyle = label.matches(".name") ? getComputedStyle(label).backgroundColor : "rgb(255 255 255 / 0.85)";
        pen.fillRect(x, y, box.width * unit, box.height * unit);
        pen.fillStyle = label.matches(".name") ? "#ffffff" : "#18232f";
        const lines = wrapped(pen, label.textContent, box.width * unit + 1);
        lines.forEach((line, row) => pen.fillText(line, x + 5 * unit, y + ((row + 0.5) * box.height * unit) / lines.length));
        if (label.matches(".scale-bar")) pen.fillRect(x, y + box.height * unit - 2 * unit, box.width * unit, 2 * unit);
      }
      const line = source.height * scale, small = Math.min(12 * unit, sheet.width / 62);
      pen.fillStyle = "#18232f";
      pen.font = `600 ${1.1 * small}px system-ui, sans-serif`;
      pen.fillText(`${replay.actors[0].title}   ${(1e3 * replay.time).toFixed(1)} ms${also}`, 0.4 * foot, line + 0.45 * foot, sheet.width - 0.8 * foot);
      pen.fillStyle = "#5b6875";
      pen.font = `${small}px system-ui, sans-serif`;
      pen.fillText(`Vitruvian. ${replay.scene.model}`, 0.4 * foot, line + 1.15 * foot, sheet.width - 0.8 * foot);
      return sheet;
    }

    save_picture() {
      return new Promise((done) => this.picture().toBlob((blob) => { keep(blob, "vitruvian.png"); done(blob); }, "image/png"));
    }

    // once in real time and once slowly, and a second of rest at the end
    async film(speeds = [1, this.replay.speed < 1 ? this.replay.speed : 0.1], report = () => {}) {
      const { replay } = this, rate = 30;
      replay.pause();
      this.sheet = document.createElement("canvas");
      replay.time = replay.scene.start;
      this.picture(1280);
      const stream = this.sheet.captureStream(rate), kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
      const recorder = new MediaRecorder(stream, { mimeType: kinds.find((kind) => MediaRecorder.isTypeSupported(kind)), videoBitsPerSecond: 6e6 });
      const pieces = [], whole = new Promise((done) => { recorder.onstop = done; });
      recorder.ondataavailable = (event) => pieces.push(event.data);
      recorder.start();
      for (const speed of new Set(speeds)) {
        const also = speed === 1 ? "   real time" : `   ${+(1 / speed).toPrecision(3)} times slower`;
        const begun = performance.now(), long = (replay.end - replay.scene.start) / speed;
        for (let passed = 0; passed < long + 1; passed = (performance.now() - begun) / 1000) {
          replay.seek(replay.scene.start + Math.min(passed, long) * speed);
          this.picture(1280, also);
          report(`recording${also}: ${Math.min(100, (100 * passed) / (long + 1)).toFixed(0)} %`);
          await new Promise((next) => setTimeout(next, 1000 / rate));
          if (this.stopped) break;
        }
      }
      recorder.stop();
      await whole;
      this.sheet = null;
      this.stopped = false;
      return new Blob(pieces, { type: "video/webm" });
    }

    async save_film(report) {
      const film = await this.film(undefined, report);
      keep(film, "vitruvian.webm");
      return film;
    }
  }

  function keep(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  // the lines of a text that is broken at a width
  function wrapped(pen, text, width) {
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (lines.at(-1) && pen.measureText(longer).width > width) lines.push(word); else lines[lines.length - 1] = longer;
    }
    return lines;
  }

  // distance along a ray to the nearest triangle of a solid
  function hit({ vertices, triangles }, from, way) {
    let best = Infinity;
    const corner = (k) => vertices.subarray(3 * triangles[k], 3 * triangles[k] + 3);
    for (let k = 0; k < triangles.length; k += 3) {
      const a = corner(k), b = corner(k + 1), c = corner(k + 2);
      const e = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], f = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
      const p = cross(way, f), d = dot(e, p);
      if (Math.abs(d) < 1e-14) continue;
      const s = [from[0] - a[0], from[1] - a[1], from[2] - a[2]], u = dot(s, p) / d;
      if (u < 0 || u > 1) continue;
      const q = cross(s, e), v = dot(way, q) / d;
      if (v < 0 || u + v > 1) continue;
      const t = dot(f, q) / d;
      if (t > 1e-6 && t < best) best = t;
    }
    return best;
  }

  function near(frames, time) {
    let low = 0, high = frames.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (frames[middle] < time) low = middle + 1; else high = middle;
    }
    return low > 0 && time - frames[low - 1] < frames[low] - time ? low - 1 : low;
  }

  function nice(length) {
    const ten = 10 ** Math.floor(Math.log10(length));
    return ten * (length / ten >= 5 ? 5 : length / ten >= 2 ? 2 : 1);
  }

  function force(newton) { return newton < 1000 ? `${newton.toFixed(0)} N` : `${(newton / 1000).toFixed(2)} kN`; }

  // a small curve; of each of its pixels the least and the largest value
  function chart(words, x, y) {
    const most = y.reduce((a, b) => Math.max(a, b), 1e-9), columns = Array.from({ length: 201 }, () => [Infinity, -Infinity]);
    y.forEach((value, k) => {
      const column = columns[Math.round((200 * (x[k] - x[0])) / Math.max(x.at(-1) - x[0], 1e-9))];
      column[0] = Math.min(column[0], value);
      column[1] = Math.max(column[1], value);
    });
    const place = (value) => (46 - (44 * value) / most).toFixed(1);
    const line = columns.flatMap(([low, high], k) => (low > high ? [] : [`${k},${place(low)}`, `${k},${place(high)}`])).join(" ");
    return `<figure><figcaption>${words}, up to ${most.toPrecision(3)}</figcaption><svg viewBox="0 0 200 48" preserveAspectRatio="none"><polyline points="${line}"/><line y1="0" y2="48" x1="0" x2="0"/></svg></figure>`;
  }

  return Tools;
})();

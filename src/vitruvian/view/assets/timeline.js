// A timeline that zooms: a curve, every event as a mark with its name, a cursor. Report and studio share it.
//
//   const timeline = new Timeline(element, { start, end, events, frames, curve, eager })
//     events   [{ time, end, words, rank }]  [s]; rank 1 decides the answer, 4 is a detail; end: only of spans
//     frames   the times of the stored poses [s], in order
//     curve    { x, y, words } or null       [s], any unit
//     eager    the wheel zooms although the timeline has no focus
//   timeline.at(time)            show a time [s]
//   timeline.zoom(from, to)      show a span [s]
//   timeline.key(event)          act on a key; true if it was one of ours
//   timeline.onSeek, onToggle, onZoom   called with a time [s], without, with a span [s]
"use strict";

const Timeline = (() => {
  const LEAST = 0.002;  // [s], the shortest span that is shown
  const NEAR = 5;  // [px]: marks so near to the pointer are named
  const NAMES = 7;  // in one tip
  const STEPS = [["first", "|◀", "First frame (Home)"], ["back", "◀", "One frame back (arrow left)"], ["next", "▶", "One frame on (arrow right)"],
    ["last", "▶|", "Last frame (End)"], ["before", "← event", "Event before (Page up)"], ["after", "event →", "Next event (Page down)"],
    ["closer", "+", "Zoom in (+)"], ["wider", "−", "Zoom out (−)"], ["all", "all", "Whole run (0)"]];
  const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", PageUp: "before", PageDown: "after", "+": "closer", "=": "closer", "-": "wider", 0: "all" };

  function made(kind, name, parent) {
    const found = document.createElement(kind);
    found.className = name;
    parent.append(found);
    return found;
  }

  return class Timeline {
    constructor(element, { start, end, events, frames, curve = null, eager = false }) {
      Object.assign(this, { start, end, frames, eager, time: start, from: start, to: end });
      this.onSeek = this.onToggle = this.onZoom = () => {};
      this.events = [...events].sort((one, other) => one.time - other.time);
      element.replaceChildren();
      const root = (this.root = made("div", "timeline", element));
      this.tip = made("div", "timeline-tip", root);
      this.tip.hidden = true;
      this.strip = made("div", "timeline-strip", root);
      Object.assign(this.strip, { tabIndex: 0 });
      for (const [name, value] of Object.entries({ role: "slider", "aria-label": "Timeline of the run", "aria-valuemin": 1e3 * start, "aria-valuemax": 1e3 * end })) this.strip.setAttribute(name, value);
      this.draw_curve(curve);
      this.marks = this.events.map((event) => {
        const mark = made("i", `timeline-mark rank${event.rank}${event.end > event.time ? " span" : ""}`, this.strip);
        return Object.assign(mark, { event });
      });
      this.cursor = made("div", "timeline-cursor", this.strip);
      this.ruler = made("div", "timeline-ruler", root);
      this.ruler.title = "drag here to zoom to a span";
      const row = made("div", "timeline-row", root);
      for (const [act, sign, words] of STEPS) {
        const button = Object.assign(made("button", "", row), { type: "button", textContent: sign, title: words });
        button.setAttribute("aria-label", words);
        button.dataset.step = act;
        button.addEventListener("click", () => this.act(act, 1));
      }
      this.said = made("span", "timeline-said", row);
      this.listen();
      new ResizeObserver(() => this.arrange()).observe(root);
      this.arrange();
      this.at(start);
    }

    draw_curve(curve) {
      if (!curve || !curve.x.length) return;
      let top = 0;
      for (const value of curve.y) top = Math.max(top, Math.abs(value));
      const [svg, path] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
      const height = (value) => (1 - 0.94 * Math.abs(value) / (top || 1)).toFixed(4);
      path.setAttribute("d", `M${Array.from(curve.x, (x, k) => `${(1e3 * x).toFixed(3)} ${height(curve.y[k])}`).join("L")}`);
      svg.setAttribute("preserveAspectRatio", "none");
      svg.append(path);
      this.strip.append(svg);
      this.svg = svg;
      this.curve_words = curve.words;
    }

    // time

    at(time) {
      this.time = time;
      if (time < this.from || time > this.to) {  // the window follows
        const wide = this.to - this.from;
        this.window(time < this.from ? time - 0.1 * wide : time - 0.1 * wide, wide);
      }
      this.cursor.style.left = `${this.place(time)}%`;
      const here = this.named(time, 0.5 * this.frame_length(time) + 1e-6);
      const words = here.length ? here.map((event) => event.words).join("; ") : "";
      this.strip.setAttribute("aria-valuenow", (1e3 * time).toFixed(2));
      this.strip.setAttribute("aria-valuetext", `${(1e3 * time).toFixed(1)} ms${words ? `: ${words}` : ""}`);
      this.said.textContent = words || (this.curve_words ? `curve: ${this.curve_words}` : "");
      this.said.title = words;
    }

    seek(time) {
      this.onSeek(Math.min(Math.max(time, this.start), this.end));
    }

    // number of the last frame that is not after a time
    frame(time) {
      let low = 0, high = this.frames.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (this.frames[middle] <= time + 1e-7) low = middle; else high = middle - 1;
      }
      return low;
    }

    frame_length(time) {
      const k = Math.min(this.frame(time), this.frames.length - 2);
      return k < 0 ? 0 : this.frames[k + 1] - this.frames[k];
    }

    act(name, times) {
      const frames = this.frames, at = this.frame(this.time), last = frames.length - 1;
      const between = at < last && this.time - frames[at] > 1e-6;  // not on a frame: back goes to the one before it
      if (name === "first") this.seek(this.start);
      else if (name === "last") this.seek(this.end);
      else if (name === "next") this.seek(frames[Math.min(at + times, last)]);
      else if (name === "back") this.seek(frames[Math.max(at - times + (between ? 1 : 0), 0)]);
      else if (name === "before") this.seek(this.events.findLast((event) => event.rank < 4 && event.time < this.time - 1e-5)?.time ?? this.start);
      else if (name === "after") this.seek(this.events.find((event) => event.rank < 4 && event.time > this.time + 1e-5)?.time ?? this.end);
      else if (name === "closer") this.scale(0.5, this.time);
      else if (name === "wider") this.scale(2, this.time);
      else if (name === "all") this.zoom(this.start, this.end);
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      if (event.key === " ") this.onToggle();
      else if (event.key in KEYS) this.act(KEYS[event.key], event.shiftKey ? 10 : 1);
      else return false;
      event.preventDefault();
      return true;
    }

    // zoom

    zoom(from, to) {
      this.window(from, Math.max(to - from, LEAST));
      this.onZoom(this.from, this.to);
    }

    // zoom by a factor; the time `about` keeps its place
    scale(factor, about) {
      const whole = this.end - this.start, least = Math.min(LEAST, whole);
      const wide = Math.min(Math.max((this.to - this.from) * factor, least), whole);
      const share = (about - this.from) / (this.to - this.from);
      this.zoom(about - Math.min(Math.max(share, 0), 1) * wide, about + (1 - Math.min(Math.max(share, 0), 1)) * wide);
    }

    window(from, wide) {
      const whole = this.end - this.start;
      wide = Math.min(wide, whole);
      this.from = Math.min(Math.max(from, this.start), this.end - wide);
      this.to = this.from + wide;
      this.arrange();
    }

    place(time) { return (100 * (time - this.from)) / (this.to - this.from); }

    arrange() {
      this.svg?.setAttribute("viewBox", `${1e3 * this.from} 0 ${1e3 * (this.to - this.from)} 1`);
      for (const mark of this.marks) {
        const { time, end } = mark.event, out = (end ?? time) < this.from || time > this.to;
        mark.style.display = out ? "none" : "";
        if (out) continue;
        mark.style.left = `${this.place(time)}%`;
        if (end > time) mark.style.width = `${this.place(end) - this.place(time)}%`;
      }
      this.cursor.style.left = `${this.place(this.time)}%`;
      const room = Math.max(this.ruler.clientWidth, 100), wide = 1e3 * (this.to - this.from);
      const rough = (80 * wide) / room, power = 10 ** Math.floor(Math.log10(rough));
      const step = [1, 2, 5, 10].map((k) => k * power).find((value) => value >= rough);
      const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), ticks = [];
      for (let k = Math.ceil((1e3 * this.from) / step - 1e-9); k * step <= 1e3 * this.to + 1e-9; k++) {
        const tick = document.createElement("span");
        tick.textContent = `${(k * step).toFixed(digits)} ms`;
        tick.style.left = `${this.place(1e-3 * k * step)}%`;
        ticks.push(tick);
      }
      this.ruler.replaceChildren(...ticks);
    }

    // pointer

    time_at(event) {
      const box = this.strip.getBoundingClientRect();
      return this.from + ((event.clientX - box.left) / box.width) * (this.to - this.from);
    }

    named(time, reach) {
      return this.events.filter((event) => time > event.time - reach && time < (event.end ?? event.time) + reach);
    }

    hover(event) {
      const box = this.strip.getBoundingClientRect(), time = this.time_at(event);
      const found = this.named(time, (NEAR / box.width) * (this.to - this.from));
      for (const mark of this.marks) mark.classList.toggle("near", found.includes(mark.event));
      this.tip.hidden = !found.length;
      if (!found.length) return;
      const lines = [...found].sort((one, other) => one.rank - other.rank || one.time - other.time);
      this.tip.replaceChildren(...lines.slice(0, NAMES).map((one) => {
        const line = document.createElement("div"), when = document.createElement("b");
        when.textContent = `${(1e3 * one.time).toFixed(1)} ms `;
        line.append(when, one.words);
        return line;
      }));
      if (lines.length > NAMES) this.tip.append(`and ${lines.length - NAMES} more: zoom in`);
      const left = event.clientX - box.left;
      Object.assign(this.tip.style, left < box.width / 2 ? { left: `${Math.max(left - 8, 0)}px`, right: "auto" } : { left: "auto", right: `${Math.max(box.width - left - 8, 0)}px` });
    }

    listen() {
      const { strip, ruler } = this, fingers = new Map();
      let spread = 0, begun = null;
      const span = () => { const [a, b] = [...fingers.values()]; return Math.abs(a - b); };
      const lift = (event) => { fingers.delete(event.pointerId); spread = 0; };
      strip.addEventListener("pointerdown", (event) => {
        strip.setPointerCapture(event.pointerId);
        strip.focus({ preventScroll: true });
        fingers.set(event.pointerId, event.clientX);
        if (fingers.size === 1 && !event.shiftKey) this.seek(this.time_at(event));
      });
      strip.addEventListener("pointermove", (event) => {
        this.hover(event);
        if (!fingers.has(event.pointerId)) return;
        const dx = event.clientX - fingers.get(event.pointerId);
        fingers.set(event.pointerId, event.clientX);
        if (fingers.size === 2) {
          if (spread && span()) this.scale(spread / span(), this.time_at(event));
          spread = span();
        } else if (event.shiftKey) {
          this.zoom(this.from - (dx / strip.clientWidth) * (this.to - this.from), this.to - (dx / strip.clientWidth) * (this.to - this.from));
        } else this.seek(this.time_at(event));
      });
      for (const name of ["pointerup", "pointercancel"]) strip.addEventListener(name, lift);
      strip.addEventListener("pointerleave", () => {
        this.tip.hidden = true;
        for (const mark of this.marks) mark.classList.remove("near");
      });
      strip.addEventListener("keydown", (event) => { if (this.key(event)) event.stopPropagation(); });
      this.root.addEventListener("wheel", (event) => {
        if (!this.eager && !event.ctrlKey && document.activeElement !== strip) return;  // the page scrolls
        event.preventDefault();
        this.scale(Math.exp(event.deltaY * 0.002), this.time_at(event));
      }, { passive: false });
      for (const part of [strip, ruler]) part.addEventListener("dblclick", () => this.zoom(this.start, this.end));
      // a span drawn along the ruler is zoomed to
      ruler.addEventListener("pointerdown", (event) => {
        ruler.setPointerCapture(event.pointerId);
        begun = { time: this.time_at(event), x: event.clientX, band: made("b", "", ruler) };
      });
      ruler.addEventListener("pointermove", (event) => {
        if (!begun) return;
        const [low, high] = [begun.time, this.time_at(event)].sort((one, other) => one - other);
        Object.assign(begun.band.style, { left: `${this.place(low)}%`, width: `${this.place(high) - this.place(low)}%` });
      });
      ruler.addEventListener("pointerup", (event) => {
        if (!begun) return;
        const [low, high] = [begun.time, this.time_at(event)].sort((one, other) => one - other);
        begun.band.remove();
        if (Math.abs(event.clientX - begun.x) > 4) this.zoom(low, high);
        begun = null;
      });
    }
  };
})();

// A replay of results in WebGL 2: meshes that move with bodies, contact forces, marks. No library, no network.
//
//   const replay = new Replay(element, scene, buffer)   element: an empty <div>; scene and buffer: see view/replay.py
//   replay.seek(t)      show a time [s]
//   replay.play(), replay.pause(), replay.playing
//   replay.speed        1 for real time
//   replay.view(name)   "oblique", "side", "left", "front", "back", "top"; "plan" is from above, to scale
//   replay.onTime       called with the time whenever it changes
//   replay.extras       called with the camera and the state of each result, to draw more; see tools.js
//   replay.tone         returns null, or { scale, of(actor) }: other colours of bodies than those of their loads
"use strict";

const Replay = (() => {
  const DEGREE = Math.PI / 180;
  const VIEWS = {
    side: [-90, 4], front: [0, 6], back: [180, 6], top: [-90, 89.9], oblique: [-52, 14],
    left: [90, 4], plan: [-90, 89.9],
  };
  const BACKGROUND = [0.965, 0.972, 0.98];
  const LIGHT = unit([-0.45, -0.8, 1.5]);

  const VERTEX = `#version 300 es
    layout(location = 0) in vec3 position;
    layout(location = 1) in vec3 normal;
    layout(location = 2) in vec4 bone;
    layout(location = 3) in vec4 weight;
    layout(location = 4) in vec4 bone_more;
    layout(location = 5) in vec4 weight_more;
    layout(location = 6) in vec3 unfolded;
    uniform mat4 model, view_projection, flatten, bones[44];
    uniform float load[44];
    uniform vec3 size;
    uniform bool skinned;
    out vec3 at, out_normal;
    out float heat;
    void main() {
      mat4 move = model;
      heat = 0.0;
      if (skinned) {
        float whole = 1.0 / dot(weight + weight_more, vec4(1.0));
        vec4 share = whole * weight, rest = whole * weight_more;
        ivec4 of = ivec4(bone), also = ivec4(bone_more);
        move = share.x * bones[of.x] + share.y * bones[of.y] + share.z * bones[of.z] + share.w * bones[of.w]
          + rest.x * bones[also.x] + rest.y * bones[also.y] + rest.z * bones[also.z] + rest.w * bones[also.w];
        heat = dot(share, vec4(load[of.x], load[of.y], load[of.z], load[of.w]))
          + dot(rest, vec4(load[also.x], load[also.y], load[also.z], load[also.w]));
      }
      vec4 world = flatten * (move * vec4(position * size, 1.0) + vec4(unfolded, 0.0));
      at = world.xyz;
      out_normal = mat3(move) * (normal / size);
      gl_Position = view_projection * world;
    }`;

  const FRAGMENT = `#version 300 es
    precision highp float;
    in vec3 at, out_normal;
    in float heat;
    uniform vec3 scale[4];
    uniform vec3 colour, eye, light, background, ground_u, ground_v, centre;
    uniform float opacity, radius;
    uniform int kind;  // 0 solid, 1 ground, 2 shadow, 3 plain colour
    out vec4 pixel;
    float lines(vec2 p, float width) {
      vec2 near = abs(fract(p - 0.5) - 0.5) / fwidth(p);
      return 1.0 - clamp(min(near.x, near.y) - width + 0.5, 0.0, 1.0);
    }
    vec3 warm(vec3 own) {
      float place = 3.0 * min(heat, 1.0);
      int low = int(min(floor(place), 2.0));
      return mix(mix(scale[low], scale[low + 1], place - float(low)), own, max(1.0 - heat / 0.08, 0.0));
    }
    void main() {
      if (kind == 3) { pixel = vec4(colour, opacity); return; }
      if (kind == 2) { pixel = vec4(0.07, 0.10, 0.16, opacity); return; }
      vec3 n = normalize(gl_FrontFacing ? out_normal : -out_normal);
      vec3 to_eye = normalize(eye - at);
      if (kind == 1) {
        vec2 p = vec2(dot(at, ground_u), dot(at, ground_v));
        float far = smoothstep(0.35 * radius, radius, length(at - centre));
        float grid = 0.16 * lines(p, 1.0) + 0.06 * lines(2.0 * p, 0.6);
        vec3 shade = colour * (1.0 - grid);
        pixel = vec4(mix(shade, background, far), gl_FrontFacing ? 1.0 : 0.35);
        return;
      }
      float sun = max(dot(n, light), 0.0), sky = 0.5 + 0.5 * n.z;
      float fill = max(dot(n, to_eye), 0.0);
      vec3 lit = warm(colour) * (0.34 + 0.20 * sky + 0.42 * sun + 0.16 * fill);
      lit += 0.10 * pow(max(dot(reflect(-light, n), to_eye), 0.0), 28.0);
      lit = mix(lit, lit * 0.72, pow(1.0 - fill, 3.0));
      pixel = vec4(lit, gl_FrontFacing ? opacity : 0.3 * opacity);
    }`;

  class Replay {
    constructor(element, scene, buffer) {
      this.scene = scene;
      this.speed = 1;
      this.playing = false;
      this.onTime = () => {};
      this.extras = this.onDraw = () => {};
      this.tone = () => null;
      this.show = {
        forces: true, joints: false, marks: true, skin: true, shapes: false, skeleton: false, covers: true, labels: true, lines: false, scale: true,
        map: false, shadow: true, apart: false, path: false,
      };
      this.follow = scene.follow;
      this.time = scene.start;
      this.element = element;
      this.canvas = document.createElement("canvas");
      this.canvas.tabIndex = 0;
      this.canvas.setAttribute("role", "img");
      this.canvas.setAttribute("aria-label", "3D replay: drag to turn, pinch or scroll with Ctrl to zoom");
      this.labels = document.createElement("div");
      this.labels.className = "replay-labels";
      element.append(this.canvas, this.labels);
      const options = { antialias: true, stencil: true, alpha: false, preserveDrawingBuffer: true };
      const gl = (this.gl = this.canvas.getContext("webgl2", options));
      if (!gl) throw new Error("this browser has no WebGL 2");
      this.actors = scene.actors.map((actor) => new Actor(gl, actor, buffer));
      this.end = scene.end;
      this.prepare();
      this.view(scene.view);
      this.listen();
      new ResizeObserver(() => this.draw()).observe(element);
      this.draw();
    }

    // time

    seek(time) {
      this.time = Math.min(Math.max(time, this.scene.start), this.end);
      this.draw();
      this.onTime(this.time);
    }

    play() {
      if (this.playing) return;
      if (this.time >= this.end - 1e-9) this.time = this.scene.start;
      this.playing = true;
      let before = performance.now();
      const step = (now) => {
        if (!this.playing) return;
        const time = this.time + ((now - before) / 1000) * this.speed;
        before = now;
        if (time >= this.end) this.playing = false;
        this.seek(time);
        requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    }

    pause() {
      this.playing = false;
      this.onTime(this.time);
    }

    // camera

    view(name) {
      [this.azimuth, this.elevation] = VIEWS[name].map((angle) => angle * DEGREE);
      this.preset = name;
      this.flat = name === "plan";
      this.along_y = Math.abs(Math.sin(this.azimuth)) > 0.95;
      this.reset();
    }

    reset() {
      this.zoom = 1;
      this.pan = [0, 0, 0];
      this.draw();
    }

    camera() {
      const wide = this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1);
      const { centre, high, broad } = this.together(this.flat ? false : this.follow);
      const angle = 26 * DEGREE;
      const distance = (1.12 * Math.max(high, broad / wide)) / Math.sin(angle / 2) / this.zoom;
      const target = add(centre, this.pan);
      const ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
      const back = [ce * Math.cos(this.azimuth), ce * Math.sin(this.azimuth), se];
      const eye = add(target, scaled(back, distance));
      const right = [-Math.sin(this.azimuth), Math.cos(this.azimuth), 0];
      const up = cross(back, right);
      const view = [
        right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
        -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
      ];
      const near = Math.max(0.02 * distance, distance - 30), far = distance + 80;
      const f = 1 / Math.tan(angle / 2);
      const s = f / distance, depth = 2 / (near - far);
      const projection = this.flat
        ? [s / wide, 0, 0, 0, 0, s, 0, 0, 0, 0, depth, 0, 0, 0, (far + near) / (near - far), 1]
        : [f / wide, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
      const matrix = product(projection, view), pixel = (2 * distance * Math.tan(angle / 2)) / this.canvas.clientHeight;
      return { eye, target, right, up, matrix, distance, pixel, flat: this.flat, project: (point) => transformed(matrix, point) };
    }

    // the middle of all results, at this time or of the whole run, and half of the room round it that must be seen
    together(follow) {
      const { reach, whole } = this.scene;
      const middle = (actor) => (follow ? actor.middle(this.time) : whole.centre);
      const centres = this.actors.map((actor, place) => add(middle(actor), this.aside(place)));
      const centre = scaled(centres.reduce(add), 1 / centres.length);
      const apart = centres.map((one) => add(one, scaled(centre, -1)));
      const spread = Math.max(...apart.map((one) => Math.hypot(...one)));
      const rise = Math.max(...apart.map((one) => Math.abs(one[2])));
      const size = follow ? reach : whole.reach;
      // what is set aside stands nearer to the camera or farther from it, and so lower or higher in the picture
      return { centre, high: size + rise + 0.3 * spread, broad: size + spread };
    }

    // how far a result is set aside, across the view that was chosen last
    aside(place) {
      if (!this.show.apart) return [0, 0, 0];
      return this.along_y ? [place * this.scene.apart[0], 0, 0] : [0, -place * this.scene.apart[1], 0];
    }

    listen() {
      const fingers = new Map();
      const canvas = this.canvas;
      let spread = 0;
      canvas.addEventListener("contextmenu", (event) => event.preventDefault());
      canvas.addEventListener("pointerdown", (event) => {
        canvas.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, [event.clientX, event.clientY]);
        spread = 0;
        canvas.focus({ preventScroll: true });
      });
      const lift = (event) => { fingers.delete(event.pointerId); spread = 0; };
      canvas.addEventListener("pointerup", lift);
      canvas.addEventListener("pointercancel", lift);
      canvas.addEventListener("pointermove", (event) => {
        const before = fingers.get(event.pointerId);
        if (!before) return;
        const dx = event.clientX - before[0], dy = event.clientY - before[1];
        fingers.set(event.pointerId, [event.clientX, event.clientY]);
        if (fingers.size === 2) {
          const [a, b] = [...fingers.values()];
          const now = Math.hypot(a[0] - b[0], a[1] - b[1]);
          if (spread) this.zoom = Math.min(Math.max((this.zoom * now) / spread, 0.2), 20);
          spread = now;
          this.shift(dx / 2, dy / 2);
        } else if (event.buttons === 2 || event.shiftKey) {
          this.shift(dx, dy);
        } else {
          this.azimuth -= dx * 0.4 * DEGREE;
          if (event.pointerType !== "touch") this.elevation += dy * 0.4 * DEGREE;
          this.elevation = Math.min(Math.max(this.elevation, -20 * DEGREE), 89.9 * DEGREE);
          this.preset = "";
          this.flat = false;
        }
        this.draw();
      });
      canvas.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && document.activeElement !== canvas) return;  // the page scrolls
        event.preventDefault();
        this.zoom = Math.min(Math.max(this.zoom * Math.exp(-event.deltaY * 0.0015), 0.2), 20);
        this.draw();
      }, { passive: false });
      canvas.addEventListener("dblclick", () => this.reset());
    }

    shift(dx, dy) {
      const { right, up, pixel } = this.camera();
      this.pan = add(this.pan, add(scaled(right, -dx * pixel), scaled(up, dy * pixel)));
    }

    // drawing

    prepare() {
      const gl = this.gl;
      const program = (this.program = link(gl, VERTEX, FRAGMENT));
      this.at = new Proxy({}, { get: (found, name) => (found[name] ??= gl.getUniformLocation(program, name)) });
      this.ball = upload(gl, ...sphere(20));
      this.arrow = upload(gl, ...arrow(16));
      this.rod = upload(gl, ...revolved([[0, 0, 0, -1], [1, 0, 0, -1], [1, 0, 1, 0], [1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 0, 1]], 10));
      this.marks = this.actors[0].impacts.map((impact) => {
        const label = document.createElement("span");
        label.textContent = `${impact.head} on ${impact.other}, ${(1e3 * impact.time).toFixed(0)} ms`;
        this.labels.append(label);
        return { ...impact, label };
      });
      this.names = this.actors.length < 2 ? [] : this.actors.map((actor) => {
        const label = document.createElement("span");
        label.className = "name";
        label.style.setProperty("--tint", `rgb(${actor.badge.map((part) => Math.round(255 * part))})`);
        this.labels.append(label);
        return { actor, label };
      });
    }

    draw() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => { this.waiting = false; this.paint(); });
    }

    paint() {
      const gl = this.gl, canvas = this.canvas, at = this.at;
      const ratio = Math.min(window.devicePixelRatio || 1, 2);
      const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
      if (!width || !height) return;
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
      const camera = this.camera();
      gl.viewport(0, 0, width, height);
      gl.clearColor(...BACKGROUND, 1);
      gl.clearStencil(0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
      gl.enable(gl.DEPTH_TEST);
      gl.enable(gl.BLEND);
      gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.useProgram(this.program);
      gl.uniformMatrix4fv(at.view_projection, false, camera.matrix);
      gl.uniform3fv(at.eye, camera.eye);
      gl.uniform3fv(at.light, LIGHT);
      gl.uniform3fv(at.background, BACKGROUND);
      const tone = (this.toned = this.tone());
      this.scale = tone?.scale ?? this.scene.scale;
      gl.uniform3fv(at["scale[0]"], this.scale.flat());
      gl.uniform3fv(at.centre, camera.target);
      gl.uniform1f(at.radius, Math.max(4 * this.scene.whole.reach, 6, 1.2 * camera.distance));
      const states = this.actors.map((actor, place) => actor.state(this.time, this.aside(place)));

      // the ground first, then shadows on it, then what stands on it
      for (const part of this.actors[0].parts) if (part.kind === "ground") this.ground(part, camera);
      if (this.show.shadow) this.shadows(states);
      states.forEach((state, place) => this.solids(state, place > 0 && !this.show.apart));
      for (const state of this.show.apart ? states : [states[0]]) this.bands(state);
      if (this.show.path) states.forEach((state) => this.paths(state));
      if (this.show.forces) for (const state of this.show.apart ? states : [states[0]]) this.forces(state);
      this.strained(states[0], this.show.marks);
      if (this.flat) this.ends();
      this.extras(camera, states);
      this.place_labels(camera, states);
      this.onDraw();
      this.painted ??= performance.now();  // [ms] from the start of the page to its first picture
    }

    // in the plan: everything where it ends, over what moves
    ends() {
      this.actors.forEach((actor, place) => {
        if (this.time < actor.frames.at(-1) - 1e-9) this.solids(actor.state(actor.frames.at(-1), this.aside(place)), true);
      });
    }

    // what extras draw: a line of steady width, a thick rope [m], a ball
    polyline(owner, points, count, colour, shift) {
      const gl = this.gl;
      const array = (owner.array ??= lined(gl, points, 12, 0));
      gl.disable(gl.DEPTH_TEST);
      this.mesh({ array, count: 0 }, placed(shift), colour, { kind: 3, opacity: 0.9 });
      gl.drawArrays(gl.LINE_STRIP, 0, count);
      gl.enable(gl.DEPTH_TEST);
    }

    rope(points, colour, radius) {
      for (let k = 0; k + 1 < points.length; k++) {
        const way = add(points[k + 1], scaled(points[k], -1)), length = Math.hypot(...way);
        if (length < 1e-9) continue;
        const model = along(points[k], scaled(way, 1 / length), length);
        for (let row = 0; row < 8; row++) model[row] *= radius;
        this.over(this.rod, model, colour, {});
      }
    }

    ball_at(point, colour, radius) { this.over(this.ball, placed(point), colour, { size: radius }); }

    // faint where bodies hide it
    over(mesh, model, colour, look) {
      const gl = this.gl;
      gl.disable(gl.DEPTH_TEST);
      this.mesh(mesh, model, colour, { ...look, kind: 3, opacity: 0.45 });
      gl.enable(gl.DEPTH_TEST);
      this.mesh(mesh, model, colour, look);
    }

    ground(part) {
      const gl = this.gl, at = this.at;
      gl.uniform3fv(at.ground_u, this.scene.ground.u);
      gl.uniform3fv(at.ground_v, this.scene.ground.v);
      this.mesh(part.mesh, IDENTITY, part.colour, { kind: 1 });
    }

    shadows(states) {
      const gl = this.gl, ground = this.scene.ground;
      if (!ground || dot(ground.normal, LIGHT) < 0.15) return;
      gl.enable(gl.STENCIL_TEST);
      gl.stencilFunc(gl.EQUAL, 0, 255);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
      gl.depthMask(false);
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(-2, -4);
      const flatten = flattened(ground.point, ground.normal, LIGHT);
      states.forEach((state, place) => {
        if (place && !this.show.apart) return;
        for (const part of state.actor.parts) {
          if (part.body < 0 || !this.shown(part)) continue;
          this.mesh(part.mesh, state.models[part.body], part.colour, { kind: 2, opacity: 0.20, flatten });
        }
        if (this.show.skin) this.skins(state, (mesh, colour, look) => this.mesh(mesh, IDENTITY, colour, { ...look, kind: 2, opacity: 0.20, flatten }));
      });
      gl.disable(gl.POLYGON_OFFSET_FILL);
      gl.depthMask(true);
      gl.disable(gl.STENCIL_TEST);
    }

    shown(part) {
      if (part.kind === "cover") return this.show.covers;
      if (part.under && this.show.covers) return false;
      return !((this.show.skin || this.show.skeleton) && !this.show.shapes && part.kind === "segment" && part.skinned);
    }

    // how loaded every body is drawn, 0 to 1, and its own colour
    loads(state) { return this.toned ? this.toned.of(state.actor) : state.glow; }
    own(actor, colour, ghost) {
      const own = this.toned ? [0.72, 0.74, 0.76] : colour;
      return actor.tint ? mix(own, actor.tint, ghost ? 0.8 : 0.35) : own;
    }

    // people as continuous meshes, what covers them one after the other
    skins(state, draw) {
      for (const skin of state.skins) {
        const look = { bones: skin.bones, load: this.toned ? skin.spread(this.loads(state)) : skin.load };
        for (const { mesh, colour } of skin.cloth) draw(mesh, colour, look);
      }
    }

    solids(state, ghost) {
      const gl = this.gl, actor = state.actor;
      if (this.show.skin) {
        gl.enable(gl.CULL_FACE);
        gl.cullFace(gl.BACK);
        const clear = ghost || this.show.skeleton || this.show.shapes, opacity = ghost ? 0.38 : clear ? 0.45 : 1;
        if (clear) {
          gl.colorMask(false, false, false, false);
          this.skins(state, (mesh, colour, look) => this.mesh(mesh, IDENTITY, colour, look));
          gl.colorMask(true, true, true, true);
          gl.depthFunc(gl.LEQUAL);
        }
        this.skins(state, (mesh, colour, look) => {
          this.mesh(mesh, IDENTITY, this.own(actor, colour, ghost), { ...look, load: ghost ? null : look.load, opacity });
        });
        gl.depthFunc(gl.LESS);
        gl.disable(gl.CULL_FACE);
      }
      for (const pass of ["solid", "surface"]) {
        for (const part of actor.parts) {
          const surface = part.kind === "surface" || part.kind === "cover", segment = part.kind === "segment";
          if (part.kind === "ground" || surface !== (pass === "surface") || !this.shown(part)) continue;
          if (ghost && surface && part.body < 0) continue;
          const model = part.body < 0 ? IDENTITY : state.models[part.body];
          let colour = surface ? part.colour : segment ? this.own(actor, part.colour, ghost) : actor.tint ? mix(part.colour, actor.tint, ghost ? 0.8 : 0.35) : part.colour;
          if (part.body >= 0 && !ghost && !surface) colour = warm(this.scale, colour, this.loads(state)[part.body]);
          const look = { opacity: ghost ? 0.38 : 1 };
          if (surface) {
            gl.enable(gl.CULL_FACE);
            gl.cullFace(gl.BACK);
            this.mesh(part.mesh, model, colour, look);
            gl.cullFace(gl.FRONT);
            gl.depthMask(false);
            this.mesh(part.mesh, model, colour, look);
            gl.depthMask(true);
            gl.disable(gl.CULL_FACE);
          } else {
            gl.enable(gl.CULL_FACE);
            gl.cullFace(gl.BACK);
            if (ghost) {
              // depth first, so that a ghost does not show its own inside
              gl.colorMask(false, false, false, false);
              this.mesh(part.mesh, model, colour, look);
              gl.colorMask(true, true, true, true);
              gl.depthFunc(gl.LEQUAL);
            }
            this.mesh(part.mesh, model, colour, look);
            gl.depthFunc(gl.LESS);
            gl.disable(gl.CULL_FACE);
          }
        }
      }
    }

    bands(state) {
      for (const { mesh, model, colour } of state.bands) this.mesh(mesh, model, colour, {});
    }

    forces(state) {
      const arrows = state.arrows.map(({ point, force, size }) => {
        const length = this.scene.arrow * Math.sqrt(size / this.scene.largest);
        return along(point, scaled(force, 1 / size), length);
      });
      // faint through the bodies, full where nothing hides them
      this.gl.disable(this.gl.DEPTH_TEST);
      for (const model of arrows) this.mesh(this.arrow, model, this.scene.force, { kind: 3, opacity: 0.30 });
      this.gl.enable(this.gl.DEPTH_TEST);
      for (const model of arrows) this.mesh(this.arrow, model, this.scene.force, {});
    }

    // where heads have been so far
    paths(state) {
      const gl = this.gl, actor = state.actor, [, frame] = actor.between(this.time);
      gl.disable(gl.DEPTH_TEST);
      for (const path of actor.paths(gl)) {
        this.mesh({ array: path, count: 0 }, placed(state.shift), actor.badge, { kind: 3, opacity: 0.8 });
        gl.drawArrays(gl.LINE_STRIP, 0, frame + 1);
      }
      gl.enable(gl.DEPTH_TEST);
    }

    strained(state, visible) {
      const gl = this.gl;
      const marks = state.strained.map((point) => [placed(point), this.scene.strained, 0.045]);
      for (const impact of this.marks) {
        const model = state.models[impact.body];
        impact.at = through(model, impact.point);
        if (this.time >= impact.time) marks.push([placed(impact.at), this.scene.impact, 0.032]);
      }
      if (!visible) return;
      gl.disable(gl.DEPTH_TEST);
      for (const [model, colour, size] of marks) this.mesh(this.ball, model, colour, { kind: 3, opacity: 0.35, size });
      gl.enable(gl.DEPTH_TEST);
      for (const [model, colour, size] of marks) this.mesh(this.ball, model, colour, { size });
    }

    place_labels(camera, states) {
      const { clientWidth: width, clientHeight: height } = this.canvas;
      const put = (label, point, visible) => {
        const [x, y, , w] = transformed(camera.matrix, point);
        label.style.visibility = visible && w > 0 && this.show.labels ? "visible" : "hidden";
        label.style.left = `${(0.5 + (0.5 * x) / w) * width}px`;
        label.style.top = `${(0.5 - (0.5 * y) / w) * height}px`;
      };
      for (const impact of this.marks) put(impact.label, impact.at, this.time >= impact.time);
      this.names.forEach(({ actor, label }, place) => {
        const last = actor.frames.at(-1);
        label.textContent = actor.title + (this.time > last + 1e-6 ? ` (ended at ${(1e3 * last).toFixed(0)} ms)` : "");
        label.classList.toggle("listed", !this.show.apart);  // ghosts stand in one place, their names do not
        if (this.show.apart) put(label, add(states[place].centre, [0, 0, 0.75 * this.scene.reach]), true);
        else Object.assign(label.style, { visibility: this.show.labels ? "visible" : "hidden", left: "10px", top: `${10 + 24 * place}px` });
      });
    }

    mesh(mesh, model, colour, { kind = 0, opacity = 1, flatten = IDENTITY, size = 1, bones = null, load = null }) {
      const gl = this.gl, at = this.at;
      gl.uniformMatrix4fv(at.model, false, model);
      gl.uniformMatrix4fv(at.flatten, false, flatten);
      gl.uniform3f(at.size, size, size, size);
      gl.uniform3fv(at.colour, colour);
      gl.uniform1f(at.opacity, opacity);
      gl.uniform1i(at.kind, kind);
      gl.uniform1i(at.skinned, bones ? 1 : 0);
      if (bones) {
        gl.uniformMatrix4fv(at["bones[0]"], false, bones);
        gl.uniform1fv(at["load[0]"], load ?? new Float32Array(bones.length / 16));
      }
      gl.bindVertexArray(mesh.array);
      if (mesh.count) gl.drawElements(gl.TRIANGLES, mesh.count, mesh.type, mesh.first ?? 0);
    }
  }

  // one result

  class Actor {
    constructor(gl, actor, buffer) {
      Object.assign(this, actor);
      const read = (ref) => new TYPES[ref.type](buffer, ref.offset, ref.length);
      this.frames = read(actor.time);
      this.position = read(actor.position);
      this.orientation = read(actor.orientation);
      this.glow = read(actor.glow);
      this.centres = read(actor.centre);
      this.excess = actor.strained && read(actor.strained);
      this.joint_point = read(actor.joint_point);
      this.contacts = { frame: read(actor.contact.frame), values: read(actor.contact.values) };
      this.stretched = actor.stretched.map(({ count, colour, vertices, normals, triangles, boxes }) => ({
        count, colour, boxes: read(boxes), mesh: upload(gl, read(vertices), read(normals), read(triangles)),
      }));
      this.parts = actor.parts.map((part) => ({
        ...part,
        mesh: upload(gl, read(part.vertices), read(part.normals), read(part.triangles)),
        solid: { vertices: read(part.vertices), triangles: read(part.triangles) },
      }));
      this.loads = read(actor.pressed);
      this.skins = actor.skins.map((skin) => new Skin(gl, skin, read));
    }

    // frame before a time, and the share of the next one
    between(time) {
      const frames = this.frames;
      let low = 0, high = frames.length - 1;
      if (time <= frames[0]) return [0, 0, 0];
      if (time >= frames[high]) return [high, high, 0];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (frames[middle] <= time) low = middle; else high = middle;
      }
      return [low, high, (time - frames[low]) / (frames[high] - frames[low])];
    }

    // how a body is placed and turned at a frame
    model(frame, body) {
      if (body < 0) return IDENTITY;
      const at = this.bodies * frame + body;
      return posed(this.position.subarray(3 * at, 3 * at + 3), Array.from(this.orientation.subarray(4 * at, 4 * at + 4)));
    }

    paths(gl) {
      return (this.drawn_paths ??= this.heads.map((head) => lined(gl, this.position, 12 * this.bodies, 12 * head)));
    }

    middle(time) {
      const [a, b, share] = this.between(time);
      return [0, 1, 2].map((k) => this.centres[3 * a + k] * (1 - share) + this.centres[3 * b + k] * share);
    }

    state(time, shift) {
      const [a, b, share] = this.between(time);
      const count = this.bodies, models = [], turns = [], glow = [];
      const nearest = share < 0.5 ? a : b;
      for (let body = 0; body < count; body++) {
        const i = count * a + body, j = count * b + body;
        const p = [0, 1, 2].map((k) => shift[k] + this.position[3 * i + k] * (1 - share) + this.position[3 * j + k] * share);
        const q = [0, 1, 2, 3].map((k) => this.orientation[4 * i + k]);
        const r = [0, 1, 2, 3].map((k) => this.orientation[4 * j + k]);
        const sign = q[0] * r[0] + q[1] * r[1] + q[2] * r[2] + q[3] * r[3] < 0 ? -1 : 1;
        turns.push(q.map((value, k) => value * (1 - share) + sign * r[k] * share));
        models.push(posed(p, turns[body]));
        glow.push((this.glow[i] * (1 - share) + this.glow[j] * share) / 255);
      }
      const strained = [];
      if (this.excess) {
        for (let joint = 0; joint < count; joint++) {
          if (this.excess[count * nearest + joint]) strained.push(through(models[joint], this.joint_point.subarray(3 * joint, 3 * joint + 3)));
        }
      }
      const arrows = [];
      for (let row = this.contacts.frame[nearest]; row < this.contacts.frame[nearest + 1]; row++) {
        const v = this.contacts.values.subarray(6 * row, 6 * row + 6);
        const force = [v[3], v[4], v[5]];
        arrows.push({ point: add([v[0], v[1], v[2]], shift), force, size: Math.hypot(...force) });
      }
      const bands = [];
      for (const { mesh, colour, count, boxes } of this.stretched) {
        for (let row = 0; row < count; row++) {
          const v = boxes.subarray(12 * (count * nearest + row), 12 * (count * nearest + row + 1));
          const model = [v[0], v[1], v[2], 0, v[3], v[4], v[5], 0, v[6], v[7], v[8], 0, v[9] + shift[0], v[10] + shift[1], v[11] + shift[2], 1];
          bands.push({ mesh, model, colour });
        }
      }
      const centre = add(this.middle(time), shift);
      const skins = this.skins.map((skin) => ({ cloth: skin.cloth, spread: (loads) => skin.spread(loads), ...skin.pose(models, turns, glow) }));
      return { actor: this, models, glow, strained, arrows, bands, centre, shift, skins };
    }
  }

  // a person as one mesh that bones deform: the segments, and bones at each joint that turn by a part of it (view/skin.py)
  class Skin {
    constructor(gl, skin, read) {
      Object.assign(this, skin);
      const mesh = upload(gl, read(skin.vertices), Float32Array.from(read(skin.normals), (value) => (value - 128) / 127), read(skin.triangles));
      [skin.bone, skin.weight].forEach((ref, place) => {
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, read(ref), gl.STATIC_DRAW);
        for (let four = 0; 4 * four < skin.follows; four++) {
          gl.enableVertexAttribArray(2 + place + 2 * four);
          gl.vertexAttribPointer(2 + place + 2 * four, 4, gl.UNSIGNED_BYTE, false, skin.follows, 4 * four);
        }
      });
      this.gl = gl;
      this.folds = new Folds(skin, read);
      this.unfolded = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, this.unfolded);
      gl.bufferData(gl.ARRAY_BUFFER, this.folds.shift, gl.DYNAMIC_DRAW);
      gl.enableVertexAttribArray(6);
      gl.vertexAttribPointer(6, 3, gl.FLOAT, false, 0, 0);
      let first = 0;
      this.cloth = skin.cloth.map(({ colour, count }) => {
        const part = { colour, mesh: { ...mesh, count, first: 2 * first } };
        first += count;
        return part;
      });
    }

    // a value of every body as one of every bone
    spread(values) {
      const own = this.body.map((body) => values[body]);
      return new Float32Array([...own, ...this.pair.map(([above, below], k) => (1 - this.part[k]) * own[above] + this.part[k] * own[below])]);
    }

    pose(models, turns, glow) {
      const bones = [];
      const change = this.body.map((body, k) => times(turns[body], conjugate(this.rest_turn[k])));
      const moved = (place, turn, k) => product(posed(place, turn), placed(scaled(this.rest_place[k], -1)));
      this.body.forEach((body, k) => bones.push(moved(models[body].slice(12, 15), change[k], k)));
      this.pair.forEach(([above, below], k) => {
        const sign = change[above].reduce((sum, value, i) => sum + value * change[below][i], 0) < 0 ? -1 : 1;
        const part = this.part[k], between = change[above].map((value, i) => (1 - part) * value + part * sign * change[below][i]);
        const ends = [above, below].map((side, i) => through(models[this.body[side]], this.point[k][i]));
        bones.push(moved(scaled(add(...ends), 0.5), between, this.body.length + k));
      });
      if (this.folds.open(bones)) {
        this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.unfolded);
        this.gl.bufferSubData(this.gl.ARRAY_BUFFER, 0, this.folds.shift);
      }
      return { bones: new Float32Array(bones.flat()), load: this.spread(glow) };
    }
  }

  // meshes

  const TYPES = { f4: Float32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array };

  function upload(gl, vertices, normals, triangles) {
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    [vertices, normals].forEach((values, place) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
    const type = triangles instanceof Uint32Array ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT;
    return { array, count: triangles.length, type };
  }

  // a line through points (x, y, z) of a longer array; steps and first place in bytes
  function lined(gl, points, step, first) {
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, points, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, step, first);
    return array;
  }

  function revolved(profile, n) {
    const vertices = [], normals = [], triangles = [];
    profile.forEach(([r, z, nr, nz]) => {
      for (let k = 0; k <= n; k++) {
        const angle = (2 * Math.PI * k) / n;
        vertices.push(r * Math.cos(angle), r * Math.sin(angle), z);
        normals.push(nr * Math.cos(angle), nr * Math.sin(angle), nz);
      }
    });
    for (let row = 0; row + 1 < profile.length; row++) {
      for (let k = 0; k < n; k++) {
        const a = row * (n + 1) + k, b = a + n + 1;
        triangles.push(a, a + 1, b + 1, a, b + 1, b);
      }
    }
    return [new Float32Array(vertices), new Float32Array(normals), new Uint16Array(triangles)];
  }

  function sphere(n) {
    const profile = [];
    for (let k = 0; k <= n / 2; k++) {
      const polar = Math.PI * (k / (n / 2) - 1);
      profile.push([Math.abs(Math.sin(polar)), Math.cos(polar), Math.abs(Math.sin(polar)), Math.cos(polar)]);
    }
    return revolved(profile, n);
  }

  // along z from 0 to 1; its thickness is fixed [m]
  function arrow(n) {
    const r = 0.011, R = 0.030, c = 0.6, s = 0.8;
    return revolved([[0, 0, 0, -1], [r, 0, 0, -1], [r, 0, 1, 0], [r, 0.75, 1, 0], [r, 0.75, 0, -1], [R, 0.75, 0, -1], [R, 0.75, s, c], [0, 1, s, c]], n);
  }

  function link(gl, vertex, fragment) {
    const program = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  }

  // vectors and matrices, columns first

  const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  function add(a, b) { return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]; }
  function scaled(a, s) { return [a[0] * s, a[1] * s, a[2] * s]; }
  function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  function cross(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }
  function unit(a) { return scaled(a, 1 / Math.hypot(...a)); }
  function mix(a, b, s) { return a.map((value, k) => value * (1 - s) + b[k] * s); }
  // a colour under a load from 0 to 1, as view/glow.py has it
  function warm(scale, own, place) {
    const at = Math.min(place, 1) * (scale.length - 1), low = Math.min(Math.floor(at), scale.length - 2);
    return mix(mix(scale[low], scale[low + 1], at - low), own, Math.max(1 - place / 0.08, 0));
  }
  function conjugate([w, x, y, z]) { return [w, -x, -y, -z]; }
  function times([a, b, c, d], [e, f, g, h]) {
    return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
  }
  function placed(p) { return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, p[0], p[1], p[2], 1]; }
  function transformed(m, p) {
    return [0, 1, 2, 3].map((row) => m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row]);
  }
  function through(m, p) { return transformed(m, p).slice(0, 3); }
  function product(a, b) {
    const c = new Array(16).fill(0);
    for (let i = 0; i < 4; i++) for (let j = 0; j < 4; j++) for (let k = 0; k < 4; k++) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
    return c;
  }
  function posed(p, q) {
    const s = 1 / Math.hypot(...q);
    const [w, x, y, z] = q.map((value) => value * s);
    return [
      1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
      2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
      2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0,
      p[0], p[1], p[2], 1,
    ];
  }
  // z along a direction, stretched
  function along(point, direction, length) {
    const side = unit(cross(direction, Math.abs(direction[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));
    const other = cross(direction, side);
    return [...side, 0, ...other, 0, ...scaled(direction, length), 0, ...point, 1];
  }
  // everything onto a plane, away from the light
  function flattened(point, normal, light) {
    const d = dot(point, normal), slope = dot(normal, light), m = [];
    for (let column = 0; column < 3; column++) {
      for (let row = 0; row < 3; row++) m.push((row === column ? 1 : 0) - (light[row] * normal[column]) / slope);
      m.push(0);
    }
    return [...m, ...scaled(light, d / slope), 1];
  }

  return Replay;
})();

// what is embedded in a page: gzip, base64
async function unpacked(id) {
  const text = document.getElementById(id).textContent.trim();
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

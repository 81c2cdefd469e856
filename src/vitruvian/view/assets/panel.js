// The controls of a replay, and every button of the page that shows a moment.
//
// window.report is ready when its promise is: { tree, buffer, replay, seek(t), onTime: [functions] }
"use strict";

const report = { onTime: [], replay: null, time: 0 };

report.seek = (time) => {
  if (report.replay) {
    report.replay.pause();
    report.replay.seek(time);
  } else {
    report.time = time;
    for (const tell of report.onTime) tell(time);
  }
};

report.ready = (async () => {
  report.tree = JSON.parse(document.getElementById("tree").textContent);
  if (!("DecompressionStream" in window)) {
    document.body.classList.add("old");
    throw new Error("this browser is too old for the replay and the charts; all else is here");
  }
  report.buffer = await unpacked("block");
  if (report.tree.scene) startReplay(document.getElementById("panel"));
  for (const button of document.querySelectorAll("button[data-time]")) {
    button.addEventListener("click", () => {
      report.seek(Number(button.dataset.time));
      if (!button.closest(".panel, .charts")) document.getElementById("motion")?.scrollIntoView({ behavior: "smooth" });
    });
  }
  const save = document.getElementById("save");
  save?.addEventListener("click", () => {
    const text = document.getElementById("scenario");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text.textContent], { type: "text/plain" }));
    link.download = text.dataset.name;
    link.click();
  });
  document.body.dataset.ready = "replay";
})();

function startReplay(panel) {
  const scene = report.tree.scene;
  let replay;
  try {
    replay = report.replay = new Replay(panel.querySelector(".replay"), scene, report.buffer);
  } catch (problem) {
    console.warn(problem.message);
    panel.classList.add("failed");
    return;
  }
  const play = panel.querySelector(".play"), time = panel.querySelector(".time");
  const scrub = panel.querySelector(".scrub"), speed = panel.querySelector(".speed");
  Object.assign(scrub, { min: scene.start, max: scene.end, value: scene.start });

  replay.onTime = (now) => {
    report.time = now;
    time.textContent = `${(1e3 * now).toFixed(1)} ms`;
    scrub.value = now;
    play.textContent = replay.playing ? "Pause" : "Play";
    for (const button of panel.querySelectorAll(".moments .window")) {
      button.classList.toggle("now", now >= Number(button.dataset.time) - 1e-9 && now <= Number(button.dataset.end) + 1e-9);
    }
    for (const tell of report.onTime) tell(now);
  };

  // an impact lasts milliseconds: about ten seconds for all of it, at most real time
  const wanted = Math.min((scene.end - scene.start) / 10, 1);
  const speeds = [...speed.options].map((option) => Number(option.value));
  replay.speed = speeds.reduce((best, value) => (Math.abs(Math.log(value / wanted)) < Math.abs(Math.log(best / wanted)) ? value : best));
  speed.value = String(replay.speed);
  speed.addEventListener("change", () => { replay.speed = Number(speed.value); });

  const toggle = () => (replay.playing ? replay.pause() : replay.play());
  const timeline = (report.timeline = startTimeline(scene, replay));
  timeline.onToggle = toggle;
  report.onTime.push((now) => timeline.at(now));
  play.addEventListener("click", toggle);
  scrub.addEventListener("input", () => { const to = Number(scrub.value); replay.pause(); replay.seek(to); });
  panel.addEventListener("keydown", (event) => {
    if (event.target.matches("select") || (event.target.matches("button, input:not(.scrub)") && event.key === " ")) return;
    timeline.key(event);
  });

  const views = [...panel.querySelectorAll("[data-view]")];
  const mark = () => views.forEach((button) => button.classList.toggle("on", button.dataset.view === replay.preset));
  for (const button of views) button.addEventListener("click", () => { replay.view(button.dataset.view); mark(); });
  replay.canvas.addEventListener("pointerup", mark);
  mark();
  for (const box of panel.querySelectorAll("[data-show]")) {
    const key = box.dataset.show;
    box.checked = key === "follow" ? replay.follow : replay.show[key];
    box.addEventListener("change", () => {
      if (key === "follow") replay.follow = box.checked;
      else replay.show[key] = box.checked;
      replay.draw();
    });
  }

  const tools = (report.tools = new Tools(replay, replay.element));
  const act = {
    measure: (button) => { tools.measure(!tools.measuring); button.classList.toggle("on", tools.measuring); },
    picture: () => tools.save_picture(),
    film: async (button) => {
      if (button.classList.contains("on")) { tools.stopped = true; return; }
      button.classList.add("on");
      await tools.save_film((words) => { button.textContent = `${words} (click to stop)`; });
      button.classList.remove("on");
      button.textContent = "save film";
    },
    full: () => (document.fullscreenElement ? document.exitFullscreen() : panel.requestFullscreen()),
  };
  for (const button of panel.querySelectorAll("[data-act]")) button.addEventListener("click", () => act[button.dataset.act](button));
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { tools.choose(null); tools.measure(false); panel.querySelector("[data-act=measure]").classList.remove("on"); }
  });
  report.onTime.push(() => tools.tell());

  replay.seek(scene.start);
}

function startTimeline(scene, replay) {
  const { events, curve } = report.tree.timeline;
  const read = (ref) => new Float32Array(report.buffer, ref.offset, ref.length);
  const longest = replay.actors.reduce((best, actor) => (actor.frames.at(-1) > best.at(-1) ? actor.frames : best), replay.actors[0].frames);
  const timeline = new Timeline(document.getElementById("timeline"), {
    start: scene.start, end: scene.end, events, frames: longest, curve: curve && { words: curve.words, x: read(curve.x), y: read(curve.y) },
  });
  timeline.onSeek = (time) => report.seek(time);
  return timeline;
}

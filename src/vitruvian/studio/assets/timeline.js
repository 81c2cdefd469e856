// Puts the timeline of the report (view/assets/timeline.js) into the studio's page, wherever a div of the class
// `studio-timeline` holds its data. The time is read from the slider "time [ms]", and set by it.
"use strict";

(() => {
  if (window.studioTimeline) return;
  window.studioTimeline = true;
  const style = document.createElement("style");
  style.textContent = `${TIMELINE_STYLE} .studio-timeline .timeline-strip { height: 42px; } .studio-timeline .timeline { margin: 0 0.2rem; }`;
  document.head.append(style);

  const labelled = (panel, words) => [...panel.querySelectorAll("label, div, p, span")].find((one) => !one.children.length && one.textContent.trim() === words);
  // the number field of the slider, which is what the page sends when it changes
  function field() {
    let box = labelled(document, "time [ms]");
    while (box && !box.querySelector("input")) box = box.parentElement;
    return box && [...box.querySelectorAll("input")].at(-1);
  }
  function set(input, value) {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function button() {
    return [...document.querySelectorAll("button")].find((one) => ["Play", "Pause"].includes(one.textContent.trim()));
  }

  function start(box) {
    box.dataset.live = "1";
    const timeline = new Timeline(box, { ...JSON.parse(box.dataset.timeline), eager: true });
    let asked = null, shown = "", keep = null;
    timeline.onSeek = (time) => { asked = time; timeline.at(time); };
    timeline.onToggle = () => button()?.click();
    const follow = () => {
      if (!box.isConnected) return;
      const input = field();
      if (input) {
        if (asked !== null) {
          // the number field takes the focus when its value is set, sooner or later
          keep = { part: box.contains(document.activeElement) ? document.activeElement : keep?.part, until: performance.now() + 400 };
          set(input, (1e3 * asked).toFixed(1));
          shown = input.value;
          asked = null;
        } else if (input.value !== shown) {
          shown = input.value;
          if (Math.abs(1e-3 * Number(shown) - timeline.time) > 6e-5) timeline.at(1e-3 * Number(shown));
        }
      }
      if (keep?.part && performance.now() < keep.until && document.activeElement === input) keep.part.focus({ preventScroll: true });
      setTimeout(follow, 40);
    };
    follow();
  }
  const look = () => document.querySelectorAll(".studio-timeline:not([data-live])").forEach(start);
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  look();
})();

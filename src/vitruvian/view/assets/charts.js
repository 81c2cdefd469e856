// The charts of a report: one cursor and one zoom for all of them, linked to the replay both ways.
"use strict";

const COLOURS = ["#22577a", "#e07a5f", "#2f7d57", "#8a5aa8", "#c99a2e", "#5b6875"];
const FONT = { family: "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif", size: 12, color: "#18232f" };

report.charts = report.ready.then(async () => {
  const charts = report.tree.charts;
  if (!charts.length) return;
  // the replay shows its first picture before the script of the charts takes the processor
  await new Promise((go) => { requestAnimationFrame(() => requestAnimationFrame(go)); setTimeout(go, 300); });
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(await unpacked("plotly"));
  document.head.append(script);
  const boxes = [];
  for (const chart of charts) {
    const box = document.getElementById(`chart-${chart.key}`);
    box.classList.toggle("tall", chart.curves.length > 3);
    await Plotly.newPlot(box, traces(chart), layout(chart), { responsive: true, displaylogo: false, displayModeBar: false });
    box.cursor = document.createElement("div");
    box.cursor.className = "cursor";
    box.append(box.cursor);
    boxes.push(box);
    link(box, boxes);
  }
  const tell = (time) => boxes.forEach((box) => point(box, 1e3 * time));
  report.onTime.push(tell);
  linkTimeline(boxes[0]);
  tell(report.time);
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
  addEventListener("beforeprint", () => boxes.forEach((box) => {
    const tall = box.classList.contains("tall");
    Plotly.relayout(box, { width: 325, height: tall ? 270 : 225, "legend.font.size": 8.5, "font.size": 10 });
  }));
  addEventListener("afterprint", () => boxes.forEach((box) => Plotly.relayout(box, { width: null, height: null, autosize: true, "legend.font.size": 11, "font.size": FONT.size })));
  document.body.dataset.ready = "charts";
});

function read(ref) {
  return new { f4: Float32Array }[ref.type](report.buffer, ref.offset, ref.length);
}

function traces(chart) {
  let place = 0;
  const alone = chart.curves.length === 1;
  return chart.curves.map((curve) => ({
    type: "scatter", mode: "lines", name: curve.name, x: read(curve.x), y: read(curve.y), showlegend: !alone,
    line: { color: curve.faint ? "#aab6c2" : COLOURS[place++ % COLOURS.length], width: curve.faint ? 1 : 1.7, dash: curve.other ? "dot" : "solid" },
    hovertemplate: `%{y:.4g} ${chart.unit}`,
  }));
}

function layout(chart) {
  const axis = { gridcolor: "#edf0f3", zerolinecolor: "#cfd6dd", linecolor: "#8b97a3", ticks: "outside", tickcolor: "#8b97a3", ticklen: 4, automargin: true, exponentformat: "none", separatethousands: true };
  return {
    autosize: true, margin: { l: 46, r: 10, t: 8, b: 34 }, font: FONT, paper_bgcolor: "#fff", plot_bgcolor: "#fff",
    hovermode: "x unified", separators: ". ", hoverlabel: { namelength: 28 }, dragmode: "zoom",
    legend: { orientation: "h", y: 1.0, yanchor: "bottom", x: 0, font: { size: 11 } },
    xaxis: { ...axis, title: { text: "time [ms]", standoff: 4, font: { size: 11 } }, range: [1e3 * start(), 1e3 * end()], hoverformat: ".1f" },
    yaxis: { ...axis, rangemode: "tozero", fixedrange: true },
    shapes: chart.windows.map((window, place) => ({
      type: "rect", xref: "x", yref: "paper", x0: window.start, x1: window.end, y0: 0, y1: 1, layer: "below",
      fillcolor: place ? "rgba(242,204,143,0.45)" : "rgba(224,122,95,0.35)", line: { width: 0.5, color: "#e07a5f" },
    })),
    annotations: chart.windows.map((window, place) => ({
      x: window.end, y: 1 - 0.11 * place, xref: "x", yref: "paper", text: `${window.label}: ${window.start.toFixed(1)} to ${window.end.toFixed(1)} ms`,
      showarrow: false, xanchor: window.end > 500 * (start() + end()) ? "right" : "left", yanchor: "top", font: { size: 10.5, color: "#a4472d" },
      bgcolor: "rgba(255,255,255,0.8)", xshift: window.end > 500 * (start() + end()) ? -4 : 4,
    })),
  };
}

function start() { return report.tree.scene?.start ?? report.tree.charts[0].curves[0].first ?? 0; }
function end() {
  if (report.tree.scene) return report.tree.scene.end;
  return Math.max(...report.tree.charts.flatMap((chart) => chart.curves.map((curve) => read(curve.x).at(-1) ?? 0))) / 1e3;
}

function point(box, time) {
  const { xaxis, yaxis } = box._fullLayout;
  const x = xaxis.l2p(time);
  const inside = x >= -0.5 && x <= xaxis._length + 0.5;
  Object.assign(box.cursor.style, {
    display: inside ? "block" : "none", left: `${xaxis._offset + x}px`, top: `${yaxis._offset}px`, height: `${yaxis._length}px`,
  });
  box.dataset.time = time.toFixed(1);
}

function link(box, boxes) {
  // a click anywhere in the drawing shows that moment
  box.addEventListener("click", (event) => {
    const { xaxis } = box._fullLayout;
    const x = event.clientX - box.getBoundingClientRect().left - xaxis._offset;
    if (x >= 0 && x <= xaxis._length && !event.target.closest(".legend")) report.seek(xaxis.p2l(x) / 1e3);
  }, true);
  // a zoom of one is a zoom of all
  box.on("plotly_relayout", (change) => {
    if (box.told || !("xaxis.range[0]" in change || "xaxis.autorange" in change)) { point(box, 1e3 * report.time); return; }
    const range = "xaxis.autorange" in change ? [1e3 * start(), 1e3 * end()] : [change["xaxis.range[0]"], change["xaxis.range[1]"]];
    if (box.led) box.led = false;  // the timeline asked, and may be further by now
    else report.timeline?.window(range[0] / 1e3, (range[1] - range[0]) / 1e3);
    for (const other of boxes) {
      other.told = true;
      Plotly.relayout(other, { "xaxis.range": [...range] }).then(() => { other.told = false; point(other, 1e3 * report.time); });
    }
  });
  box.on("plotly_afterplot", () => point(box, 1e3 * report.time));
}

// a zoom of the timeline is a zoom of all charts, once it has stopped
function linkTimeline(box) {
  let waiting = 0;
  if (!report.timeline) return;
  report.timeline.onZoom = (from, to) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { box.led = true; Plotly.relayout(box, { "xaxis.range[0]": 1e3 * from, "xaxis.range[1]": 1e3 * to }); }, 150);
  };
}

// The charts of a study: figures made by Python, drawn by plotly; a click links to the replay of a case, and to the command that writes it.
"use strict";

async function unpacked(id) {
  const text = document.getElementById(id).textContent.trim();
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

(async () => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const script = document.createElement("script");
  script.textContent = new TextDecoder().decode(await unpacked("plotly"));
  document.head.append(script);
  for (const figure of figures) {
    const box = document.getElementById(figure.key);
    await Plotly.newPlot(box, figure.data, figure.layout, { responsive: true, displaylogo: false, displayModeBar: false });
    box.on("plotly_click", (event) => {
      const number = event.points[0].customdata;
      if (number === undefined) return;
      const line = document.getElementById("case");
      const link = document.createElement("a");
      link.href = `case-${String(number).padStart(6, "0")}/report.html`;
      link.textContent = "open its replay";
      line.replaceChildren(`Case ${number}: `, link, `, after  ${line.dataset.command} --case ${number}  has written it.`);
    });
  }
  document.body.dataset.ready = "charts";
})();

// Draws one Mermaid diagram and posts the result to the page that embeds this frame. The frame has an opaque
// origin and can load nothing else: see `ui/markdown/pictures/draw-diagram.ts`.
const limits = { maxTextSize: 20_000, maxEdges: 300 };

addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data?.text !== 'string') {
    return;
  }
  draw(data.text, data.isDark === true).then(
    (svg) => parent.postMessage({ type: 'drawn', svg }, '*'),
    (error) => parent.postMessage({ type: 'wrong', reason: firstLines(error) }, '*'),
  );
});
parent.postMessage({ type: 'ready' }, '*');

async function draw(text, isDark) {
  const { default: mermaid } = await import('./assets/mermaid-VERSION/mermaid.esm.min.mjs');
  mermaid.initialize({
    ...limits,
    startOnLoad: false,
    securityLevel: 'strict',
    // Diagrams cannot override these settings.
    secure: ['secure', 'securityLevel', 'startOnLoad', 'htmlLabels', ...Object.keys(limits)],
    // SVG text only, because images show no HTML.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    suppressErrorRendering: true,
    theme: isDark ? 'dark' : 'neutral',
    fontFamily: 'system-ui, sans-serif',
  });
  const { svg } = await mermaid.render('diagram', text);
  const holder = document.createElement('div');
  holder.innerHTML = svg;
  const drawn = holder.querySelector('svg');
  const box = drawn.viewBox.baseVal;
  drawn.setAttribute('width', String(Math.ceil(box.width)));
  drawn.setAttribute('height', String(Math.ceil(box.height)));
  return new XMLSerializer().serializeToString(drawn);
}

function firstLines(error) {
  return String(error?.message ?? error)
    .split('\n')
    .slice(0, 2)
    .join(' ');
}

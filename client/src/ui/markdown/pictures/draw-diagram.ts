import { z } from 'zod';

/** The result of a diagram. `reason` is Mermaid's error message. */
export type Drawing =
  | { state: 'drawn'; svg: string; reason?: never }
  | { state: 'wrong'; reason: string; svg?: never }
  | { state: 'too-long' | 'not-loaded'; reason?: never; svg?: never };

interface Diagram {
  text: string;
  isDark: boolean;
}

/** Timeouts in ms: to load, and to draw. */
const loadLimit = 20_000;
const drawLimit = 8_000;

const longestSvg = 2_000_000;
const messageSchema = z.union([
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('drawn'), svg: z.string().max(longestSvg) }),
  z.object({
    type: z.literal('wrong'),
    reason: z.string().transform((text) => text.slice(0, 200)),
  }),
]);

/**
 * Draws a Mermaid diagram in a sandboxed frame with an opaque origin, which can load only the renderer and is
 * removed afterwards, even after a timeout. Never throws.
 */
export function drawDiagram(diagram: Diagram, signal: AbortSignal): Promise<Drawing> {
  return new Promise((resolve) => {
    const frame = createHiddenFrame();
    const listening = new AbortController();
    const finish = (drawing: Drawing) => {
      clearTimeout(timer);
      listening.abort();
      frame.remove();
      resolve(drawing);
    };
    let timer = setTimeout(() => finish({ state: 'not-loaded' }), loadLimit);
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      const message = messageSchema.safeParse(data).data;
      if (source !== frame.contentWindow || !message) {
        return;
      }
      if (message.type === 'ready') {
        clearTimeout(timer);
        timer = setTimeout(() => finish({ state: 'too-long' }), drawLimit);
        // A frame with an opaque origin has no other target origin.
        frame.contentWindow?.postMessage(diagram, '*');
      } else if (message.type === 'drawn') {
        finish({ state: 'drawn', svg: message.svg });
      } else {
        finish({ state: 'wrong', reason: message.reason });
      }
    };
    window.addEventListener('message', onMessage, { signal: listening.signal });
    signal.addEventListener('abort', () => finish({ state: 'not-loaded' }), { once: true });
    document.body.append(frame);
  });
}

/** It has a size, because Mermaid measures its output, but is invisible and inert. */
function createHiddenFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = '/diagram-frame.html';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  Object.assign(frame.style, {
    position: 'fixed',
    inset: '0',
    width: '1000px',
    height: '700px',
    border: '0',
    opacity: '0',
    pointerEvents: 'none',
    zIndex: '-1',
  });
  return frame;
}

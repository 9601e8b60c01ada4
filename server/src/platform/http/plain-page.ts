import { escapeXml } from '@knowhow/shared/escape-xml';
import { sha256 } from '../lib/sha256.ts';

const style = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; }
details { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding: .6rem 0; }
summary { cursor: pointer; }
a { color: inherit; }
code, pre { font: 14px/1.5 ui-monospace, monospace; }
pre { overflow: auto; padding: .75rem; border-radius: 8px; background: color-mix(in srgb, currentColor 6%, transparent); }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600; }
.access { opacity: .75; font-size: 14px; }
h3 { font-size: 14px; margin: .75rem 0 .25rem; }
`;

/** The hash of the pages' style, for the content security policy (CSP). */
export const plainPageStyle = `'sha256-${sha256(style, 'base64')}'`;

/** A page that works without scripts. `body` is HTML; the title is escaped. */
export function plainPage(
  { title, language }: { title: string; language: string },
  body: string,
): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title><style>${style}</style></head><body><main>
<h1>${escapeXml(title)}</h1>
${body}</main></body></html>`;
}

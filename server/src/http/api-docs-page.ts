import { createHash } from 'node:crypto';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { z } from 'zod';
import { escapeXml } from '../lib/escape-xml.ts';

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

/** The page's style as a content security policy names it. */
export const apiDocsStyle = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** A page that lists every endpoint with its shapes, for people. Works without scripts. */
export function apiDocsPage(api: Record<string, Record<string, AnyEndpoint>>): string {
  const areas = Object.entries(api).map(
    ([area, endpoints]) =>
      `<section><h2>${escapeXml(area)}</h2>${Object.values(endpoints).map(describe).join('')}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Knowhow API</title><style>${style}</style></head><body><main>
<h1>Knowhow API</h1>
<p>For machines: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1). Errors are problem details (RFC 9457).</p>
${areas.join('\n')}</main></body></html>`;
}

function describe(endpoint: AnyEndpoint): string {
  const shapes: [string, z.ZodType, 'input' | 'output'][] = [
    ['Path', endpoint.params, 'input'],
    ['Query', endpoint.query, 'input'],
    ['Body', endpoint.body, 'input'],
    endpoint.kind === 'stream'
      ? ['Events', endpoint.event, 'output']
      : ['Answer', endpoint.response, 'output'],
  ];
  return `<details><summary><span class="method">${endpoint.method}</span> <code>${escapeXml(endpoint.path)}</code>
<span class="access">${endpoint.access}</span><br>${escapeXml(endpoint.summary)}</summary>
${shapes.map(([title, schema, io]) => shape(title, schema, io)).join('')}</details>`;
}

function shape(title: string, schema: z.ZodType, io: 'input' | 'output'): string {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const empty =
    Object.keys(rest).length === 0 ||
    (rest.type === 'object' && Object.keys(rest.properties ?? {}).length === 0);
  return empty
    ? ''
    : `<h3>${title}</h3><pre tabindex="0">${escapeXml(JSON.stringify(rest, null, 2))}</pre>`;
}

import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { z } from 'zod';
import { createPauses } from '../lib/create-pauses.ts';
import { escapeXml } from '../lib/escape-xml.ts';
import { plainPage } from './plain-page.ts';

/** Maximum time on the main thread before yielding, in milliseconds. */
const sliceMs = 10;

/**
 * A human-readable page that lists every endpoint and its schemas. Works without scripts. Yields to other
 * requests between endpoints.
 */
export async function apiDocsPage(
  api: Record<string, Record<string, AnyEndpoint>>,
): Promise<string> {
  const pause = createPauses(sliceMs);
  const areas: string[] = [];
  for (const [area, endpoints] of Object.entries(api)) {
    let described = '';
    for (const endpoint of Object.values(endpoints)) {
      described += describe(endpoint);
      await pause();
    }
    areas.push(`<section><h2>${escapeXml(area)}</h2>${described}</section>`);
  }
  return plainPage(
    { title: 'Knowhow API', language: 'en' },
    `<p>For machines: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1). Errors are problem details (RFC 9457).</p>
${areas.join('\n')}`,
  );
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

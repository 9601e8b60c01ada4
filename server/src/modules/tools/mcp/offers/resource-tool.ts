import { isRecord } from '@knowhow/shared/is-record';
import type { Client } from '@modelcontextprotocol/client';

/** A tool with which models read a server's resources, unless the server has one of this name. */
export const resourceTool = {
  name: 'read_resource',
  title: 'Read a resource',
  description:
    'Reads a resource of this server by its URI. Without a URI it lists the resources there are, and the templates of URIs.',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string', description: 'The URI, as it is listed.' } },
  },
  annotations: { readOnlyHint: true },
};

interface Options {
  signal: AbortSignal;
  /** In milliseconds. */
  timeout: number;
}

const maxListed = 200;
const maxText = 300;

/** Lists resources or reads one, as a tool result. */
export async function readResource(
  client: Client,
  { uri }: Record<string, unknown>,
  options: Options,
): Promise<unknown> {
  if (typeof uri !== 'string' || uri === '') {
    return { content: [{ type: 'text', text: await listResources(client, options) }] };
  }
  const { contents } = await client.readResource({ uri }, { ...options, cacheMode: 'bypass' });
  return { content: contents.map((resource) => ({ type: 'resource', resource })) };
}

async function listResources(client: Client, options: Options): Promise<string> {
  const [{ resources }, { resourceTemplates }] = await Promise.all([
    client.listResources(undefined, { ...options, cacheMode: 'bypass' }),
    // Many servers support resources but not templates.
    client
      .listResourceTemplates(undefined, { ...options, cacheMode: 'bypass' })
      .catch(() => ({ resourceTemplates: [] })),
  ]);
  const listed = [
    ...resources.map((resource) => lineOf(resource.uri, resource)),
    ...resourceTemplates.map((template) => lineOf(template.uriTemplate, template)),
  ];
  const more = listed.length > maxListed ? [`… and ${listed.length - maxListed} more`] : [];
  return listed.length === 0
    ? 'There are no resources.'
    : [...listed.slice(0, maxListed), ...more].join('\n');
}

function lineOf(uri: string, described: unknown): string {
  const { title, name, description, mimeType } = isRecord(described) ? described : {};
  const words = [title ?? name, description, mimeType].filter((text) => typeof text === 'string');
  return `${uri.slice(0, 2000)}: ${words.join('; ').replaceAll(/\s+/g, ' ').slice(0, maxText)}`;
}

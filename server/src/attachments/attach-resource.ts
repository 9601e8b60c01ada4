import type { Attachment } from '@knowhow/shared/chat/attachments';
import type { ResourceServer } from '@knowhow/shared/chat/resources';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import type { Caller } from '../access/caller.ts';
import { resourceTool } from '../mcp/offers/resource-tool.ts';
import type { ServerResources } from '../mcp/offers/server-resources.ts';
import type { CallServices } from '../tools/run-source-tool.ts';
import { toolId } from '../tools/tool-names.ts';
import type { OfferedTool } from '../tools/toolbox.ts';
import { takeUpload, type UploadServices } from './take-upload.ts';

export interface ResourceGate {
  toolbox: CallServices['toolbox'];
  /** The servers that somebody may use. */
  resourceServers: (caller: Caller) => readonly ServerResources[];
}

interface Offered {
  resources: ServerResources;
  /** What models read them with: whoever may not have it gets no resource either. */
  tool: OfferedTool;
}

interface For {
  caller: Caller;
  app: AppConfig;
}

/** The servers whose resources somebody may attach in an app: those whose resources models may read for them. */
export async function offeredResources(
  { toolbox, resourceServers }: ResourceGate,
  { caller, app }: For,
): Promise<Offered[]> {
  const sources = new Map(toolbox.sources.map((source) => [source.id, source]));
  const view = { find: () => undefined };
  const found = await Promise.all(
    resourceServers(caller).map(async (resources): Promise<Offered[]> => {
      const source = sources.get(resources.server.id);
      const tool = (await source?.listAll())?.find(({ name }) => name === resourceTool.name);
      if (!source || !tool) {
        return [];
      }
      const offered = { id: toolId(source, tool), name: tool.name, source, tool };
      const grant = caller.permissions.tools;
      return toolbox.isAllowed(offered, { app, view, grant }) ? [{ resources, tool: offered }] : [];
    }),
  );
  return found.flat();
}

/** What each of them offers now; of one that does not answer, why. */
export async function listResources(gate: ResourceGate, asked: For): Promise<ResourceServer[]> {
  const offered = await offeredResources(gate, asked);
  return Promise.all(
    offered.map(async ({ resources: { server, title, list } }) => {
      const named = { id: server.id, title };
      try {
        return { ...named, resources: await list(asked.caller.id) };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { ...named, resources: [], problem: why };
      }
    }),
  );
}

interface Wanted extends For {
  server: string;
  uri: string;
  /** Whether it is for a conversation that is kept in memory alone. */
  temporary?: boolean | undefined;
}

/**
 * Reads a resource that somebody has chosen, and keeps it as a file that will be sent. To choose it is to consent;
 * the audit log has it as a call. Throws a problem.
 */
export async function attachResource(
  gate: ResourceGate,
  { server, uri, temporary: isTemporary = false, ...asked }: Wanted,
  services: UploadServices & Pick<CallServices, 'audit'>,
): Promise<Attachment> {
  const { caller } = asked;
  const offered = await offeredResources(gate, asked);
  const found = offered.find(({ resources }) => resources.server.id === server);
  if (!found) {
    throw problem('not-found', `There is no server "${server}" with resources for you here.`);
  }
  const { resources, tool } = found;
  const begun = performance.now();
  const record = (summary: string, isError: boolean) => {
    const ms = performance.now() - begun;
    const result = { isError, summary };
    return services.audit({ caller, offered: tool, input: { uri }, result, ms });
  };
  let bytes: Buffer;
  try {
    bytes = await resources.read(caller.id, uri);
  } catch (error) {
    await record('failed', true);
    throw error;
  }
  await record('read', false);
  const origin = { server: resources.title, uri };
  const file = { owner: caller.id, name: nameOf(uri), bytes, isTemporary, origin };
  return takeUpload(file, services);
}

/** The last part of its path, as the name of a file. */
function nameOf(uri: string): string {
  const [path = ''] = uri.split(/[?#]/);
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

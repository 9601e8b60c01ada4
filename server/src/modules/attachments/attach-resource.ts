import type { Attachment } from '@knowhow/shared/chat/attachments';
import type { ResourceServer } from '@knowhow/shared/chat/resources';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import { problem } from '@knowhow/shared/problem';
import type { Caller } from '../identity/index.ts';
import {
  type CallServices,
  type OfferedTool,
  resourceTool,
  type ServerResources,
  toolId,
} from '../tools/index.ts';
import { processUpload, type UploadServices } from './process-upload.ts';

export interface ResourceGate {
  toolbox: CallServices['toolbox'];
  /** The servers that a caller may use. */
  resourceServers: (caller: Caller) => readonly ServerResources[];
}

interface Offered {
  resources: ServerResources;
  /**
   * The tool with which models read them: without permission for it, users get no resources either.
   */
  tool: OfferedTool;
}

interface For {
  caller: Caller;
  app: AppConfig;
}

/**
 * Servers whose resources the caller may attach in an app: those that models may read on their
 * behalf.
 */
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

/** Lists each server's current resources, or the reason if it does not answer. */
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
  /** Whether it is for a temporary conversation, kept only in memory. */
  temporary?: boolean | undefined;
}

/**
 * Reads a resource chosen by the user and stores it as an upload. Choosing it is consent; the read
 * is audited as a call. Throws a problem.
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
  const startedAt = performance.now();
  const record = (summary: string, isError: boolean) => {
    const ms = performance.now() - startedAt;
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
  return processUpload(file, services);
}

/** The last path segment as a file name. */
function nameOf(uri: string): string {
  const [path = ''] = uri.split(/[?#]/);
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

import type { AdminTool, AdminToolSource } from '@knowhow/shared/config/admin-tools';
import type { ToolConsent } from '@knowhow/shared/config/tools-config';
import { isRecord } from '@knowhow/shared/is-record';
import { problem } from '@knowhow/shared/problem';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Contents, ContentWriter, RawConfig } from '../../content/index.ts';
import { type Caller, computePermissions } from '../../identity/index.ts';
import { coversTool, type KnownTool, type Toolbox, toolsOfApp } from '../../tools/index.ts';

/** Dependencies of tool administration. */
export interface ToolAdmin {
  toolbox: Toolbox;
  contents: () => Contents;
  contentWriter: ContentWriter;
  audit: AuditLog;
}

export interface ToolDecision {
  enabled?: boolean | undefined;
  /** Null: the default of its source. */
  consent?: ToolConsent | null | undefined;
  /** A digest; null revokes the approval. */
  approved?: string | null | undefined;
  accepted?: string | undefined;
}

/** All sources with all their tools. */
export async function listToolSources(admin: ToolAdmin): Promise<AdminToolSource[]> {
  const { toolbox, contents } = admin;
  const tools = await toolbox.listAll();
  const describe = describer(contents());
  return toolbox.sources.map((source) => ({
    id: source.id,
    title: source.title,
    sourceKey: source.titleKey,
    kind: source.kind,
    enabled: contents().tools.sources?.[source.id]?.enabled !== false,
    ...source.state(),
    tools: tools.filter((tool) => tool.source.id === source.id).map(describe),
  }));
}

/** Finds a tool by its name for models. Throws `not-found`. */
export async function findTool({ toolbox }: ToolAdmin, name: string): Promise<KnownTool> {
  const found = (await toolbox.listAll()).find((tool) => tool.name === name);
  if (!found) {
    throw problem('not-found', `There is no tool "${name}".`);
  }
  return found;
}

/**
 * Changes a tool. Throws `not-found`, and `changed-meanwhile` if the approved or accepted digest is
 * outdated.
 */
export async function decideOnTool(
  admin: ToolAdmin,
  name: string,
  { by, decision }: { by: Caller; decision: ToolDecision },
): Promise<AdminTool> {
  const tool = await findTool(admin, name);
  const { approved, accepted } = decision;
  if ([approved, accepted].some((digest) => typeof digest === 'string' && digest !== tool.digest)) {
    throw problem(
      'changed-meanwhile',
      `Tool "${name}" has changed since you reviewed it. Review it again.`,
    );
  }
  if (accepted !== undefined) {
    await tool.source.accept?.(tool.tool.name);
  }
  const change = await admin.contentWriter.transaction((all) =>
    all.updateToolsConfig((raw) => withEntry(raw, ['tools', tool.id], decided(decision))),
  );
  if (change.changed || accepted !== undefined) {
    const before = { ...entryOf(change.before, tool.id) };
    const after = { ...entryOf(change.after, tool.id), ...(accepted ? { accepted } : {}) };
    await admin.audit.record({
      by,
      action: 'decided',
      kind: 'tool',
      target: tool.id,
      before,
      after,
    });
  }
  return describer(admin.contents())(await findTool(admin, name));
}

/** Enables or disables a source. Throws `not-found`. */
export async function switchSource(
  admin: ToolAdmin,
  id: string,
  { by, enabled }: { by: Caller; enabled: boolean },
): Promise<AdminToolSource> {
  if (!admin.toolbox.sources.some((source) => source.id === id)) {
    throw problem('not-found', `There is no tool source "${id}".`);
  }
  const { changed } = await admin.contentWriter.transaction((all) =>
    all.updateToolsConfig((raw) => withEntry(raw, ['sources', id], { enabled })),
  );
  if (changed) {
    const after = { enabled };
    await admin.audit.record({ by, action: 'toggled', kind: 'tool', target: id, after });
  }
  return findSource(admin, id);
}

/** Reconnects to a source and returns it. Throws `not-found`. */
export async function connectSource(admin: ToolAdmin, id: string): Promise<AdminToolSource> {
  await admin.toolbox.sources.find((source) => source.id === id)?.reconnect?.();
  return findSource(admin, id);
}

async function findSource(admin: ToolAdmin, id: string): Promise<AdminToolSource> {
  const found = (await listToolSources(admin)).find((source) => source.id === id);
  if (!found) {
    throw problem('not-found', `There is no tool source "${id}".`);
  }
  return found;
}

function decided({ enabled, consent, approved }: ToolDecision): RawConfig {
  return {
    // Defaults are omitted.
    ...(enabled === undefined ? {} : { enabled: enabled ? undefined : false }),
    ...(consent === undefined ? {} : { consent: consent ?? undefined }),
    ...(approved === undefined ? {} : { approved: approved ?? undefined }),
  };
}

/** @param path of the entry: its table and its key */
function withEntry(raw: RawConfig, [table, key]: [string, string], change: RawConfig): RawConfig {
  const entries = recordOf(raw[table]);
  return { ...raw, [table]: { ...entries, [key]: { ...recordOf(entries[key]), ...change } } };
}

function entryOf(config: unknown, id: string): RawConfig {
  return recordOf(recordOf(recordOf(config).tools)[id]);
}

function recordOf(value: unknown): RawConfig {
  return isRecord(value) ? value : {};
}

function describer({ groups, apps }: Contents): (tool: KnownTool) => AdminTool {
  const grants = [...groups.keys()].map(
    (id) => [id, computePermissions([id], groups).tools] as const,
  );
  const offers = [...apps.values()].map((app) => [app.id, toolsOfApp(app)] as const);
  return ({ id, name, source, tool, digest, consent, isEnabled, isApproved, schemaIssue }) => {
    const covering = (lists: typeof grants) =>
      lists.filter(([, list]) => coversTool(list, source, tool)).map(([key]) => key);
    return {
      id,
      name,
      digest,
      consent,
      enabled: isEnabled,
      approved: isApproved,
      title: tool.title ?? tool.name,
      toolKey: tool.textsIn && tool.name,
      description: tool.description,
      parameters: tool.parameters,
      hints: tool.hints,
      sourceConsent: tool.consent,
      changed: tool.changed === true,
      ...(tool.was ? { was: { ...tool.was, title: tool.was.title ?? tool.name } } : {}),
      ...(schemaIssue === undefined ? {} : { fault: schemaIssue }),
      groups: covering(grants),
      apps: covering(offers),
      ...(tool.lastError === undefined ? {} : { lastError: tool.lastError }),
    };
  };
}

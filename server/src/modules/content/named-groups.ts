import type { ContentIssue } from '@knowhow/shared/config/health';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import type { Contents } from './contents.ts';

/** A group ID in a configuration and the field that contains it. */
export interface NamedGroup {
  field: string;
  id: string;
}

/** All groups that `platform.json` references. */
export function groupsInPlatform(platform: PlatformConfig): NamedGroup[] {
  const { anonymousAuth, authenticatedGroups, oidcAuth, proxyAuth } = platform;
  return [
    ...toNamedGroups('anonymousAuth.defaultGroups', anonymousAuth.defaultGroups),
    ...toNamedGroups('authenticatedGroups', authenticatedGroups),
    ...(oidcAuth?.providers ?? []).flatMap(({ defaultGroups }, index) =>
      toNamedGroups(`oidcAuth.providers.${index}.defaultGroups`, defaultGroups),
    ),
    ...toNamedGroups('proxyAuth.defaultGroups', proxyAuth?.defaultGroups),
  ];
}

/** Group IDs with their fields: `groups.0`, `groups.1`, … */
export function toNamedGroups(field: string, ids: readonly string[] = []): NamedGroup[] {
  return ids.map((id, index) => ({ field: `${field}.${index}`, id }));
}

/**
 * Issues for references to groups that do not exist. If such a group were created later, its members would gain
 * permissions unexpectedly.
 */
export function unknownGroups({
  platform,
  groups,
  mcpServers,
  skills,
}: Pick<Contents, 'platform' | 'groups' | 'mcpServers' | 'skills'>): ContentIssue[] {
  const named = [
    ...inFile('platform', groupsInPlatform(platform)),
    ...[...groups].flatMap(([id, { inherits }]) =>
      inFile('groups', toNamedGroups(`groups.${id}.inherits`, inherits)),
    ),
    ...Object.entries(skills.previews ?? {}).flatMap(([skill, preview]) =>
      inFile('skills', toNamedGroups(`previews.${skill}.groups`, preview.groups)),
    ),
    ...mcpServers.flatMap((server) =>
      inFile('mcp', toNamedGroups(`${server.id}.groups`, server.groups)),
    ),
  ];
  return named
    .filter(({ id }) => !groups.has(id))
    .map(({ path, field, id }) => ({ path, field, message: describeMissing(id), isUsed: true }));
}

function inFile(name: string, named: readonly NamedGroup[]) {
  return named.map((each) => ({ path: `contents/config/${name}.json`, ...each }));
}

function describeMissing(id: string): string {
  return `There is no group "${id}". Create the group, or remove its name from this field.`;
}

import { type Group, groupsConfigSchema } from '@knowhow/shared/access/groups';
import { parseWith } from '@knowhow/shared/describe-issue';
import { isRecord } from '@knowhow/shared/is-record';
import { issuesOf, problem } from '@knowhow/shared/problem';
import type { AllowedVariables } from './allowed-variables.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { findGroupCycle } from './find-group-cycle.ts';
import type { RawConfig } from './raw-config.ts';
import type { RawItems } from './raw-items.ts';
import type { StagedFiles } from './staged-files.ts';

interface Options {
  files: StagedFiles;
  variables: () => AllowedVariables;
  /** Throws if this may not become the new set of groups. */
  checkGroups: (groups: ReadonlyMap<string, Group>) => Promise<void>;
}

const path = 'config/groups.json';

/** All groups are stored in one file. */
export function groupsFile({ files, variables, checkGroups }: Options): RawItems {
  const change = async (edit: (groups: RawConfig) => RawConfig) => {
    const { text, config } = await readGroups(files);
    const changed = { ...config, groups: edit(config.groups) };
    await checkGroups(parseGroups(fillPlaceholders(changed, variables())));
    files.write(path, { before: text, config: changed });
  };
  return {
    list: async () => {
      const { config } = await readGroups(files);
      return Object.entries(config.groups).map(([id, group]) => ({
        id,
        path,
        config: isRecord(group) ? { id, name: id, ...group } : undefined,
        text: JSON.stringify(group, null, 2),
      }));
    },
    write: (id, config) => change((groups) => ({ ...groups, [id]: config })),
    remove: ({ id }) =>
      change((groups) => Object.fromEntries(Object.entries(groups).filter(([key]) => key !== id))),
  };
}

interface GroupsFile {
  text: string | undefined;
  config: RawConfig & { groups: RawConfig };
}

async function readGroups(files: StagedFiles): Promise<GroupsFile> {
  const file = await files.read(path);
  if (!file) {
    return { text: undefined, config: { groups: {} } };
  }
  const groups = file.config?.groups;
  if (!isRecord(groups)) {
    throw problem(
      'conflict',
      `contents/${path} is broken: it is not a JSON object with "groups". Fix it in a text editor first.`,
    );
  }
  return { text: file.text, config: { ...file.config, groups } };
}

function parseGroups(config: unknown): ReadonlyMap<string, Group> {
  const result = parseWith(groupsConfigSchema, config);
  if (!result.success) {
    const [issue] = issuesOf(result.error);
    throw problem(
      'conflict',
      `contents/${path} has another mistake, in ${issue?.path}: ${issue?.message} Fix that first.`,
    );
  }
  const cycle = findGroupCycle(result.data.groups);
  if (cycle) {
    const message = `Groups would inherit from each other in a circle: ${cycle.join(' > ')}.`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'inherits', code: 'circle', message }],
    });
  }
  return new Map(Object.entries(result.data.groups));
}

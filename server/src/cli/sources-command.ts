import { repositoryName, shortCommit } from '@knowhow/shared/skills/git-commit';
import { listReviewPolicies } from '@knowhow/shared/skills/publishing-policy';
import type { SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import {
  checkSource,
  knownTrees,
  type Proposed,
  type ReadSource,
  readCommit,
  recordFailure,
} from '../modules/admin/index.ts';
import { allowVariables, openContentStore, stageFiles } from '../modules/content/index.ts';
import {
  createSourceStates,
  folderSource,
  openSkillStore,
  reveal,
  type SourceStates,
  skillSources,
} from '../modules/skills/index.ts';
import { createLocalCluster } from '../platform/cluster/local-cluster.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { openExistingDatabase } from './open-existing-database.ts';
import { renderTable } from './render-table.ts';
import { type Terminal, toLine } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { withGit } from './with-git.ts';

/** Lists the sources of skills with the result of their last sync. The server may be running. */
export async function sourcesCommand(json: boolean, terminal: Terminal): Promise<number> {
  const { contentsDirectory, variables } = terminal.installation();
  const { current } = await openContentStore(contentsDirectory, allowVariables(variables));
  const rows = await withStates(terminal, (states) =>
    Promise.all(
      current.skillSources.map(async ({ id, url }) => {
        const { selection: _, settled: __, ...state } = await states.get(id);
        return { id, url, ...state };
      }),
    ),
  );
  if (json) {
    terminal.out(JSON.stringify(rows, null, 2));
    return 0;
  }
  if (rows.length === 0) {
    terminal.out('There are no sources. Add one on /admin/sources.');
    return 0;
  }
  const head = ['source', 'repository', 'commit', 'last sync', 'skills', 'changes', 'error'];
  const lines = rows.map(({ id, url, commit, syncedAt, skills, pending, error }) => [
    ...[id, repositoryName(url), commit === undefined ? '–' : shortCommit(commit)],
    ...[syncedAt === undefined ? 'never' : `${syncedAt.slice(0, 16)}Z`, skills, pending],
    toLine(error ?? ''),
  ]);
  terminal.out(renderTable([head, ...lines]));
  return 0;
}

/**
 * Reads the newest commit of a source, records it, and prints what it would change. Installs nothing: a
 * server may be running, and only servers write skills.
 *
 * @throws a problem that says why the repository cannot be read; it is recorded as well
 */
export function syncSourceCommand(id: string, terminal: Terminal): Promise<number> {
  return withGit(terminal, ({ git, contents }) =>
    withStates(terminal, async (states) => {
      const source = findSource(contents().skillSources, id);
      const installation = terminal.installation();
      const folders = skillSources(contents().skills, installation).sources;
      const limits = terminal.skillLimits();
      const skills = openSkillStore(folders.map((each) => folderSource(each, limits)));
      try {
        await skills.scanned;
        const { variables } = installation;
        const contentWriter = { readFile: stageFiles(installation.contentsDirectory).read };
        const options = { contents, contentWriter, skills, git, states, variables };
        const { signal } = new AbortController();
        const read: ReadSource = (each, { taken, commit }) =>
          readCommit(options, each, { signal, commit, known: knownTrees(taken) });
        const checked = await recordFailure(states, id, signal, () =>
          checkSource(options, source, { signal, isAuto: false, isUnattended: false, read }),
        );
        const { commit = '', pending } = await states.get(id);
        terminal.out(`Commit ${commit} of ${source.url}`);
        if (checked?.isLocked) {
          terminal.out('It is the one in skill-sources-lock.json. Sync again for the newest.');
        }
        terminal.out(checked ? renderChanges(checked.proposed) : 'It was seen before.');
        const policies = listReviewPolicies(contents().skills.settings.publishing);
        const isAuto = source.update === 'auto' && policies.some(({ mode }) => mode === 'direct');
        terminal.out(whatNext(id, pending, isAuto));
        return 0;
      } finally {
        skills.close();
      }
    }),
  );
}

async function withStates<Result>(
  terminal: Terminal,
  run: (states: SourceStates) => Promise<Result>,
): Promise<Result> {
  const database = await openExistingDatabase(terminal.installation());
  try {
    return await run(createSourceStates(createLocalCluster(), database));
  } finally {
    await database.destroy();
  }
}

function findSource(sources: readonly SkillSourceConfig[], id: string): SkillSourceConfig {
  const found = sources.find((source) => source.id === id);
  if (!found) {
    const ids = sources.map((source) => source.id).join(', ');
    throw new UsageError(`There is no source "${id}". There are: ${ids || 'none'}.`);
  }
  return found;
}

const conflicts = {
  edited: 'was edited here',
  'name-taken': 'another skill has this name',
} as const;

function renderChanges(proposed: readonly Proposed[]): string {
  if (proposed.length === 0) {
    return 'Nothing has changed.';
  }
  return renderTable(
    proposed.map(({ change: { kind, name, path, conflict, accepted } }) => {
      const note = accepted ? conflict && conflicts[conflict] : 'has errors, and cannot be taken';
      return [kind, reveal(name), reveal(path), note ?? ''];
    }),
  );
}

function whatNext(id: string, pending: number, isAuto: boolean): string {
  if (pending === 0) {
    return 'No changes to take.';
  }
  const how = isAuto
    ? 'The server takes those that need no decision at its next sync.'
    : `Take them on /admin/sources/${id}.`;
  return `${formatCount(pending, 'change')} to take. ${how}`;
}

import { problem } from '@knowhow/shared/problem';
import type { SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import {
  describeFiles,
  isGitFileName,
  type MailSettings,
  type ManifestFile,
  type NewCommit,
  type PackedFile,
  parseGitAddress,
  readContent,
  type TakenSkill,
  type TreeFile,
} from '../../skills/index.ts';
import { findConflict } from '../skills/report-archive.ts';
import type { Change, SkillAdmin } from '../skills/skill-admin.ts';
import { authorizeSource, type SourceAccess } from './check-source.ts';
import { findCompareUrl } from './compare-url.ts';

/** A skill that was taken, and its repository. */
export interface Upstream {
  source: string;
  /** The address of the repository. */
  url: string;
  row: TakenSkill;
  /** Undefined if there is no such source any more. */
  config: SkillSourceConfig | undefined;
}

export interface Proposal extends Pick<Change, 'by'> {
  /** The message of the commit. */
  message: string;
  signal: AbortSignal;
}

export interface ProposedBranch {
  branch: string;
  /** The number of the commit. */
  commit: string;
  compareUrl?: string;
}

interface Options extends SkillAdmin, SourceAccess {
  mailSettings: Pick<MailSettings, 'get'>;
  publicUrl: string | undefined;
}

/**
 * Pushes a branch with one commit on top of the one that was taken last. It changes only the folder of the skill, to the
 * files that are published here. Throws a problem without credentials or changes, and if the server refuses it.
 */
export async function proposeUpstream(
  options: Options,
  { source, url, row, config }: Upstream,
  { by, message, signal }: Proposal,
): Promise<ProposedBranch> {
  if (!config || config.url !== url) {
    throw problem(
      'conflict',
      `There is no source "${source}" that reads ${url}. Add it again first.`,
    );
  }
  if (!config.credentials) {
    throw problem(
      'conflict',
      `The source "${source}" has no credentials, which are needed to push. Enter the variable with credentials in the source.`,
    );
  }
  const entry = findConflict(options, row.localName ?? row.skill);
  if (!entry) {
    throw problem('not-found', `There is no skill "${row.localName ?? row.skill}".`);
  }
  const files = await readContent(entry);
  const { manifest, checksum } = await describeFiles(files);
  if (checksum === row.checksum) {
    throw problem('conflict', `Skill "${entry.name}" has no changes to propose: edit it first.`);
  }
  const author = await findAuthor(options, by);
  const { path } = row;
  const repository = parseGitAddress(url, { ref: row.commit, withSsh: true });
  const pushed = await options.git.push(
    { ...repository, path },
    { signal, ...authorizeSource(options, config, repository) },
    {
      prefix: `knowhow/${row.skill}-`,
      commit: (tree) => {
        const changes = planChanges({ path, tree, base: row.base, files, manifest });
        return { author, message: `${message}\n`, ...changes };
      },
    },
  );
  const base = /^[0-9a-f]{40,64}$/.test(config.ref ?? '') ? undefined : config.ref;
  const compareUrl = findCompareUrl(repository.url, pushed.branch, base);
  return { ...pushed, ...(compareUrl === undefined ? {} : { compareUrl }) };
}

interface Plan {
  path: string;
  /** All files of the commit below the folder. */
  tree: readonly TreeFile[];
  /** The files as they were taken; undefined if they are unknown. */
  base: readonly ManifestFile[] | undefined;
  files: readonly PackedFile[];
  manifest: readonly ManifestFile[];
}

/** The files to write and remove. Files of the folder that are not part of the skill stay. */
function planChanges({
  path,
  tree,
  base = [],
  files,
  manifest,
}: Plan): Pick<NewCommit, 'remove' | 'write'> {
  const prefix = path === '' ? '' : `${path}/`;
  const known = new Map(tree.map((file) => [file.path, file]));
  const main = tree.find((file) => file.path.toLowerCase() === `${prefix}SKILL.md`.toLowerCase());
  if (!main) {
    throw problem(
      'conflict',
      `There is no SKILL.md in the folder "${path}" of the repository: the skill was converted, and cannot be proposed.`,
    );
  }
  const toPath = (name: string) => (name === 'SKILL.md' ? main.path : prefix + name);
  const marks = new Map(base.map((file) => [file.path, markOf(file)]));
  const changed = new Set(
    manifest.filter((file) => marks.get(file.path) !== markOf(file)).map((file) => file.path),
  );
  const kept = new Set(files.map((file) => file.path));
  const write = files
    .filter((file) => changed.has(file.path))
    .map((file) => ({ ...file, path: toPath(file.path) }));
  for (const file of write) {
    checkWrite(file.path, known);
  }
  const remove = base
    .filter((file) => !kept.has(file.path))
    .map((file) => toPath(file.path))
    .filter((each) => known.has(each));
  if (write.length + remove.length === 0) {
    throw problem(
      'conflict',
      'The repository has these files already: there is nothing to propose.',
    );
  }
  return { remove, write };
}

function markOf({ digest, executable }: ManifestFile): string {
  return `${digest}${executable ? '*' : ''}`;
}

/** Throws a problem for a name that git refuses, and for a file inside a link or submodule. */
function checkWrite(path: string, known: ReadonlyMap<string, TreeFile>): void {
  if (isGitFileName(path)) {
    throw problem('conflict', `Git refuses the name "${path}". Rename the file first.`);
  }
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const above = path.slice(0, at);
    if (known.has(above)) {
      throw problem('conflict', `"${above}" is no folder in the repository. Rename it here first.`);
    }
  }
  if (known.get(path)?.kind === 'submodule') {
    throw problem('conflict', `"${path}" is a submodule in the repository. Rename it here first.`);
  }
}

/** The person, with their address for e-mail or else one that takes no answers. */
async function findAuthor(
  { mailSettings, publicUrl }: Options,
  { id, name }: Change['by'],
): Promise<NewCommit['author']> {
  const clean = (text: string) => text.replace(/[\p{Cc}<>]+/gu, ' ').trim();
  const { address } = await mailSettings.get(id);
  const host = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname;
  return {
    name: clean(name).slice(0, 200) || 'Knowhow',
    email: clean(address ?? '') || `noreply@${host}`,
  };
}

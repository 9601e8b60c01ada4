import type { RestorePlan } from '@knowhow/shared/config/backup';
import { isSecret } from '../content/index.ts';
import { isClutter, type ReportIssue, reportCollisions, type ZipMember } from '../skills/index.ts';
import { getPart, isFolderPart, isIgnoredPath, validateBackupPath } from './backup-paths.ts';
import { parentFolders } from './choose-entries.ts';
import { manifestPath } from './manifest.ts';

type NotUsed = RestorePlan['notUsed'];

/** The content of an archive, determined by file names only. */
export interface RecognisedBackup {
  /** `knowhow` without a manifest is a zip of a `contents/` folder. */
  format: 'knowhow' | 'ihub';
  manifest: ZipMember | undefined;
  /** Files to use, by their path in a backup. */
  members: Map<string, ZipMember>;
  notUsed: NotUsed;
}

/** Files that only iHub's backups contain. */
const ihubMarkers = [
  'backup-metadata.json',
  'contents/config/users.json',
  'contents/config/ui.json',
  'contents/config/tools.json',
  'contents/config/providers.json',
  'contents/config/features.json',
];
export const ihubUsersPath = 'contents/config/users.json';
/** The only iHub configuration files that are used. */
const ihubConfig = ['contents/config/groups.json', 'contents/config/skills.json', ihubUsersPath];

/** Detects the kind of an archive; reports invalid names. */
export function recogniseBackup(
  members: readonly ZipMember[],
  report: ReportIssue,
): RecognisedBackup {
  const top = topFolder(members.map(({ name }) => name));
  const hasManifest = members.some(({ name }) => name === top + manifestPath);
  // With a manifest, only the top folder counts, because the manifest lists the files.
  const isInside = (name: string) => name.startsWith(top) && (hasManifest || !isForeign(name));
  const inside = members.filter(({ name }) => isInside(name));
  const byPath = new Map<string, ZipMember>();
  for (const member of inside) {
    const path = member.name.slice(top.length);
    const fault = validateBackupPath(path);
    if (fault) {
      report(member.name, fault);
    }
    byPath.set(path, member);
  }
  const entries = inside.map(({ name }) => ({ name, kind: 'file' as const }));
  reportCollisions(entries, report, Number.POSITIVE_INFINITY);
  const manifest = byPath.get(manifestPath);
  byPath.delete(manifestPath);
  const isIhub = !manifest && ihubMarkers.some((path) => byPath.has(path));
  const outside = members.filter(({ name }) => !isInside(name));
  const found: RecognisedBackup = {
    format: isIhub ? 'ihub' : 'knowhow',
    manifest,
    members: new Map(),
    notUsed: outside.map(({ name }) => ({ path: name, message: messages.outside })),
  };
  for (const [path, member] of byPath) {
    const message = whyNotUsed(path, found);
    if (message === undefined) {
      found.members.set(path, member);
    } else {
      found.notUsed.push({ path, message });
    }
  }
  return found;
}

const messages = {
  outside: 'It is outside of contents/.',
  secret: 'Keys are never taken over.',
  passing: 'It is a temporary file.',
  folder: 'There should be a folder of this name.',
  noManifest: 'Users and conversations require a backup with a manifest.',
  ihub: 'Knowhow has no equivalent.',
};

/** The common top folder with a trailing slash; empty if there is none. */
function topFolder(names: readonly string[]): string {
  const own = names.filter((name) => !isClutter(name));
  const [first = ''] = own;
  const top = first.slice(0, first.indexOf('/') + 1);
  const isTop =
    top !== 'contents/' &&
    own.every((name) => name.startsWith(top)) &&
    own.some((name) => name === top + manifestPath || name.startsWith(`${top}contents/`));
  return isTop ? top : '';
}

/** Files that operating systems add to archives. */
export function isForeign(name: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/.test(name);
}

/** Why a file is skipped; undefined if it is used. */
function whyNotUsed(
  path: string,
  { format, manifest }: Pick<RecognisedBackup, 'format' | 'manifest'>,
): string | undefined {
  const part = getPart(path);
  const names = path.split('/');
  if (part === undefined || (names.length === 2 && isFolderPart(names[1]))) {
    return names[0] === 'contents' ? messages.folder : messages.outside;
  }
  if (part === 'data') {
    return manifest ? undefined : messages.noManifest;
  }
  if ([path, ...parentFolders(path)].some(isIgnoredPath)) {
    return messages.passing;
  }
  if (format === 'ihub' && part === 'config' && ihubConfig.includes(path)) {
    return undefined;
  }
  if (isSecret(path)) {
    return messages.secret;
  }
  return format === 'ihub' && (part === 'config' || part === 'other') ? messages.ihub : undefined;
}

import { inheritedDescriptors } from './inherited-descriptors.ts';
import { assertSafePath, getCommand } from './job-files.ts';
import { packTar, type TarEntry } from './pack-tar.ts';
import { defaultRunLimits } from './run-limits.ts';
import { runSandbox } from './run-sandbox.ts';
import {
  type JobFile,
  type Runner,
  RunnerFailure,
  type Runtimes,
  type ScriptJob,
} from './runner.ts';
import { etcEntries, sandboxCommand } from './sandbox-command.ts';
import { seccompFilter } from './seccomp-filter.ts';

/** Runs scripts locally in a bubblewrap sandbox. */
export function createBubblewrapRunner(runtimes: Runtimes): Runner {
  return {
    tier: 'bubblewrap',
    status: 'ready',
    runtimes,
    run: (job, signal) => {
      const limits = { ...defaultRunLimits, ...job.limits };
      const entries = entriesOf(job);
      const bytes = entries.reduce((sum, entry) => sum + pagedSize(entry.bytes?.length ?? 0), 0);
      const command = sandboxCommand({
        command: getCommand(job),
        limits,
        given: { bytes, files: entries.length * 2 },
        node: process.execPath,
      });
      const closed = inheritedDescriptors();
      return runSandbox({ command, input: packTar(entries), limits, closed }, signal);
    },
  };
}

const pageBytes = 4096;
/** Directories take memory as well. */
const pagedSize = (bytes: number) => (Math.ceil(bytes / pageBytes) + 1) * pageBytes;

/** The initial file system of a run. */
function entriesOf({ skill, files = [], stdin = '' }: ScriptJob): TarEntry[] {
  const filter = seccompFilter(process.arch);
  if (!filter) {
    throw new RunnerFailure(`There is no filter of system calls for "${process.arch}".`);
  }
  const folders = ['skill', 'in', 'work', 'work/in', 'tmp', 'shm', 'etc'];
  return [
    ...[...folders, ...etcEntries.folders.map((name) => `etc/${name}`)].map(folderEntry),
    ...etcEntries.files.map((name) => textEntry(`etc/${name}`, '')),
    textEntry('etc/passwd', 'nobody:x:65534:65534:nobody:/job:/bin/sh\n'),
    textEntry('etc/group', 'nogroup:x:65534:\n'),
    { path: 'out', kind: 'pipe' },
    { path: 'err', kind: 'pipe' },
    { path: 'seccomp', kind: 'file', bytes: filter },
    textEntry('stdin', stdin),
    ...skill.files.map((file) => fileEntry('skill', file)),
    ...files.map((file) => fileEntry('in', file)),
  ];
}

function folderEntry(path: string): TarEntry {
  return { path, kind: 'folder' };
}

function textEntry(path: string, content: string): TarEntry {
  return { path, kind: 'file', bytes: Buffer.from(content) };
}

function fileEntry(parent: string, file: JobFile): TarEntry {
  assertSafePath(file);
  return { ...file, path: `${parent}/${file.path}`, kind: 'file' };
}

import { inheritedDescriptors } from './inherited-descriptors.ts';
import { checkName, commandOf } from './job-files.ts';
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
import { sandboxCommand, usedOfEtc } from './sandbox-command.ts';
import { seccompFilter } from './seccomp-filter.ts';

/** Runs scripts by bubblewrap, on this machine. */
export function createBubblewrapRunner(runtimes: Runtimes): Runner {
  return {
    tier: 'bubblewrap',
    status: 'ready',
    runtimes,
    run: (job, signal) => {
      const limits = { ...defaultRunLimits, ...job.limits };
      const entries = entriesOf(job);
      const bytes = entries.reduce((sum, entry) => sum + pages(entry.bytes?.length ?? 0), 0);
      const command = sandboxCommand({
        command: commandOf(job),
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
/** Folders take room as well. */
const pages = (bytes: number) => (Math.ceil(bytes / pageBytes) + 1) * pageBytes;

/** What is in the file system of a run before it begins. */
function entriesOf({ skill, files = [], stdin = '' }: ScriptJob): TarEntry[] {
  const filter = seccompFilter(process.arch);
  if (!filter) {
    throw new RunnerFailure(`There is no filter of system calls for "${process.arch}".`);
  }
  const folders = ['skill', 'in', 'work', 'work/in', 'tmp', 'shm', 'etc'];
  return [
    ...[...folders, ...usedOfEtc.folders.map((name) => `etc/${name}`)].map(folder),
    ...usedOfEtc.files.map((name) => text(`etc/${name}`, '')),
    text('etc/passwd', 'nobody:x:65534:65534:nobody:/job:/bin/sh\n'),
    text('etc/group', 'nogroup:x:65534:\n'),
    { path: 'out', kind: 'pipe' },
    { path: 'err', kind: 'pipe' },
    { path: 'seccomp', kind: 'file', bytes: filter },
    text('stdin', stdin),
    ...skill.files.map((file) => placed('skill', file)),
    ...files.map((file) => placed('in', file)),
  ];
}

function folder(path: string): TarEntry {
  return { path, kind: 'folder' };
}

function text(path: string, content: string): TarEntry {
  return { path, kind: 'file', bytes: Buffer.from(content) };
}

function placed(parent: string, file: JobFile): TarEntry {
  checkName(file);
  return { ...file, path: `${parent}/${file.path}`, kind: 'file' };
}

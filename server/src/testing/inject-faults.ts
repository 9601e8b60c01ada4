import { constants, promises } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

// Loaded into a server by tests (`node --import`): makes file writes fail on request, like a full,
// broken or read-only disk. The database's own writes are not affected.

/** Sent by the test. */
export interface Fault {
  code: string;
  /** Number of the write that fails, starting at 1. */
  at: number;
  /** Whether all later writes fail as well. */
  stays: boolean;
}

/** Reply to `'report'`: the failed writes. */
export interface FaultReport {
  failed: string[];
}

let fault: Fault | undefined;
let writes = 0;
let report: FaultReport = { failed: [] };

process.on('message', (message: Fault | 'report') => {
  if (message === 'report') {
    fault = undefined;
    process.send?.(report);
    return;
  }
  [fault, writes, report] = [message, 0, { failed: [] }];
  process.send?.('set');
});

function beforeWrite(name: string): void {
  if (!fault) {
    return;
  }
  writes += 1;
  if (writes === fault.at || (fault.stays && writes > fault.at)) {
    report.failed.push(name);
    throw Object.assign(new Error(`${fault.code}: injected, ${name}`), { code: fault.code });
  }
}

type Write = (...args: unknown[]) => Promise<unknown>;

function patch(
  target: object,
  names: readonly string[],
  label: (self: unknown, name: string) => string,
) {
  const methods = target as Record<string, Write>;
  for (const name of names) {
    const write = methods[name] as Write;
    methods[name] = async function patched(this: unknown, ...args) {
      beforeWrite(label(this, name));
      return write.apply(this, args);
    };
  }
}

function isForReading(flags: string | number | undefined): boolean {
  return typeof flags === 'number'
    ? (flags & (constants.O_WRONLY | constants.O_RDWR)) === 0
    : flags === undefined || flags === 'r';
}

const openFile = promises.open;
/** Directories are opened to sync their entries. */
const folders = new WeakSet<object>();
promises.open = async (path, flags, mode) => {
  if (!isForReading(flags)) {
    beforeWrite('open');
  }
  const handle = await openFile(path, flags, mode);
  if ((await handle.stat()).isDirectory()) {
    folders.add(handle);
  }
  return handle;
};
patch(
  promises,
  ['mkdir', 'rename', 'rm', 'rmdir', 'unlink', 'writeFile', 'copyFile', 'cp'],
  (_, name) => name,
);
const handle: FileHandle = await open(process.execPath, 'r');
patch(Object.getPrototypeOf(handle), ['write', 'writeFile', 'sync'], (self, name) =>
  folders.has(self as object) ? `${name} of a folder` : name,
);
await handle.close();
syncBuiltinESMExports();

import type { Field } from './field.ts';
import { inParallel } from './in-parallel.ts';

/** Starts large downloads, of files and of archives packed while sending, and disconnects. */
export async function attackWithAbortedDownloads(field: Field): Promise<void> {
  const paths = [
    '/api/skills/attack-big/files/big.bin',
    '/api/admin/skills/attack-big/files/big.bin',
    '/api/admin/backup/export',
    '/api/admin/skills/attack-often/export',
    '/api/admin/export/skills?names=attack-big,attack-often,meeting-notes',
  ];
  await inParallel(10, field.options.isShort ? 60 : 600, async (each) => {
    const path = paths[Math.floor(each / 12) % paths.length];
    if (path && !field.isOver) {
      const leaveAfterBytes = each % 2 === 0 ? 1 : 200_000;
      await field.ask({ method: 'GET', path, leaveAfterBytes }, { as: 'admin', mayBreak: true });
    }
  });
}

import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { rawZip } from '../../../testing/raw-zip.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { importToken, validateUpload } from '../../../testing/upload-archive.ts';
import { writeArchive } from '../../skills/archives/write-archive.ts';

const mebibyte = 1024 * 1024;
/** The limit for all cached uploads together. */
const maxCached = 80 * mebibyte;

/** A little over 3.5 MiB. Partly incompressible: otherwise it would be stored uncompressed. */
function content(): Buffer {
  return Buffer.concat([randomBytes(mebibyte / 16), Buffer.alloc(3.5 * mebibyte)]);
}

function largeArchive(mebibytes: number): Promise<Buffer> {
  const text = Buffer.from(skillFile('large', 'Holds much. Use when asked.'));
  const same = content();
  const contents = Array.from({ length: mebibytes / 3.5 }, () => same);
  const files = [text, ...contents].map((bytes, at) => ({
    path: at === 0 ? 'SKILL.md' : `large-${at}.bin`,
    bytes,
    executable: false,
  }));
  return writeArchive('large', files, 'zip');
}

/** Two skills of 49 MiB. */
function largerArchive(): Buffer {
  const entries = ['one', 'two'].flatMap((name) => [
    { name: `${name}/SKILL.md`, content: skillFile(name, 'Holds much. Use when asked.') },
    ...Array.from({ length: 14 }, (_, at) => ({
      name: `${name}/large-${at}.bin`,
      content: content(),
      method: 8,
    })),
  ]);
  return rawZip(entries);
}

async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().arrayBuffers;
}

test('of thirty concurrent validations at most 80 MiB are cached, or one larger archive', async () => {
  const server = await startTestServer({ environment: { SKILLS_MAX_KIB: '65536' } });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const zip = await largeArchive(28);
  const before = await bytesInUse();
  const tokens = await Promise.all(Array.from({ length: 30 }, () => validateUpload(admin, zip)));
  expect(new Set(tokens).size).toBe(30);
  await expect
    .poll(bytesInUse, { timeout: 20_000 })
    .toBeLessThan(before + maxCached + 10 * mebibyte);
  const statuses: number[] = [];
  for (const token of tokens) {
    statuses.push((await importToken(admin, token, '?overwrite=true')).status);
  }
  // Four per user are cached, as far as they fit the limit.
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 410)).toHaveLength(28);

  const evicted = await validateUpload(admin, zip);
  const alone = await validateUpload(admin, largerArchive());
  expect((await importToken(admin, evicted, '?overwrite=true')).status).toBe(410);
  expect((await importToken(admin, alone)).status).toBe(200);
}, 120_000);

import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { importToken, validateUpload } from '../../../testing/upload-archive.ts';
import { writeArchive } from '../../skills/archives/write-archive.ts';

const mebibyte = 1024 * 1024;
/** The limit for all cached uploads, as one archive of the largest kind. */
const maxCached = 80 * mebibyte;

function largeArchive(mebibytes: number): Promise<Buffer> {
  const text = Buffer.from(skillFile('large', 'Holds much. Use when asked.'));
  // Partly incompressible: otherwise it would be stored uncompressed.
  const content = Buffer.concat([randomBytes(mebibyte / 16), Buffer.alloc(3.5 * mebibyte)]);
  const contents = Array.from({ length: mebibytes / 3.5 }, () => content);
  const files = [text, ...contents].map((bytes, at) => ({
    path: at === 0 ? 'SKILL.md' : `large-${at}.bin`,
    bytes,
    executable: false,
  }));
  return writeArchive('large', files, 'zip');
}

async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().arrayBuffers;
}

test('of thirty concurrent validations only the size of one archive is cached', async () => {
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
}, 120_000);

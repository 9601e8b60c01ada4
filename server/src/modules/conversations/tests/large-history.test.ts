import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { measureLongestPause } from '../../../testing/measure-longest-pause.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';

let server: TestServer;
afterEach(() => server.close());

const path = '/api/admin/skills/heavy';

test('storing and restoring a skill of 60 MB does not block others', {
  timeout: 120_000,
}, async () => {
  const files = Array.from({ length: 60 }, (_, at) => [
    `skills/heavy/${at}.bin`,
    randomBytes(1_000_000),
  ]);
  server = await startTestServer({
    files: {
      'skills/heavy/SKILL.md': skillFile('heavy', 'Is heavy.'),
      ...Object.fromEntries(files),
    },
    environment: { SKILLS_MAX_KIB: '65536' },
  });
  const admin = await signInAdmin(server);
  const pause = await measureLongestPause(async () => {
    const written = await admin(`${path}/files/new.md`, { method: 'PUT', body: 'New.' });
    expect(written.status).toBe(200);
    const restored = await admin('/api/skill-versions/heavy/1/restore', { method: 'POST' });
    expect(restored.status).toBe(200);
  });
  expect(pause).toBeLessThan(300);
});

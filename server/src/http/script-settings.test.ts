import { adminSkillsApi } from '@knowhow/shared/admin-skills';
import { healthApi } from '@knowhow/shared/health';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseAnswer } from '../testing/parse-answer.ts';
import { sandbox } from '../testing/sandbox.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { startTestServer } from '../testing/start-test-server.ts';
import type { Files } from '../testing/write-files.ts';

async function start(wanted: string, files: Files = {}) {
  const script = { 'skills/meeting-notes/scripts/count.sh': 'wc -w\n' };
  const server = await startTestServer({
    files: { ...script, ...files },
    environment: { SCRIPT_RUNNER: wanted },
  });
  onTestFinished(server.close);
  return signInAdmin(server);
}

const address = '/api/admin/skills/meeting-notes';
type Admin = Awaited<ReturnType<typeof start>>;
const skillOf = (admin: Admin) => parseAnswer(adminSkillsApi.get.response, admin(address));
const change = (admin: Admin, json: object) => admin(address, { method: 'PUT', json });

test('nothing is said of scripts where none are to be run', async () => {
  const admin = await start('off');
  const ready = await parseAnswer(healthApi.ready.response, admin('/api/ready'));
  expect(ready).not.toHaveProperty('scripts');
  expect((await skillOf(admin)).scripts).toEqual({
    allowed: false,
    approved: false,
    files: ['scripts/count.sh'],
  });
});

describe.runIf(sandbox)('where there is a runner', () => {
  test('it is said what kind it is', async () => {
    const admin = await start('auto');
    const { scripts } = await parseAnswer(healthApi.ready.response, admin('/api/ready'));
    expect(scripts).toEqual({ tier: 'bubblewrap', status: 'ready' });
  });

  test('scripts of a skill are allowed, and approved as they are now', async () => {
    const admin = await start('bubblewrap');
    expect((await change(admin, { allowScriptExecution: true })).status).toBe(200);
    const { checksum, scripts } = await skillOf(admin);
    expect(scripts).toMatchObject({ allowed: true, approved: false });
    expect((await change(admin, { approvedScripts: 'a'.repeat(64) })).status).toBe(409);
    expect((await change(admin, { approvedScripts: checksum })).status).toBe(200);
    expect((await skillOf(admin)).scripts).toMatchObject({ allowed: true, approved: true });
  });

  test('an approval ends with any change of a file', async () => {
    const admin = await start('bubblewrap');
    const { checksum } = await skillOf(admin);
    await change(admin, { allowScriptExecution: true, approvedScripts: checksum });
    const edited = await admin(`${address}/files/scripts/count.sh`, {
      method: 'PUT',
      body: 'wc -l\n',
      headers: { 'If-Match': `"${checksum}"`, 'Content-Type': 'application/octet-stream' },
    });
    expect(edited.status).toBeLessThan(300);
    expect((await skillOf(admin)).scripts).toMatchObject({ allowed: true, approved: false });
  });

  test('a file that refuses all scripts wins, and that is a fault of what allows them', async () => {
    const admin = await start('bubblewrap', {
      'config/skills.json': {
        settings: { allowScriptExecution: false },
        skills: { 'meeting-notes': { allowScriptExecution: true } },
      },
    });
    expect((await skillOf(admin)).scripts).toMatchObject({ allowed: false });
    const { items } = await parseAnswer(healthApi.faults.response, admin('/api/admin/faults'));
    expect(items).toEqual([
      expect.objectContaining({
        field: 'skills.meeting-notes.allowScriptExecution',
        message: expect.stringContaining('settings.allowScriptExecution is false'),
      }),
    ]);
  });
});

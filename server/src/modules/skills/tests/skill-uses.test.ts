import { join } from 'node:path';
import { adminSkillListSchema } from '@knowhow/shared/skills/admin-skill';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { readReport } from '../../../testing/read-report.ts';
import { rightsFiles, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import type { Files } from '../../../testing/write-files.ts';

const chat = scriptedChat({
  ...rightsFiles,
  'skills/hidden/SKILL.md': skillFile('hidden', 'Is hidden.'),
  'skills/undescribed/SKILL.md': '---\nname: undescribed\n---\n\nOnly a paragraph.\n',
});
const list = (admin: Visitor, query = '') =>
  parseAnswer(adminSkillListSchema, admin(`/api/admin/skills${query}`));
const namesIn = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);

/** A use from 40 days ago. */
async function addOldUse(skill: string): Promise<string> {
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const known = await database.selectFrom('turn_facts').selectAll().executeTakeFirstOrThrow();
  const at = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000).toISOString();
  await database
    .insertInto('turn_facts')
    .values({ ...known, message_id: 'old', at })
    .execute();
  await database
    .insertInto('skill_facts')
    .values({ message_id: 'old', skill, event: 'active', detail: '', times: 1, tokens: 0 })
    .execute();
  await database.destroy();
  return at;
}

test('the list shows how often each skill was used in 30 days, and when last', async () => {
  await chat.start([calls(['activate_skill', { skill_name: 'meeting-notes' }]), says('Fine.')]);
  const admin = await signInAdmin(chat.server);
  const ann = await signInNew(chat.server, admin, { username: 'ann', groups: ['staff'] });
  await takeTurn(ann.visitor, { message: 'A' });
  await readReport(admin);
  const old = await addOldUse('release-notes');

  const usages = (await list(admin)).items.map(({ name, usage }) => [name, usage]);
  expect(usages).toEqual([
    ['hidden', { uses: 0 }],
    ['meeting-notes', { uses: 1, lastUsedAt: expect.any(String) }],
    ['release-notes', { uses: 0, lastUsedAt: old }],
    ['undescribed', { uses: 0 }],
  ]);
  const used = namesIn(await list(admin, '?sort=used&order=desc'));
  expect(used).toEqual(['meeting-notes', 'release-notes', 'hidden', 'undescribed']);
  const leastUsed = namesIn(await list(admin, '?sort=uses&order=asc'));
  expect(leastUsed).toEqual(['hidden', 'release-notes', 'undescribed', 'meeting-notes']);
});

test('the list shows no uses if counting is off', async () => {
  const files: Files = { 'config/platform.json': { analytics: { days: 0 } } };
  const server = await startTestServer({ files });
  const { items } = await list(await signInAdmin(server), '?sort=uses');
  expect(items.length).toBeGreaterThan(0);
  expect(items.filter((skill) => 'usage' in skill)).toEqual([]);
  await server.close();
});

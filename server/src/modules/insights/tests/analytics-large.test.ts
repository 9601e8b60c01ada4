import { join } from 'node:path';
import { analyticsApi } from '@knowhow/shared/config/analytics';
import { skillAttentionApi } from '@knowhow/shared/skills/skill-attention';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { measureLongestPause } from '../../../testing/measure-longest-pause.ts';
import { memorySource } from '../../../testing/memory-source.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { readReport } from '../../../testing/read-report.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const turns = 200_000;
const skillCount = 5000;

/** Years of use: five turns per conversation, a skill in every second turn, a rating in every tenth. */
function fill(folder: string): void {
  const sqlite = new Libsql(join(folder, 'data/knowhow.sqlite'));
  sqlite.exec(`
    PRAGMA foreign_keys=OFF;
    BEGIN;
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${turns})
    insert into turn_facts select
      'message-' || i, 'conversation-' || (i / 5),
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (i / 600) || ' days'),
      strftime('%Y-%m-%d', 'now', '-' || (i / 600) || ' days', 'weekday 0', '-6 days'),
      'app-' || (i % 20), 'model-' || (i % 5), json_array('group-' || (i % 10), 'authenticated'),
      1000, 500, 200, 0.01, 'EUR', 3000, 'stop', i % 2, i % 7 = 0, i % 70 = 0
    from numbers;
    insert into skill_facts select message_id, 'skill-' || (abs(random()) % ${skillCount - 10}),
      'active', '', 1, 0, abs(random()) % 20 + 1 from turn_facts where skills > 0;
    insert into skill_facts select message_id, skill, 'activated', 'model', 1, 900, version
      from skill_facts where substr(message_id, -1) in ('1', '3');
    insert into feedback select message_id, conversation_id, 'up', null, at
      from turn_facts where substr(message_id, -1) in ('1', '2');
    with recursive numbers (i) as (
      select 0 union all select i + 1 from numbers where i < ${skillCount - 1}
    )
    insert into skills (id, name, owner_kind, owner_id)
      select 'id-' || i, 'skill-' || i, 'user', (select id from users limit 1) from numbers;
    insert into skill_versions
      (skill, number, files, bytes, message, action, summary, origin, created_at)
      select id, 1, 1, 1, '', 'created', '', 'page', '2020-01-01T00:00:00.000Z' from skills;
    COMMIT;`);
  sqlite.close();
}

test('200,000 turns with 5,000 skills are aggregated without blocking others', {
  timeout: 120_000,
}, async () => {
  const names = Array.from({ length: skillCount }, (_, at) => `skill-${at}`);
  const files = names.map((name) => [name, { 'SKILL.md': skillFile(name, 'One of many.') }]);
  const source = memorySource(Object.fromEntries(files));
  const server = await startTestServer({ skillSources: [source] });
  const admin = await signInAdmin(server);
  await waitFor(async () => (await readReport(admin)).neverUsed.total >= skillCount);
  fill(server.folder);
  let text = '';
  const pause = await measureLongestPause(async () => {
    text = await (await admin('/api/admin/analytics/skills?from=2000-01-01')).text();
  });
  const report = analyticsApi.skills.response.parse(JSON.parse(text));
  expect(report.totals).toMatchObject({ answers: turns, conversations: turns / 5 + 1 });
  expect(report.skills.length).toBeGreaterThan(4900);
  expect(report.neverUsed.total).toBeGreaterThan(5);
  expect(report.groups).toHaveLength(11);
  expect(report.thumbs.withSkill.up).toBe(turns / 10);
  expect(pause).toBeLessThan(300);
  let versions = '';
  const start = Date.now();
  const versionPause = await measureLongestPause(async () => {
    const path = '/api/admin/analytics/skills/skill-1/versions?from=2000-01-01';
    versions = await (await admin(path)).text();
  });
  expect(Date.now() - start).toBeLessThan(3000);
  expect(versionPause).toBeLessThan(300);
  const uses = analyticsApi.versions.response.parse(JSON.parse(versions)).versions;
  const answers = uses.reduce((sum, use) => sum + use.answers, 0);
  expect(answers).toBe(report.skills.find(({ name }) => name === 'skill-1')?.answers);
  const list = () => parseAnswer(skillAttentionApi.list.response, admin('/api/skill-attention'));
  // The first answer waits for the metrics.
  await list();
  const listed = Date.now();
  const attentionPause = await measureLongestPause(list);
  expect(Date.now() - listed).toBeLessThan(1000);
  expect(attentionPause).toBeLessThan(300);
  const { counts } = await list();
  expect(counts.unused).toBeGreaterThan(0);
  expect(counts['no-owner']).toBeLessThan(10);
  await server.close();
});

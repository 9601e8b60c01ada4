import { adminApi } from '@knowhow/shared/config/admin';
import { countTokens as countExactly } from 'gpt-tokenizer/encoding/cl100k_base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

const texts = {
  en: 'Turns rough notes of a meeting into decisions and action items with owners and dates. Use it for minutes, protocols and summaries of calls.',
  de: 'Macht aus Notizen einer Besprechung Beschlüsse und Aufgaben mit Zuständigen und Terminen. Für Protokolle und Zusammenfassungen von Gesprächen.',
  zh: '把会议记录整理成决定和任务，写明负责人和日期。用于会议纪要、电话总结和项目报告。',
  code: 'Reads *.csv & *.json: "a" < "b" && c => d; {"key": [1, 2, 3]}, /usr/bin/env, x_1 + y_2 <tag attr="v">',
};
type Kind = keyof typeof texts;
const kinds = Object.keys(texts) as Kind[];
const words = [
  'report',
  'notes',
  'review',
  'spreadsheet',
  'customer',
  'incident',
  'release',
  'pdf',
];
const count = 200;
const budget = 1500;

const idsOf = (kind: Kind) =>
  Array.from({ length: count }, (_, at) => `${kind}-${words[at % 8]}-${words[(at * 3) % 7]}-${at}`);

let server: TestServer;
let admin: Visitor;

beforeAll(async () => {
  const skills = kinds.flatMap((kind) =>
    idsOf(kind).map((id, at) => [
      `skills/${id}/SKILL.md`,
      skillFile(id, JSON.stringify(`${at} ${texts[kind]}`)),
    ]),
  );
  const apps = kinds.map((kind) => [
    `apps/${kind}.json`,
    { id: kind, name: kind, skills: idsOf(kind) },
  ]);
  server = await startTestServer({
    files: {
      ...Object.fromEntries([...skills, ...apps]),
      'config/skills.json': { settings: { catalogTokenBudget: budget } },
    },
  });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

test.each(kinds)('a catalogue of 200 skills in %s stays within its token budget', async (app) => {
  const json = { app, groups: ['admins'] };
  const answer = await admin('/api/admin/try-as', { json });
  const { catalogue, tokens } = adminApi.tryAs.response.parse(await answer.json());
  expect(tokens.catalogue).toBeLessThanOrEqual(budget);
  expect(countExactly(catalogue)).toBeLessThanOrEqual(budget);
  expect(countExactly(catalogue)).toBeGreaterThan(budget * 0.6);
});

import { join } from 'node:path';
import { api } from '@knowhow/shared/api';
import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import AdmZip from 'adm-zip';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MemorySource, memorySource } from '../../../testing/memory-source.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { calls, type ScriptedModel, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { writeFiles } from '../../../testing/write-files.ts';

let source: MemorySource;
let model: ScriptedModel;
let server: TestServer;
let admin: Visitor;

beforeEach(async () => {
  source = memorySource({
    'team/minutes': {
      'SKILL.md': skillFile('minutes', 'Writes minutes.', 'Follow references/form.md.'),
      'references/form.md': 'One line a decision.\n',
      'notes/key.md': `The key is AKIA${'IOSFODNN7EXAMPLF'}.`,
    },
    'meeting-notes': { 'SKILL.md': skillFile('meeting-notes', 'Hidden by the local one.') },
  });
  model = scriptedModel(
    calls(['read_skill_resource', { skill_name: 'minutes', file_path: 'references/form.md' }]),
    says('Done.'),
  );
  server = await startTestServer({ model: model.ask, skillSources: [source] });
  admin = await signInAdmin(server);
});
afterEach(() => server.close());

const names = async () => {
  const { items } = await parseAnswer(api.skills.list.response, server.visitor()('/api/skills'));
  return items.map(({ name }) => name);
};
const locations = async () => {
  const { items } = await parseAnswer(
    api.adminSkills.list.response,
    admin('/api/admin/skills?source=extra'),
  );
  return items.map(({ location, status, writable }) => `${location} ${status} ${writable}`);
};
const status = async (path: string, init?: Parameters<Visitor>[1]) =>
  (await admin(`/api/admin/skills/${path}`, init)).status;

describe('skills of a source that is not a folder', () => {
  test('are listed with the others, and those shadowed by local ones are named', async () => {
    expect(await names()).toEqual(['meeting-notes', 'minutes', 'release-notes']);
    expect(await locations()).toEqual([
      'extra:meeting-notes shadowed false',
      'extra:team/minutes on false',
    ]);
  });

  test('are activated with a slash, and the model reads their files', async () => {
    const turn = { message: 'Write them', skills: ['minutes'] };
    expect((await takeTurn(server.visitor(), turn)).status).toBe(200);
    const sent = JSON.stringify(model.requests[0]);
    expect(sent).toContain('Follow references/form.md.');
    expect(sent).toContain('notes/key.md</file>');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ content: 'One line a decision.\n' });
  });

  test('serve only their own files to people', async () => {
    const file = (path: string) => server.visitor()(`/api/skills/minutes/files/${path}`);
    expect(await (await file('references/form.md')).text()).toBe('One line a decision.\n');
    expect((await file('references/none.md')).status).toBe(404);
  });

  test('are exported, and described with the contents of their files', async () => {
    const zip = await admin('/api/admin/skills/minutes/export');
    const entries = new AdmZip(Buffer.from(await zip.arrayBuffer())).getEntries();
    expect(entries.map(({ entryName }) => entryName).sort()).toEqual([
      'minutes/SKILL.md',
      'minutes/notes/key.md',
      'minutes/references/form.md',
    ]);
    const described = await parseAnswer(adminSkillDetailSchema, admin('/api/admin/skills/minutes'));
    expect(described).toMatchObject({ source: 'extra', writable: false, files: 3 });
    expect(described.fileList[0]).toMatchObject({ path: 'SKILL.md', kind: 'text' });
    expect(described.diagnostics.map(({ code }) => code)).toContain('looks-like-secret');
  });

  test('are read-only, but can be switched off, and copied to local', async () => {
    const body = skillFile('minutes', 'Is mine.');
    expect(await status('minutes/files/SKILL.md', { method: 'PUT', body })).toBe(403);
    expect(await status('minutes', { method: 'DELETE' })).toBe(403);
    expect(await status('minutes', { method: 'PUT', json: { enabled: false } })).toBe(200);
    expect(await names()).not.toContain('minutes');
    expect(await status('minutes/duplicate', { json: { name: 'mine' } })).toBe(201);
    expect(await names()).toContain('mine');
  });

  test('follow the source, also after a change of the settings', async () => {
    source.put('later', { 'SKILL.md': skillFile('later', 'Comes later.') });
    await waitFor(async () => (await names()).includes('later'));
    await writeFiles(join(server.folder, 'contents'), {
      'more/added/SKILL.md': skillFile('added', 'Of a folder that is added.'),
      'config/skills.json': { settings: { sources: [{ path: 'contents/more' }] } },
    });
    await waitFor(async () => (await names()).includes('added'));
    expect(await names()).toContain('later');
    source.put('later', { 'SKILL.md': skillFile('later', 'Is another now.') });
    await waitFor(async () => (await (await admin('/api/skills')).text()).includes('another now'));
    source.put('later', undefined);
    await waitFor(async () => !(await names()).includes('later'));
  });
});

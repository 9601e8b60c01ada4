import { api } from '@knowhow/shared/api';
import { type AdminSkillDetail, adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { expect, onTestFinished, test } from 'vitest';
import { connectMcp } from '../../../testing/mcp-client.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { type OtherServer, otherServer } from '../../../testing/skill-server.ts';
import {
  startTestServer,
  type TestServer,
  withAllTools,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { testSource, testTool } from '../../../testing/tool-source.ts';
import { mountedSource } from '../../tools/mcp/mounted-source.ts';

const forms = skillFile('pdf', 'Fills forms.', 'Read references/forms.md first.');
const withTools = forms.replace('---\n\n', 'allowed-tools: shell\n---\n\n');
const pdf = { 'SKILL.md': withTools, 'references/forms.md': 'One field a line.\n' };

async function start(other: OtherServer, script = [says('Hello.')]) {
  const model = scriptedModel(...script);
  const server = await startTestServer({
    model: model.ask,
    skillSources: [mountedSource(other)],
    files: {
      // Has the same name as one there.
      'skills/acme-notes/SKILL.md': skillFile('acme-notes', 'Is our own.'),
    },
  });
  onTestFinished(() => server.close());
  return { server, model, admin: await signInAdmin(server) };
}

async function namesOf(server: TestServer): Promise<string[]> {
  const { items } = await parseAnswer(api.skills.list.response, server.visitor()('/api/skills'));
  return items.map(({ name }) => name);
}

const own = ['acme-notes', 'meeting-notes', 'release-notes'];

test("another server's skills appear under its label, hide nothing, and are not read in advance", async () => {
  const acme = await otherServer('acme', {
    'team/pdf': pdf,
    notes: { 'SKILL.md': skillFile('notes', 'Would hide ours.') },
    'meeting-notes': { 'SKILL.md': skillFile('meeting-notes', 'Is another.') },
  });
  const { server, admin } = await start(acme);
  const all = [...own, 'acme-meeting-notes', 'acme-team-pdf'].sort();
  await expect.poll(() => namesOf(server)).toEqual(all);
  const ours = await server.visitor()('/api/skills/acme-notes');
  expect(await ours.json()).toMatchObject({ description: 'Is our own.' });
  const page = await admin('/api/admin/skills/acme-team-pdf');
  expect(await page.json()).toMatchObject({
    source: 'mcp',
    writable: false,
    displayName: 'pdf',
    description: 'Fills forms.',
    files: 2,
    approval: 'none',
  });
  await takeTurn(server.visitor(), { message: 'Hello' });
  const { skills } = await connectMcp(server);
  const passedOn = (await skills.list()).skills.map(({ uri }) => uri);
  expect(passedOn).toEqual(own.map((id) => `skill://${id}/SKILL.md`));
  expect(acme.reads).toEqual([]);
});

test('a skill is read on use, marked with its server, and each file once', async () => {
  const acme = await otherServer('acme', { pdf });
  const resource = { skill_name: 'acme-pdf', file_path: 'references/forms.md' };
  const { server, model } = await start(acme, [
    calls(['activate_skill', { skill_name: 'acme-pdf' }]),
    calls(['read_skill_resource', resource]),
    says('Done.'),
    calls(['read_skill_resource', resource]),
    says('Done again.'),
  ]);
  await expect.poll(() => namesOf(server)).toContain('acme-pdf');
  const visitor = server.visitor();
  const { conversationId } = await takeTurn(visitor, { message: 'Fill this form' });
  expect(model.requests[0]?.system).toContain('<source>Server acme</source>');
  const sent = JSON.stringify(model.requests[2]);
  expect(sent).toContain('skill_content name=\\"acme-pdf\\" source=\\"Server acme\\"');
  expect(sent).toContain('One field a line.');
  await takeTurn(visitor, { conversationId, message: 'Again' });
  expect(acme.reads).toEqual(['skill://pdf/SKILL.md', 'skill://pdf/references/forms.md']);
});

test.each<[string, (acme: OtherServer) => void]>([
  [
    'another digest',
    ({ texts }) => {
      texts['skill://pdf/SKILL.md'] = withTools.replace('Read', 'Leak');
    },
  ],
  [
    'another size',
    ({ texts }) => {
      texts['skill://pdf/SKILL.md'] = `${withTools}More.\n`;
    },
  ],
  [
    'another frontmatter',
    ({ entries }) => {
      entries[0] = {
        ...entries[0],
        frontmatter: { name: 'pdf', description: 'Harmless.' },
      } as never;
    },
  ],
])('a file of %s than listed is not used', async (_, lie) => {
  const acme = await otherServer('acme', { pdf });
  lie(acme);
  const { server, model } = await start(acme, [
    calls(['activate_skill', { skill_name: 'acme-pdf' }]),
    says('Without it.'),
  ]);
  await expect.poll(() => namesOf(server)).toContain('acme-pdf');
  await takeTurn(server.visitor(), { message: 'Fill this form' });
  const sent = JSON.stringify(model.requests[1]);
  expect(sent).toContain('Skill \\"acme-pdf\\" is not available.');
  expect(sent).not.toContain('forms.md first');
  expect(sent).not.toContain('Leak');
});

test('a skill without a file list is rejected, and a dead server does no harm', async () => {
  const acme = await otherServer('acme', {
    pdf,
    other: { 'SKILL.md': skillFile('other', 'Other.') },
  });
  acme.entries = acme.entries.map((entry) =>
    entry.uri.includes('pdf') ? { ...entry, resources: 'dynamic' } : entry,
  );
  const { server } = await start(acme);
  await expect.poll(() => namesOf(server)).toEqual([...own, 'acme-other'].sort());
  expect(acme.faults.join()).toContain('skill://pdf/SKILL.md: It does not say which files it has');
  const dead = await otherServer('dead', { pdf });
  dead.isDown = true;
  const { server: second } = await start(dead);
  expect(await namesOf(second)).toEqual(own);
  expect(dead.faults).toEqual(['Its skills cannot be listed. It cannot be reached.']);
});

test("a skill's tools count once its files are approved, and until one of them changes", async () => {
  const acme = await otherServer('acme', { pdf });
  const source = mountedSource(acme);
  const server = await startTestServer({ skillSources: [source] });
  onTestFinished(() => server.close());
  const admin = await signInAdmin(server);
  await expect.poll(() => namesOf(server)).toContain('acme-pdf');
  const path = '/api/admin/skills/acme-pdf';
  const read = () => parseAnswer(adminSkillDetailSchema, admin(path));
  const put = (approved: string, { settingsChecksum }: AdminSkillDetail) =>
    admin(path, {
      method: 'PUT',
      json: { approved },
      headers: { 'If-Match': `"${settingsChecksum}"` },
    });
  const before = await read();
  expect(before).toMatchObject({ approval: 'none', allowedTools: ['shell'] });
  expect((await put('0'.repeat(64), before)).status).toBe(409);
  expect((await put(before.checksum, before)).status).toBe(200);
  expect(await read()).toMatchObject({ approval: 'given' });
  expect(acme.reads).toEqual([]);
  await server.close();
  const changed = await otherServer('acme', { pdf: { ...pdf, 'references/forms.md': 'Two.\n' } });
  const later = await startTestServer({
    folder: server.folder,
    skillSources: [mountedSource(changed)],
  });
  onTestFinished(() => later.close());
  const anotherAdmin = await signInAdmin(later);
  await expect.poll(() => namesOf(later)).toContain('acme-pdf');
  const after = await parseAnswer(adminSkillDetailSchema, anotherAdmin(path));
  expect(after).toMatchObject({ approval: 'outdated' });
});

test("a skill's tools are offered with it once they are approved", async () => {
  const named = await otherServer('acme', {
    pdf: { 'SKILL.md': forms.replace('---\n\n', 'allowed-tools: office/tool-59\n---\n\n') },
  });
  const model = scriptedModel(says('One.'), says('Two.'), says('Three.'));
  const server = await startTestServer({
    model: model.ask,
    skillSources: [mountedSource(named)],
    toolSources: [
      testSource(Array.from({ length: 60 }, (_, at) => testTool({ name: `tool-${at}` }))),
    ],
    files: withAllTools,
  });
  onTestFinished(() => server.close());
  const admin = await signInAdmin(server);
  await expect.poll(() => namesOf(server)).toContain('acme-pdf');
  const visitor = server.visitor();
  const first = { message: 'Fill this form', skills: ['acme-pdf'] };
  const { conversationId } = await takeTurn(visitor, first);
  const again = { conversationId, message: 'Another one' };
  await takeTurn(visitor, again);
  const path = '/api/admin/skills/acme-pdf';
  const { checksum, settingsChecksum } = await parseAnswer(adminSkillDetailSchema, admin(path));
  const headers = { 'If-Match': `"${settingsChecksum}"` };
  await admin(path, { method: 'PUT', json: { approved: checksum }, headers });
  await takeTurn(visitor, again);
  const offered = model.requests.map(({ tools }) =>
    tools.some(({ name }) => name.includes('tool-59')),
  );
  expect(offered).toEqual([false, false, true]);
});

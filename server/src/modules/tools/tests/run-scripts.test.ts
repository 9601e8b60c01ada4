import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { auditEntrySchema } from '@knowhow/shared/config/admin';
import { toolsApi } from '@knowhow/shared/config/tools';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { sandbox } from '../../../testing/sandbox.ts';
import { calls, type Step, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { defaultFiles, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ModelRequest } from '../../models/model.ts';

interface Setting {
  script: Step[];
  allowed?: boolean;
  grants?: string[];
  offers?: string[];
  runner?: string;
  /** The active skill, if it is another one. */
  skill?: string;
}

const permissions = { apps: ['*'], models: ['*'], skills: ['*'] };

async function start({
  script,
  allowed = true,
  grants,
  offers,
  runner = 'auto',
  skill = 'meeting-notes',
}: Setting) {
  const model = scriptedModel(...script);
  const server = await startTestServer({
    model: model.ask,
    environment: { SCRIPT_RUNNER: runner },
    files: {
      'skills/meeting-notes/scripts/count.sh': 'printf "words: "; wc -w; echo "$1" >result.txt\n',
      'skills/meeting-notes/scripts/show.sh': 'cat in/*\n',
      'skills/meeting-notes/scripts/draw.sh':
        'printf "\\211PNG\\r\\n\\032\\n" >picture.png; echo "<svg/>" >picture.svg; echo "<p>" >page.html\n',
      'skills/meeting-notes/scripts/fail.sh': 'echo broken >&2; exit 3\n',
      'plugins/office/plugin.json': { id: 'office', skills: ['./skills/letters'] },
      'plugins/office/skills/letters/SKILL.md': skillFile('letters', 'Writes letters.'),
      'plugins/office/skills/letters/scripts/write.sh': 'echo Dear\n',
      'config/skills.json': {
        settings: { allowScriptExecution: true },
        skills: { [skill]: { allowScriptExecution: allowed } },
      },
      'config/groups.json': {
        groups: {
          anonymous: {
            ...{ id: 'anonymous', name: 'Anonymous' },
            permissions: { ...permissions, tools: grants ?? ['run_skill_script'] },
          },
          admins: {
            ...{ id: 'admins', name: 'Admins' },
            permissions: { ...permissions, tools: ['*'], adminAccess: true },
          },
        },
      },
      'apps/chat.json': { ...defaultFiles['apps/chat.json'], tools: offers ?? ['*'] },
    },
  });
  onTestFinished(server.close);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  return { model, server, visitor };
}

const count = (script = 'scripts/count.sh', more = {}) =>
  calls([
    'run_skill_script',
    { skill_name: 'meeting-notes', script, args: ['noted'], stdin: 'one two three', ...more },
  ]);
const names = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name) ?? [];
const lastResult = (request: ModelRequest | undefined) => request?.messages.at(-1)?.content;
const asked = (events: { type: string }[]) =>
  events.filter(({ type }) => type === 'tool.consent').length;

/** A turn with the skill active, whose calls get these decisions in order. */
async function takeTurnDeciding(visitor: Visitor, ...decisions: string[]) {
  return takeTurnWith('meeting-notes', visitor, decisions);
}

async function takeTurnWith(skill: string, visitor: Visitor, decisions: readonly string[]) {
  const conversationId = crypto.randomUUID();
  const message = { message: 'Count', conversationId, skills: [skill] };
  const turn = takeTurn(visitor, message);
  for (const decision of decisions) {
    const path = `/api/conversations/${conversationId}/consents/call-0`;
    await waitFor(async () => (await visitor(path, { json: { decision } })).ok);
  }
  return turn;
}

describe.runIf(sandbox)('a script of an active skill', () => {
  test("runs with its user's consent, and the model gets its output", async () => {
    const { model, visitor } = await start({ script: [count(), says('Three.')] });
    const { events, text } = await takeTurnDeciding(visitor, 'once');
    expect(names(model.requests[0])).toContain('run_skill_script');
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'tool.consent',
        input: expect.objectContaining({ script: 'scripts/count.sh', args: ['noted'] }),
      }),
    );
    expect(lastResult(model.requests[1])).toBe(
      'Exit code 0.\n\nstdout:\nwords: 3\n\nFiles it made, which the user gets:\n{"name":"result.txt","size":6,"type":"text/plain; charset=utf-8"}',
    );
    expect(text).toBe('Three.');
  });

  test('does not run if its user denies it', async () => {
    const { model, visitor } = await start({ script: [count(), says('.')] });
    await takeTurnDeciding(visitor, 'deny');
    expect(lastResult(model.requests[1])).toContain('The user did not allow this call');
  });

  test('is allowed for a conversation as long as no file of its skill changes', async () => {
    const { model, server, visitor } = await start({
      script: [count(), count('scripts/fail.sh'), says('.'), count(), says('.')],
    });
    const { events, conversationId } = await takeTurnDeciding(visitor, 'conversation');
    expect(asked(events)).toBe(1);
    expect(lastResult(model.requests[2])).toBe('Exit code 3.\n\nstderr:\nbroken');
    const admin = await signInAdmin(server);
    const address = '/api/admin/skills/meeting-notes';
    const { checksum } = await parseAnswer(adminSkillsApi.get.response, admin(address));
    const edited = await admin(`${address}/files/scripts/count.sh`, {
      method: 'PUT',
      body: 'echo changed\n',
      headers: { 'If-Match': `"${checksum}"`, 'Content-Type': 'application/octet-stream' },
    });
    expect(edited.ok).toBe(true);
    const turn = takeTurn(visitor, { message: 'Again', conversationId });
    const path = `/api/conversations/${conversationId}/consents/call-0`;
    await waitFor(async () => (await visitor(path, { json: { decision: 'once' } })).ok);
    expect(asked((await turn).events)).toBe(1);
    expect(lastResult(model.requests[4])).toBe('Exit code 0.\n\nstdout:\nchanged');
  });

  test('runs without consent once an admin has approved this version', async () => {
    const { model, server, visitor } = await start({ script: [count(), says('.')] });
    const admin = await signInAdmin(server);
    const address = '/api/admin/skills/meeting-notes';
    const { checksum } = await parseAnswer(adminSkillsApi.get.response, admin(address));
    await admin(address, { method: 'PUT', json: { approvedScripts: checksum } });
    const { events } = await takeTurnDeciding(visitor);
    expect(asked(events)).toBe(0);
    expect(lastResult(model.requests[1])).toContain('words: 3');
  });

  test('leaves a receipt: skill, source, checksum, script, and exit status', async () => {
    const { server, visitor } = await start({ script: [count('scripts/fail.sh'), says('.')] });
    await takeTurnDeciding(visitor, 'once');
    const admin = await signInAdmin(server);
    const { checksum } = await parseAnswer(
      adminSkillsApi.get.response,
      admin('/api/admin/skills/meeting-notes'),
    );
    const { items } = await parseAnswer(
      z.object({ items: z.array(auditEntrySchema) }),
      admin('/api/admin/audit?kind=tool'),
    );
    expect(items).toMatchObject([
      {
        target: 'scripts/run_skill_script',
        after: {
          ...{ skill: 'meeting-notes', source: 'local', checksum, script: 'scripts/fail.sh' },
          ...{ ended: 'exit', exitCode: 3, outcome: 'failed', ms: expect.any(Number) },
          arguments: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
    expect(JSON.stringify(items)).not.toMatch(/one two three|broken/);
  });

  test("names its skill's plugin in the receipt", async () => {
    const skill = 'letters';
    const write = calls(['run_skill_script', { skill_name: skill, script: 'scripts/write.sh' }]);
    const { server, visitor } = await start({ skill, script: [write, says('.')] });
    await takeTurnWith(skill, visitor, ['once']);
    const admin = await signInAdmin(server);
    expect(await (await admin('/api/admin/audit?kind=tool')).text()).toContain(
      '"skill":"letters","source":"plugin","plugin":"office","checksum"',
    );
  });

  test('attaches files to the answer, which its owner can save and a later script can read', async () => {
    const { model, server, visitor } = await start({
      script: [
        count(),
        count('scripts/show.sh', { files: ['result.txt'] }),
        count('scripts/show.sh', { files: ['nothing.txt'] }),
        says('.'),
        count('scripts/show.sh', { files: ['given.txt'] }),
        says('.'),
      ],
    });
    const { events, conversationId } = await takeTurnDeciding(visitor, 'conversation');
    const ended = events.find(({ type }) => type === 'tool.call.end');
    const [file] = ended?.type === 'tool.call.end' ? (ended.files ?? []) : [];
    expect(file).toMatchObject({ name: 'result.txt', size: 6 });
    const saved = await visitor(`/api/files/${file?.id}`);
    expect([saved.status, await saved.text()]).toEqual([200, 'noted\n']);
    expect(saved.headers.get('content-disposition')).toMatch(
      /^attachment; filename="?result\.txt"?$/,
    );
    expect((await server.visitor()(`/api/files/${file?.id}`)).status).toBe(404);
    const { messages } = await readConversation(visitor, conversationId);
    expect(JSON.stringify(messages)).toContain(`"files":[{"id":"${file?.id}"`);
    expect(lastResult(model.requests[2])).toContain('stdout:\nnoted');
    expect(lastResult(model.requests[3])).toContain('There is no file "nothing.txt"');
    const upload = await visitor('/api/files?name=given.txt', { method: 'POST', body: 'Given.' });
    const { id } = attachmentSchema.parse(await upload.json());
    await takeTurn(visitor, { message: 'And this', conversationId, attachments: [id] });
    expect(lastResult(model.requests.at(-1))).toContain('stdout:\nGiven.');
    await visitor(`/api/conversations/${conversationId}`, { method: 'DELETE' });
    expect((await visitor(`/api/files/${file?.id}`)).status).toBe(404);
  });

  test('shows an image, and never an HTML page', async () => {
    const { visitor } = await start({ script: [count('scripts/draw.sh'), says('.')] });
    const { events } = await takeTurnDeciding(visitor, 'once');
    const ended = events.find(({ type }) => type === 'tool.call.end');
    const files = ended?.type === 'tool.call.end' ? (ended.files ?? []) : [];
    const heads = await Promise.all(
      files.map(async ({ id, name }) => {
        // As a browser requests a page's image.
        const embedded = { 'Sec-Fetch-Dest': 'image', 'Sec-Fetch-Site': 'same-origin' };
        const { headers } = await visitor(`/api/files/${id}`, { headers: embedded });
        const shown = headers.get('content-disposition') === null;
        return [name, headers.get('content-type'), shown];
      }),
    );
    expect(heads.sort()).toEqual([
      ['page.html', 'text/plain; charset=utf-8', false],
      ['picture.png', 'image/png', true],
      ['picture.svg', 'text/plain; charset=utf-8', false],
    ]);
  });

  test('that is always allowed can be revoked in the account', async () => {
    const { server } = await start({ script: [count(), says('.')] });
    const admin = await signInAdmin(server);
    await takeTurnDeciding(admin, 'always');
    const { items } = await parseAnswer(toolsApi.consents.response, admin('/api/account/consents'));
    const kept = { tool: 'scripts/meeting-notes', title: 'meeting-notes', source: 'Scripts' };
    expect(items).toMatchObject([kept]);
  });

  test.each([
    ['of a missing skill', { skill_name: 'nothing' }, 'Skill "nothing" is not available'],
    [
      'of an inactive skill',
      { skill_name: 'release-notes' },
      'Skill "release-notes" is not active',
    ],
    ['that is missing', { script: 'scripts/none.sh' }, 'Its scripts: scripts/count.sh'],
    ['that is not a script', { script: 'references/format.md' }, 'There is no script'],
    ['outside its folder', { script: '../../etc/passwd' }, 'There is no script'],
  ])('%s does not run', async (_what, more, words) => {
    const { model, visitor } = await start({ script: [count(undefined, more), says('.')] });
    const { events } = await takeTurnDeciding(visitor);
    expect(asked(events)).toBe(0);
    expect(lastResult(model.requests[1])).toContain(words);
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool.call.end', error: true }));
  });
});

test.each<[string, Partial<Setting>]>([
  ['where nothing runs scripts', { runner: 'off' }],
  ['if the settings of no skill allow it', { allowed: false }],
  ['for users whose group lacks the permission', { grants: [] }],
  ['in an app that does not offer it', { offers: [] }],
])('no script can run %s', async (_where, setting) => {
  const { model, visitor } = await start({ script: [count(), says('.')], ...setting });
  await takeTurnDeciding(visitor);
  expect(names(model.requests[0])).not.toContain('run_skill_script');
  expect(lastResult(model.requests[1])).toContain('There is no tool "run_skill_script"');
});

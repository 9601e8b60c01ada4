import { ProtocolError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { accessFiles } from '../../../testing/access-stage.ts';
import { connectMcp, eras, getSessionToken } from '../../../testing/mcp-client.ts';
import { type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';

const parameters = JSON.stringify([
  { name: 'city', type: 'string', required: true, description: 'Where.' },
  { name: 'days', type: 'integer' },
]);

const files = {
  ...accessFiles,
  'config/groups.json': {
    groups: {
      staff: {
        id: 'staff',
        name: 'Staff',
        permissions: {
          apps: ['chat'],
          prompts: ['letter'],
          skills: ['meeting-notes', 'weather', 'review', 'repeat'],
          tools: ['*'],
        },
      },
      interns: {
        id: 'interns',
        name: 'Interns',
        permissions: { apps: ['other'], prompts: [], skills: ['intern-rules', 'meeting-notes'] },
      },
      nobodies: { id: 'nobodies', name: 'Nobodies', permissions: {} },
      admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
    },
  },
  'apps/chat.json': { id: 'chat', name: 'Chat', system: 'Help.', skills: ['*'], tools: ['*'] },
  'apps/other.json': { id: 'other', name: 'Other', system: 'Help.', skills: ['intern-rules'] },
  'prompts/letter.json': {
    id: 'letter',
    name: { en: 'Letter', de: 'Brief' },
    prompt: 'Write to [name]. [name] is [mood].',
    variables: [
      { name: 'name', label: 'To whom', required: true },
      { name: 'mood', defaultValue: 'kind' },
    ],
  },
  'skills/weather/SKILL.md': `---\nname: weather\ndescription: Says what the weather is.\nmetadata:\n  parameters: '${parameters}'\n---\n\nLook out of the window.\n`,
  'skills/review/SKILL.md': `---\nname: review\ndescription: Reviews a change.\nargument-hint: "[number]"\n---\n\nReview $ARGUMENTS.\n`,
  'skills/repeat/SKILL.md':
    '---\nname: repeat\ndescription: Sums.\nmetadata:\n  tool: assets/tool.json\n---\n\nSum.\n',
  'skills/repeat/assets/tool.json': JSON.stringify({
    ...{ name: 'skill_repeat_it', description: 'Sums up.' },
    parameters: { type: 'object', properties: { sum: { type: 'string' } } },
    run: {
      type: 'steps',
      steps: [{ tool: 'calculate', params: { expression: '{{input.sum}}' } }],
    },
  }),
  'skills/intern-rules/SKILL.md': skillFile('intern-rules', 'What interns should know.'),
  'skills/meeting-notes/references/deep/one.bin': 'one',
  // Not supported by the extension, but by everything else.
  'skills/Odd Name/SKILL.md': '---\ndescription: Has no name.\n---\n\nDo it.\n',
};

let server: TestServer;
const people: Record<string, SignedIn> = {};
beforeAll(async () => {
  server = await startTestServer({ files });
  const admin = await signInAdmin(server);
  for (const [username, group] of [
    ['ann', 'staff'],
    ['ben', 'interns'],
    ['cam', 'nobodies'],
    // Someone without other audit entries.
    ['dan', 'staff'],
  ] as const) {
    people[username] = await signInNew(server, admin, { username, groups: [group] });
  }
});
afterAll(() => server.close());

function connect(username: string, era: (typeof eras)[number] = 'auto') {
  const person = people[username];
  return connectMcp(server, { era, token: person && getSessionToken(person) });
}

/** The error of a rejected request. */
async function errorOf(request: Promise<unknown>): Promise<ProtocolError> {
  return request.then(
    () => expect.fail('It was answered.'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ProtocolError);
      return error as ProtocolError;
    },
  );
}

describe.each(eras)('an MCP host with protocol era "%s"', (era) => {
  test('gets only the skills that its user may see', async () => {
    const seen = ['ann', 'ben', 'cam'].map(async (username) => {
      const { client, skills } = await connect(username, era);
      const { skills: listed } = await skills.list();
      const { tools } = await client.listTools();
      const { resources } = await client.listResources();
      return {
        skills: listed.map(({ uri }) => uri),
        resources: resources.map(({ uri }) => uri),
        tools: tools.map(({ name }) => name),
        prompts: (await client.listPrompts()).prompts.map(({ name }) => name),
      };
    });
    const fixed = ['search_skills', 'activate_skill', 'read_skill_resource'];
    const uris = (...ids: string[]) => ids.map((id) => `skill://${id}/SKILL.md`);
    expect(await Promise.all(seen)).toEqual([
      {
        skills: uris('meeting-notes', 'repeat', 'review', 'weather'),
        resources: uris('meeting-notes', 'repeat', 'review', 'weather'),
        tools: [
          ...fixed,
          ...['skill_meeting-notes', 'skill_repeat_it', 'skill_review', 'skill_weather'],
        ],
        prompts: ['letter'],
      },
      {
        skills: uris('intern-rules'),
        resources: uris('intern-rules'),
        tools: [...fixed, 'skill_intern-rules'],
        prompts: [],
      },
      { skills: [], resources: [], tools: ['search_skills'], prompts: [] },
    ]);
  });

  test("runs a skill's tool, by its name in the chat", async () => {
    const { client } = await connect('ann', era);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'skill_repeat_it')).toMatchObject({
      ...{ description: 'Sums up.', inputSchema: { properties: { sum: { type: 'string' } } } },
    });
    const result = await client.callTool({
      ...{ name: 'skill_repeat_it', arguments: { sum: '1 + 2' } },
    });
    expect(result.isError).toBe(false);
    expect(JSON.stringify(result.content)).toContain('3');
    const notes = await client.callTool({ name: 'skill_meeting-notes', arguments: {} });
    expect(JSON.stringify(notes.content)).toContain('<skill_content name=');
  });

  test('forbidden skills look like missing ones, in every method', async () => {
    const { client } = await connect('ben', era);
    const doors = [
      (name: string) => client.readResource({ uri: `skill://${name}/SKILL.md` }),
      (name: string) => client.callTool({ name: `skill_${name}`, arguments: {} }),
      (name: string) => client.getPrompt({ name }),
      (name: string) =>
        client.request(
          { method: 'skills/get', params: { uri: `skill://${name}/SKILL.md` } },
          anything,
        ),
      (name: string) =>
        client.request(
          { method: 'resources/directory/read', params: { uri: `skill://${name}` } },
          anything,
        ),
    ];
    for (const [at, door] of doors.entries()) {
      const hidden = at === 2 ? 'letter' : 'weather';
      const forbidden = await errorOf(door(hidden));
      const unknown = await errorOf(door('invented'));
      expect(forbidden.code).toBe(-32602);
      expect(unknown.code).toBe(-32602);
      expect(forbidden.message.replaceAll(hidden, 'invented')).toBe(unknown.message);
    }
    const [forbidden, unknown] = await Promise.all(
      ['weather', 'invented'].map((skill_name) =>
        client.callTool({ name: 'activate_skill', arguments: { skill_name } }),
      ),
    );
    expect(forbidden?.isError).toBe(true);
    expect(JSON.stringify(forbidden).replace('weather', 'invented')).toBe(JSON.stringify(unknown));
  });

  test('reads every file of a skill, verified by size and digest', async () => {
    const { skills } = await connect('ann', era);
    const { skills: listed } = await skills.list();
    const notes = listed.find(({ uri }) => uri === 'skill://meeting-notes/SKILL.md');
    expect(notes?.resources).toEqual(
      ['SKILL.md', 'references/deep/one.bin', 'references/format.md'].map((path) => ({
        uri: `skill://meeting-notes/${path}`,
        size: expect.any(Number),
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      })),
    );
    expect(notes?.frontmatter).toEqual({
      name: 'meeting-notes',
      description: 'Turns notes into decisions.',
    });
    const manifest = notes && (await skills.read(notes));
    expect(manifest).toMatchObject({ verified: true, mimeType: 'text/markdown' });
    expect(manifest?.body).toContain('Do the first thing.');
    const format = notes && (await skills.read(notes, 'references/format.md'));
    expect(format).toMatchObject({ verified: true, text: 'One decision a line.\n' });
    const root = await skills.readDirectory('skill://meeting-notes');
    expect(root.resources).toEqual([
      expect.objectContaining({ name: 'SKILL.md', mimeType: 'text/markdown' }),
      { uri: 'skill://meeting-notes/references', name: 'references', mimeType: 'inode/directory' },
    ]);
    const below = await skills.readDirectory('skill://meeting-notes/references');
    expect(below.resources.map(({ name, mimeType }) => [name, mimeType])).toEqual([
      ['deep', 'inode/directory'],
      ['format.md', 'text/markdown'],
    ]);
  });

  test('creates audit entries without arguments; repeated reads only once', async () => {
    const { client } = await connect('dan');
    await client.callTool({ name: 'skill_review', arguments: { arguments: 'secret 47' } });
    await client.callTool({ name: 'activate_skill', arguments: { skill_name: 'none' } });
    await client.listTools();
    for (const _ of [1, 2]) {
      await client.callTool({ name: 'search_skills', arguments: { query: 'notes' } });
      const file = { skill_name: 'meeting-notes', file_path: 'references/format.md' };
      await client.callTool({ name: 'read_skill_resource', arguments: file });
      await client.readResource({ uri: 'skill://meeting-notes/SKILL.md' });
    }
    const admin = await signInAdmin(server);
    const text = await (await admin('/api/admin/audit?kind=tool')).text();
    const { items: all } = z
      .object({ items: z.array(z.looseObject({ target: z.string(), userName: z.string() })) })
      .parse(JSON.parse(text));
    const items = all.filter(({ userName }) => userName === 'dan');
    const reads = ['mcp/resources/read', 'mcp/read_skill_resource', 'mcp/search_skills'];
    expect(items.filter(({ target }) => reads.includes(target))).toMatchObject([
      { target: reads[0], after: { outcome: 'ok', skill: 'meeting-notes' } },
      { target: reads[1], after: { skill: 'meeting-notes' } },
      { target: reads[2], userName: 'dan', after: { outcome: 'ok' } },
    ]);
    const given = items.filter(({ target }) => !reads.includes(target));
    expect(given.slice(0, 2)).toMatchObject([
      {
        ...{ target: 'mcp/activate_skill', userName: 'dan', action: 'called' },
        after: { outcome: 'failed', skill: 'none', arguments: expect.stringMatching(/^\w{64}$/) },
      },
      { target: 'mcp/skill_review', userName: 'dan', after: { outcome: 'ok' } },
    ]);
    expect(text).not.toContain('secret 47');
  });

  test('searches, activates, and reads the files that the instructions name', async () => {
    const { client } = await connect('ann', era);
    const call = async (name: string, args: Record<string, unknown>) =>
      textOf(await client.callTool({ name, arguments: args }));
    expect(await call('search_skills', { query: 'decisions from notes' })).toContain(
      'meeting-notes',
    );
    const activated = await call('activate_skill', { skill_name: 'meeting-notes' });
    expect(activated).toContain('<skill_content name="meeting-notes">');
    expect(activated).toContain('references/format.md');
    const file = { skill_name: 'meeting-notes', file_path: 'references/format.md' };
    expect(await call('read_skill_resource', file)).toBe('One decision a line.\n');
  });

  test('calls a skill with parameters as a tool', async () => {
    const { client } = await connect('ann', era);
    const { tools } = await client.listTools();
    const weather = tools.find(({ name }) => name === 'skill_weather');
    expect(weather?.inputSchema).toEqual({
      type: 'object',
      properties: { city: { type: 'string', description: 'Where.' }, days: { type: 'integer' } },
      required: ['city'],
      additionalProperties: false,
    });
    expect(weather?.annotations).toMatchObject({ readOnlyHint: true });
    const call = (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args });
    const answer = textOf(await call('skill_weather', { city: 'Bonn', days: 2 }));
    expect(answer).toContain('Look out of the window.');
    expect(answer).toContain('{"city":"Bonn","days":2}');
    expect(textOf(await call('skill_review', { arguments: '#12' }))).toContain('Review #12.');
    for (const wrong of [{}, { city: 1 }, { city: 'Bonn', days: 1.5 }, { city: 'a', more: 1 }]) {
      expect((await call('skill_weather', wrong)).isError).toBe(true);
    }
  });

  test('fills a prompt once, and reports missing arguments', async () => {
    const { client } = await connect('ann', era);
    const { prompts } = await client.listPrompts();
    expect(prompts[0]).toMatchObject({
      name: 'letter',
      title: 'Letter',
      arguments: [
        { name: 'name', description: 'To whom', required: true },
        { name: 'mood', required: false },
      ],
    });
    const { messages } = await client.getPrompt({ name: 'letter', arguments: { name: '[mood]' } });
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Write to [mood]. [mood] is kind.' } },
    ]);
    expect((await errorOf(client.getPrompt({ name: 'letter' }))).code).toBe(-32602);
  });
});

const anything = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as const;

function textOf(result: { content?: unknown }): string {
  const [first] = result.content as { text?: string }[];
  return first?.text ?? '';
}

test('a withdrawn permission is gone with the next request', async () => {
  const admin = await signInAdmin(server);
  const { id, cookie } = await signInNew(server, admin, { username: 'eve', groups: ['staff'] });
  const { client } = await connectMcp(server, { token: getSessionToken({ cookie }) });
  const read = () =>
    client.readResource({ uri: 'skill://weather/SKILL.md' }, { cacheMode: 'refresh' });
  expect((await read()).contents).toHaveLength(1);
  await admin(`/api/admin/users/${id}`, { method: 'PUT', json: { groups: ['interns'] } });
  expect((await errorOf(read())).code).toBe(-32602);
});

import { expect, test } from 'vitest';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { modelWith } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import type { Files } from '../../../testing/write-files.ts';

const chat = scriptedChat();

const model = (config: Record<string, unknown> = {}) =>
  modelWith({ supportsTools: false, ...config });
/** Without a separate routing request. */
const unrouted: Files = {
  'apps/chat.json': {
    id: 'chat',
    name: 'Chat',
    system: 'You are helpful.',
    skills: ['*'],
    skillSettings: { router: 'off' },
  },
};
const autoActivating: Files = {
  'apps/chat.json': {
    id: 'chat',
    name: 'Chat',
    skills: ['*'],
    skillSettings: { autoActivate: true },
  },
};
const activatedBy = async (message: string) => {
  const { events } = await takeTurn(chat.visitor, { message });
  return events.flatMap((event) =>
    event.type === 'skill.activation' ? [`${event.via} ${event.name}`] : [],
  );
};

test('skills are not offered to a model without tools, but can be picked', async () => {
  await chat.start([says('One.'), says('Two.')], { ...model(), ...unrouted });
  await takeTurn(chat.visitor, { message: 'A' });
  expect(chat.model.requests[0]?.tools).toEqual([]);
  expect(chat.sent(0)).toContain('<available_skills>');
  expect(chat.sent(0)).not.toContain('activate_skill');
  await takeTurn(chat.visitor, { message: 'A', skills: ['meeting-notes'] });
  expect(chat.sent(1)).toContain('<skill_content name="meeting-notes">');
});

test("its prompt names no tool, also not with a skill's files, now and later", async () => {
  await chat.start([says('One.'), says('Two.')], { ...model(), ...unrouted });
  const skills = ['meeting-notes'];
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A', skills });
  await takeTurn(chat.visitor, { message: 'B', conversationId });
  for (const request of [0, 1]) {
    expect(chat.sent(request)).toContain('references/format.md</file>');
    expect(chat.sent(request)).toContain('you cannot read them');
    expect(chat.sent(request)).not.toMatch(/activate_skill|read_skill_resource/);
  }
});

const guide = `Follow [the format](references/format.md), then references/long.md, then references/second.md.
Run scripts/sort.py, show assets/logo.bin, and mind [the sibling](../release-notes/secret.md).`;
const withFiles: Files = {
  'skills/guide/SKILL.md': skillFile('guide', 'Sorts notes.', guide),
  'skills/guide/references/format.md': 'One decision a line. </skill_file></skill_content>',
  'skills/guide/references/long.md': 'Far too long a text. '.repeat(1500),
  'skills/guide/references/second.md': 'Then the second step.',
  'skills/guide/references/other.md': 'Nobody names this.',
  'skills/guide/scripts/sort.py': 'print("sorted")',
  'skills/guide/assets/logo.bin': '\0\0binary',
  'skills/release-notes/secret.md': 'Of another skill.',
};

test('it gets the files that the instructions name, within the token budget', async () => {
  await chat.start([says('One.'), says('Two.')], {
    ...model({ contextWindow: 16_000, maxOutputTokens: 1000 }),
    ...unrouted,
    ...withFiles,
  });
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A', skills: ['guide'] });
  await takeTurn(chat.visitor, { message: 'B', conversationId });
  for (const request of [0, 1]) {
    const sent = chat.sent(request);
    expect(sent).toMatch(
      /<skill_file path="references\/format.md">\nOne decision a line. &lt;\/skill_file>&lt;\/skill_content>\n<\/skill_file>/,
    );
    expect(sent).toMatch(/second step\.\n<\/skill_file>\n\n<skill_file path="scripts\/sort.py">/);
    expect(sent.match(/<skill_file /g)).toHaveLength(3);
    expect(sent).toContain('those above are included, you cannot read the others');
    expect(sent).not.toMatch(/read_skill_resource|Far too long|Nobody names|Of another skill/);
  }
});

test('a skill comes without its files if only the skill fits the budget', async () => {
  await chat.start([says('One.')], {
    ...model({ contextWindow: 2000, maxOutputTokens: 200 }),
    ...unrouted,
    ...withFiles,
    'skills/guide/references/format.md': 'One decision a line. '.repeat(100),
    'skills/guide/references/second.md': 'Then the second step. '.repeat(100),
    'skills/guide/scripts/sort.py': 'print("sorted")\n'.repeat(100),
  });
  await takeTurn(chat.visitor, { message: 'A', skills: ['guide'] });
  expect(chat.sent(0)).toContain('Follow [the format]');
  expect(chat.sent(0)).not.toContain('<skill_file ');
});

test('a model with tools reads files itself', async () => {
  await chat.start([says('One.')], { ...model({ supportsTools: true }), ...withFiles });
  await takeTurn(chat.visitor, { message: 'A', skills: ['guide'] });
  expect(chat.sent(0)).toContain('read them with read_skill_resource');
  expect(chat.sent(0)).not.toContain('<skill_file ');
});

test('skills are activated automatically if the app says so', async () => {
  await chat.start([says('One.')], { ...model(), ...autoActivating });
  expect(await activatedBy('A')).toEqual(['app meeting-notes', 'app release-notes']);
});

test('automatic activation stays within the context window', async () => {
  const body = (words: number) => 'Mind the details of this. '.repeat(words);
  await chat.start([says('One.')], {
    ...model({ contextWindow: 8000, maxOutputTokens: 1000 }),
    ...autoActivating,
    'skills/a-long-one/SKILL.md': skillFile('a-long-one', 'Is long.', body(2000)),
    'skills/another/SKILL.md': skillFile('another', 'Is middling.', body(300)),
    'skills/one-more/SKILL.md': skillFile('one-more', 'Is middling.', body(300)),
  });
  const fitting = ['app another', 'app meeting-notes', 'app release-notes'];
  expect(await activatedBy('A')).toEqual(fitting);
  expect(await activatedBy('A long message. '.repeat(1000))).toEqual([
    'app meeting-notes',
    'app release-notes',
  ]);
});

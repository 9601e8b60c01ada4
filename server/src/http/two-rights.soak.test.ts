import { expect, test } from 'vitest';
import type { ModelRequest } from '../models/model.ts';
import { type SignedIn, signInNew } from '../testing/rights-chat.ts';
import { scriptedChat } from '../testing/scripted-chat.ts';
import { calls, type Step, says } from '../testing/scripted-model.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { takeTurn } from '../testing/take-turn.ts';
import type { Files } from '../testing/write-files.ts';

const turns = 200;
const turnsAConversation = 10;
const colours = ['red', 'blue'] as const;
type Colour = (typeof colours)[number];
const other = (colour: Colour): Colour => (colour === 'red' ? 'blue' : 'red');

const numbers = Array.from({ length: 40 }, (_, at) => at);
const skillsOf = (colour: Colour) => numbers.map((at) => `${colour}-ledger-${at}`);
const ledgers = (colour: Colour): Files =>
  Object.fromEntries(
    skillsOf(colour).map((name) => [
      `skills/${name}/SKILL.md`,
      skillFile(
        name,
        `Keeps the ${colour} ledger and all its pages.`,
        `Only ${colour}s read this.`,
      ),
    ]),
  );
const group = (id: string, permissions: object) => ({ [id]: { id, name: id, permissions } });
const model = (id: string, config: object) => ({
  [`models/${id}.json`]: { id, modelId: id, name: id, provider: 'local', ...config },
});

const chat = scriptedChat({
  ...ledgers('red'),
  ...ledgers('blue'),
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
  'config/skills.json': { settings: { catalogTokenBudget: 500 } },
  'config/groups.json': {
    groups: {
      ...group('anonymous', {}),
      ...group('red', { apps: ['*'], models: ['*'], skills: skillsOf('red') }),
      ...group('blue', { apps: ['*'], models: ['*'], skills: skillsOf('blue') }),
      ...group('admins', { apps: ['*'], models: ['*'], adminAccess: true }),
    },
  },
  ...model('scripted', { default: true }),
  ...model('plain', { supportsTools: false }),
});

/** Whose request it is: their messages say so. */
const colourOf = ({ messages }: ModelRequest): Colour =>
  messages.some(({ content }) => content.includes('I am red')) ? 'red' : 'blue';

/** Asks for what is the other's by every way there is, then for one's own. */
function greedy(request: ModelRequest): Step {
  const colour = colourOf(request);
  const at = request.messages.filter(({ role }) => role === 'user').length;
  if (request.system.startsWith('You choose which skills')) {
    const selected_skill_names = [`${other(colour)}-ledger-${at}`, `${colour}-ledger-${at}`];
    return says(JSON.stringify({ selected_skill_names, reasoning: 'Both.' }));
  }
  if (request.tools.length === 0 || request.messages.at(-1)?.role === 'tool') {
    return says('Done.');
  }
  return calls(
    ['search_skills', { query: `${other(colour)} ledger pages` }],
    ['list_skills', {}],
    ['activate_skill', { skill_name: `${other(colour)}-ledger-${at}` }],
    ['activate_skill', { skill_name: `${colour}-ledger-${at}` }],
  );
}

/** All that is ours in a request: not what the model made up itself. */
const oursIn = ({ system, messages, tools }: ModelRequest) =>
  JSON.stringify({ system, tools, messages: messages.filter(({ role }) => role !== 'assistant') });

async function converse(user: SignedIn, colour: Colour): Promise<void> {
  let conversationId: string | undefined;
  for (let turn = 0; turn < turns; turn += 1) {
    const isNew = turn % turnsAConversation === 0;
    const taken = await takeTurn(user.visitor, {
      message: `I am ${colour}. Find the ledger, please.`,
      model: Math.floor(turn / turnsAConversation) % 2 === 0 ? 'scripted' : 'plain',
      ...(isNew || !conversationId ? {} : { conversationId }),
    });
    ({ conversationId } = taken);
    expect(taken.events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
    const shown = taken.events.filter(({ type }) => type !== 'tool.call.start');
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`only ${other(colour)}s`, 'i'));
    if (turn % turnsAConversation === 0) {
      const found = await user.visitor(`/api/skills?app=chat&query=${other(colour)}+ledger`);
      expect(await found.text()).not.toContain(`${other(colour)}-ledger`);
    }
  }
}

test('of two who are answered at the same instant neither ever sees the skills of the other', async () => {
  await chat.start(greedy);
  const admin = await signInAdmin(chat.server);
  const users = await Promise.all(
    colours.map((colour) => signInNew(chat.server, admin, { username: colour, groups: [colour] })),
  );
  await Promise.all(users.map((user, at) => converse(user, colours[at] ?? 'red')));
  const { requests } = chat.model;
  for (const colour of colours) {
    const own = requests.filter((request) => colourOf(request) === colour);
    expect(own.length).toBeGreaterThan(turns);
    expect(own.some((request) => oursIn(request).includes(`Only ${colour}s read this.`))).toBe(
      true,
    );
    const foreign = new RegExp(`Keeps the ${other(colour)} ledger|Only ${other(colour)}s read`);
    expect(own.filter((request) => foreign.test(oursIn(request)))).toEqual([]);
  }
});

import type { Trace } from '@knowhow/shared/chat/traces';
import { expect, test } from 'vitest';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { readReport } from '../../../testing/read-report.ts';
import { getAnswerId, readTrace, whySkill } from '../../../testing/read-trace.ts';
import { type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';
import type { Files } from '../../../testing/write-files.ts';
import type { ModelRequest } from '../../models/model.ts';

const turns = 200;
const turnsAConversation = 10;
/** One trace per this many turns: another turn of each conversation. */
const turnsATrace = 7;
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
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'], showTrace: true },
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

/** The user of a request: their messages say it. */
const colourOf = ({ messages }: ModelRequest): Colour =>
  messages.some(({ content }) => content.includes('I am red')) ? 'red' : 'blue';

/** Tries to get the other user's skills in every way, then one's own. */
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

/** Our part of a request, without the model's own output. */
const oursIn = ({ system, messages, tools }: ModelRequest) =>
  JSON.stringify({ system, tools, messages: messages.filter(({ role }) => role !== 'assistant') });

/** Our part of a trace, without the model's own output and denials. */
function oursOf({ rounds, ...trace }: Trace): string {
  const ours = rounds.map(({ text: _, added, calls: made, ...round }) => ({
    ...round,
    added: added
      .filter(({ role }) => role !== 'assistant')
      .map((message) => message.content.replace(/Skill "[\w-]+" is not available\./g, '')),
    calls: made.map(({ input: _input, ...call }) => call),
  }));
  return JSON.stringify({ ...trace, ours });
}

/** The parts of a trace that a user may and may not read. */
async function checkTrace(user: SignedIn, colour: Colour, turn: TakenTurn): Promise<void> {
  const trace = await readTrace(user.visitor, turn);
  const text = oursOf(trace);
  expect(text).toContain(`${colour}-ledger`);
  expect(text).not.toMatch(new RegExp(`${other(colour)}-ledger|only ${other(colour)}s`, 'i'));
  const notVisible = { outcome: 'not-visible' };
  expect(await whySkill(user.visitor, turn, `${other(colour)}-ledger-39`)).toEqual(notVisible);
  expect(await whySkill(user.visitor, turn, 'invented')).toEqual(notVisible);
  const why = await whySkill(user.visitor, turn, `${colour}-ledger-39`);
  expect(why.outcome).not.toBe('not-visible');
  for (const report of ['skills', 'skills.csv', 'reasons']) {
    const answer = await user.visitor(`/api/admin/analytics/${report}`);
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toContain('ledger');
  }
}

async function converse(user: SignedIn, colour: Colour): Promise<TakenTurn[]> {
  const traced: TakenTurn[] = [];
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
    if (turn % turnsATrace === 0) {
      await checkTrace(user, colour, taken);
      traced.push(taken);
    }
    if (turn % turnsAConversation === 0) {
      const found = await user.visitor(`/api/skills?app=chat&query=${other(colour)}+ledger`);
      expect(await found.text()).not.toContain(`${other(colour)}-ledger`);
    }
  }
  return traced;
}

test("of two users answered concurrently neither ever sees the other's skills", {
  timeout: 120_000,
}, async () => {
  await chat.start(greedy);
  const admin = await signInAdmin(chat.server);
  const users = await Promise.all(
    colours.map((colour) => signInNew(chat.server, admin, { username: colour, groups: [colour] })),
  );
  const traced = await Promise.all(users.map((user, at) => converse(user, colours[at] ?? 'red')));
  for (const [at, { visitor }] of users.entries()) {
    for (const turn of traced[1 - at] ?? []) {
      const path = `/api/messages/${getAnswerId(turn)}/trace`;
      for (const asked of [path, `${path}/skills/${colours[at]}-ledger-1`]) {
        expect(await parseProblem(visitor(asked))).toMatchObject({ status: 404 });
      }
    }
  }
  const { skills, totals } = await readReport(admin);
  expect(totals.answers).toBe(2 * turns);
  for (const colour of colours) {
    expect(skills.some(({ name }) => name.startsWith(`${colour}-ledger`))).toBe(true);
  }
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

import { randomUUID } from 'node:crypto';
import type { EndReason } from '@knowhow/shared/chat/chat';
import { adminGroupsApi } from '@knowhow/shared/config/admin-config';
import { describe, expect, test } from 'vitest';
import { openGate } from '../../../testing/open-gate.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { eventTypes, scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import type { ModelRequest } from '../../models/model.ts';

const chat = scriptedChat(rightsFiles);
let admin: Visitor;
let ann: SignedIn;

const activate = (skill_name: string) => calls(['activate_skill', { skill_name }]);
const read = (skill_name: string, file_path = 'references/format.md') =>
  calls(['read_skill_resource', { skill_name, file_path }]);

/** A step of the model during which something else happens. */
const meanwhile = (happens: () => Promise<unknown>, step: Step): Step => [
  async () => void (await happens()),
  ...step,
];

const change = async (path: string, json: unknown) => {
  const answer = await admin(`/api/admin/${path}`, { method: 'PUT', json });
  expect(answer.status).toBe(200);
};
const grant = async (group: string, skills: string[]) => {
  const { config } = adminGroupsApi.get.response.parse(
    await (await admin(`/api/admin/groups/${group}`)).json(),
  );
  await change(`groups/${group}`, {
    ...config,
    permissions: { apps: ['*'], models: ['*'], skills },
  });
};

async function start(script: Step[]): Promise<void> {
  await chat.start(script);
  admin = await signInAdmin(chat.server);
  ann = await signInNew(chat.server, admin, { username: 'ann', groups: ['staff'] });
}

const request = (index: number): ModelRequest => {
  const found = chat.model.requests[index];
  if (!found) {
    throw new Error(`The model was not asked ${index + 1} times.`);
  }
  return found;
};

/** The model's own output may name a skill; nothing of ours may. */
const oursIn = ({ system, messages, tools }: ModelRequest) =>
  JSON.stringify({ system, tools, messages: messages.filter(({ role }) => role !== 'assistant') });

const withdrawals: [string, () => Promise<unknown>, EndReason?][] = [
  ['is switched off', () => change('skills/meeting-notes', { enabled: false })],
  ['is blocked', () => change('skills/meeting-notes/block', { reason: 'Bad.' }), 'blocked'],
  ['is deleted', () => admin('/api/admin/skills/meeting-notes', { method: 'DELETE' })],
  ['is revoked from the group', () => grant('staff', ['release-notes'])],
  ['is removed from the app', () => change('skills/meeting-notes', { apps: [] }), 'app'],
  ["is lost with the user's group", () => change(`users/${ann.id}`, { groups: ['interns'] })],
];

describe('a skill that is withdrawn during a turn', () => {
  test.each(withdrawals)(
    'and %s leaves the next request, and its user is informed',
    async (_, how, reason = 'not-available') => {
      await start([
        activate('release-notes'),
        activate('meeting-notes'),
        read('meeting-notes'),
        meanwhile(how, read('meeting-notes')),
        says('Done.'),
      ]);
      const { conversationId, events } = await takeTurn(ann.visitor, { message: 'Go' });
      expect(oursIn(request(3))).toContain('Do the first thing');
      expect(oursIn(request(3))).toContain('One decision a line');

      const sent = JSON.stringify(request(4));
      for (const gone of [
        'Do the first thing',
        'One decision',
        'Turns notes',
        'format.md</file>',
      ]) {
        expect(sent).not.toContain(gone);
      }
      expect(request(4).tools[0]).toMatchObject({
        parameters: { properties: { skill_name: { enum: ['release-notes'] } } },
      });
      const line =
        'Skill "meeting-notes" is no longer available, and its content was removed. Continue without it.';
      const results = request(4).messages.filter(({ role }) => role === 'tool');
      const own: Partial<Record<EndReason, string>> = {
        app: 'This app no longer uses skill "meeting-notes", and its content was removed. Continue without it.',
        blocked:
          'Skill "meeting-notes" was withdrawn, and its content was removed. Continue without it, and do not follow it any more.',
      };
      expect(results.slice(1)).toMatchObject([
        { content: own[reason] ?? line },
        { content: line },
        { isError: true, content: expect.stringContaining('Available skills: release-notes.') },
      ]);
      expect(results[0]?.content).toContain('Be brief.');

      const ended = { name: 'meeting-notes', reason };
      expect(events).toContainEqual({ type: 'skill.ended', ...ended });
      expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
      const conversation = await readConversation(ann.visitor, conversationId);
      expect(conversation.activeSkills.map(({ name }) => name)).toEqual(['release-notes']);
      expect(conversation.messages[1]).toMatchObject({ content: 'Done.', ended: [ended] });
    },
  );

  test('leaves its message when it was picked with /', async () => {
    await start([
      meanwhile(() => change('skills/meeting-notes', { enabled: false }), activate('x')),
      says('Done.'),
    ]);
    const skills = ['meeting-notes', 'release-notes'];
    const { events } = await takeTurn(ann.visitor, { message: 'Go', skills });
    expect(request(0).messages[0]?.content).toContain('<skill_content name="meeting-notes">');
    expect(request(1).system).not.toContain('meeting-notes');
    expect(request(1).messages[0]?.content).toMatch(
      /^Skill "meeting-notes" is no longer available, [^<]+<skill_content name="release-notes">[\s\S]+asks for: release-notes\.\n\nGo$/,
    );
    expect(eventTypes(events)).toContain('skill.ended');
  });

  test('between offer and activation is not activated', async () => {
    await start([
      meanwhile(() => grant('staff', ['release-notes']), activate('meeting-notes')),
      says('Done.'),
    ]);
    const { conversationId, events } = await takeTurn(ann.visitor, { message: 'Go' });
    expect(request(0).system).toContain('meeting-notes');
    expect(request(1).messages.at(-1)).toMatchObject({
      isError: true,
      content: expect.stringMatching(
        /^Skill "meeting-notes" is not available\. Available skills: release-notes\. Call [^:]+$/,
      ),
    });
    expect(eventTypes(events)).not.toContain('skill.activation');
    expect((await readConversation(ann.visitor, conversationId)).activeSkills).toEqual([]);
  });

  test('leaves the lists in which it was named, too', async () => {
    await start([
      activate('invented'),
      meanwhile(() => grant('staff', ['release-notes']), activate('invented')),
      says('Done.'),
    ]);
    await takeTurn(ann.visitor, { message: 'Go' });
    expect(request(1).messages.at(-1)?.content).toContain('meeting-notes, release-notes');
    expect(request(2).messages.at(-1)?.content).toContain('Available skills: release-notes.');
    expect(request(2).messages.at(-3)?.content).not.toContain('Available skills');
  });

  test('together with all others leaves a request without catalogue and tools', async () => {
    await start([
      activate('release-notes'),
      meanwhile(() => grant('staff', []), activate('release-notes')),
      says('Well.'),
    ]);
    const { text } = await takeTurn(ann.visitor, { message: 'Go' });
    expect(request(2)).toMatchObject({ system: 'You are helpful.', tools: [] });
    expect(request(2).messages.at(-1)?.content).toContain('Available tools: none.');
    expect(text).toBe('Well.');
  });

  test('is gone for one user and not for another who is answered at the same time', async () => {
    const gate = openGate();
    let asked = 0;
    const hold = async () => {
      asked += 1;
      if (asked === 2) {
        await grant('interns', []);
        gate.open();
      }
      await gate.passed;
    };
    const held: Step = [hold, ...activate('release-notes')];
    await start([held, held, says('Done.')]);
    const ben = await signInNew(chat.server, admin, { username: 'ben', groups: ['interns'] });
    const [forAnn, forBen] = await Promise.all(
      [ann, ben].map(({ visitor, id: message }) =>
        takeTurn(visitor, { message, skills: ['release-notes'] }),
      ),
    );
    expect(eventTypes(forAnn?.events ?? [])).not.toContain('skill.ended');
    expect(eventTypes(forBen?.events ?? [])).toContain('skill.ended');
    const of = ({ id }: SignedIn) =>
      [request(2), request(3)]
        .filter(({ messages }) => messages[0]?.content.endsWith(id))
        .map(oursIn);
    expect(of(ann)).toEqual([expect.stringMatching(/Turns notes[\s\S]+Be brief\./)]);
    expect(of(ben)).toEqual([expect.not.stringMatching(/Turns notes|Be brief|<name>/)]);
  });
});

describe('during a turn', () => {
  test('a granted skill is offered in the next round', async () => {
    await start([
      meanwhile(() => change(`users/${ann.id}`, { groups: ['staff'] }), activate('invented')),
      activate('meeting-notes'),
      says('Done.'),
    ]);
    await change(`users/${ann.id}`, { groups: ['interns'] });
    const { events } = await takeTurn(ann.visitor, { message: 'Go' });
    expect(request(0).system).not.toContain('meeting-notes');
    expect(request(1).system).toMatch(/meeting-notes<\/name>[\s\S]+release-notes<\/name>/);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'skill.activation', name: 'meeting-notes' }),
    );
  });

  test('a changed skill keeps its text', async () => {
    const edit = async () => {
      const path = 'skills/meeting-notes/files/SKILL.md';
      const body = skillFile('meeting-notes', 'Turns notes into decisions.', 'Say less.');
      const answer = await admin(`/api/admin/${path}`, {
        method: 'PUT',
        body,
        headers: { 'content-type': 'text/markdown' },
      });
      expect(answer.status).toBe(200);
    };
    await start([activate('meeting-notes'), meanwhile(edit, activate('x')), says('Done.')]);
    const { events } = await takeTurn(ann.visitor, { message: 'Go' });
    expect(request(2).messages[2]?.content).toContain('Do the first thing');
    expect(JSON.stringify(request(2))).not.toContain('Say less.');
    expect(eventTypes(events)).not.toContain('skill.ended');
  });

  test('a skill that its user ends is gone in the next round', async () => {
    const conversationId = randomUUID();
    const end = async () => {
      const path = `/api/conversations/${conversationId}/skills/meeting-notes`;
      expect((await ann.visitor(path, { method: 'DELETE' })).status).toBe(204);
    };
    await start([
      activate('meeting-notes'),
      read('meeting-notes'),
      meanwhile(end, read('meeting-notes')),
      says('Done.'),
    ]);
    const { events } = await takeTurn(ann.visitor, { message: 'Go', conversationId });
    expect(events).toContainEqual({ type: 'skill.ended', name: 'meeting-notes', reason: 'user' });
    const results = request(3).messages.flatMap((each) =>
      each.role === 'tool' ? each.content : [],
    );
    const line =
      'The user ended skill "meeting-notes", and its content was removed. Continue without it.';
    expect(results).toEqual([line, line, expect.stringContaining('is not active')]);
    expect(request(3).system).toContain('meeting-notes</name>');
    const { activeSkills, messages } = await readConversation(ann.visitor, conversationId);
    expect(activeSkills).toEqual([]);
    expect(messages[1]).toMatchObject({ ended: [{ name: 'meeting-notes', reason: 'user' }] });
  });

  test('unchanged parts are sent again byte for byte', async () => {
    await start([
      activate('meeting-notes'),
      meanwhile(
        () => change('skills/release-notes', { allowScriptExecution: false }),
        read('meeting-notes'),
      ),
      says('Done.'),
    ]);
    await takeTurn(ann.visitor, { message: 'Go', skills: ['release-notes'] });
    const bytes = chat.model.requests.map(({ system, tools }) => JSON.stringify({ system, tools }));
    expect(new Set(bytes).size).toBe(1);
    expect(request(2).messages.slice(0, 3)).toEqual(request(1).messages);
  });
});

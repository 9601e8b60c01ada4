import { randomUUID } from 'node:crypto';
import { encode } from 'gpt-tokenizer';
import { describe, expect, test } from 'vitest';
import { openGate } from '../../../testing/open-gate.ts';
import { eventTypes, scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const many = Array.from({ length: 40 }, (_, at) => `skill-${at}`);
const chat = scriptedChat(
  Object.fromEntries(
    many.map((name) => [`skills/${name}/SKILL.md`, skillFile(name, `About ${name}.`)]),
  ),
);
const activate = (...names: string[]) =>
  calls(...names.map((skill_name): [string, unknown] => ['activate_skill', { skill_name }]));
const activated = ({ events }: TakenTurn) =>
  events.flatMap((event) => (event.type === 'skill.activation' ? [event.name] : []));
/** The results of a request's calls, in order. */
const results = (request: number) =>
  (chat.model.requests[request]?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? [message.content] : [],
  );

describe('a skill that a model requests', () => {
  test('is matched regardless of case and blanks, once', async () => {
    await chat.start([activate('Meeting-Notes', 'MEETING-NOTES', 'meeting-notes'), says('Done.')]);
    const turn = await takeTurn(chat.visitor, { message: 'A' });
    expect(activated(turn)).toEqual(['meeting-notes']);
    expect(results(1).slice(1)).toEqual([
      expect.stringContaining('Skill "meeting-notes" is already active'),
      expect.stringContaining('Skill "meeting-notes" is already active'),
    ]);
  });

  test('repeatedly is active once, and the third identical call is answered without running it', async () => {
    await chat.start([
      activate('meeting-notes'),
      activate('meeting-notes'),
      activate('meeting-notes'),
      says('Done.'),
    ]);
    const turn = await takeTurn(chat.visitor, { message: 'A' });
    expect(activated(turn)).toEqual(['meeting-notes']);
    expect(results(3)[2]).toMatch(/^You have this already/);
    expect(chat.sent(3).match(/<skill_content name="meeting-notes">/g)).toHaveLength(1);
  });

  test('with a hundred others in one answer: up to the maximum become active, and calls are limited', async () => {
    const names = Array.from({ length: 100 }, (_, at) => many[at] ?? `none-${at}`);
    await chat.start([activate(...names), says('Done.')]);
    const turn = await takeTurn(chat.visitor, { message: 'A' });
    expect(activated(turn)).toEqual(many.slice(0, 10));
    const given = results(1);
    expect(given).toHaveLength(100);
    expect(given[10]).toContain('No more skills can be activated in this conversation.');
    expect(given[32]).toContain('No more tools can be called for this answer');
    expect(turn.text).toBe('Done.');
  });

  test.each<[string, unknown]>([
    ['a name of 400 characters', { skill_name: 'x'.repeat(400) }],
    ['a list of names', { skill_name: ['meeting-notes'] }],
    ['nothing', {}],
    ['broken JSON', '{"skill_name": "meeting-notes'],
    ['null', null],
    ['a number', 7],
  ])('by %s is told what to call, and the answer continues', async (_, input) => {
    await chat.start([calls(['activate_skill', input]), says('Done.')]);
    const turn = await takeTurn(chat.visitor, { message: 'A' });
    expect(results(1)).toEqual([
      'activate_skill takes {"skill_name": "…"} with the name of an available skill. Call it again with that.',
    ]);
    expect(eventTypes(turn.events)).not.toContain('skill.activation');
    expect(turn.text).toBe('Done.');
  });

  test('with an argument as large as the window is not stored: later requests fit', async () => {
    const window = 8000;
    await chat.start(
      [
        calls(['activate_skill', { skill_name: 'A large name. '.repeat(6000) }]),
        calls(['activate_skill', { name: 'meeting-notes', why: 'So. '.repeat(10_000) }]),
        calls(['activate_skill', '{"skill_name": "'.repeat(5000)]),
        says('Done.'),
      ],
      {
        'models/scripted.json': {
          ...{ id: 'scripted', modelId: 'x', name: 'X', provider: 'local' },
          ...{ contextWindow: window, maxOutputTokens: 1000 },
        },
      },
    );
    const turn = await takeTurn(chat.visitor, { message: 'A' });
    expect(turn.text).toBe('Done.');
    expect(results(3)).toEqual(
      Array.from({ length: 3 }, () =>
        expect.stringContaining('The arguments of this call were too long'),
      ),
    );
    for (const { system, tools, messages } of chat.model.requests) {
      const sent = system + JSON.stringify(tools) + JSON.stringify(messages);
      expect(encode(sent).length).toBeLessThan(window - 1000);
    }
    expect(JSON.stringify(await chat.conversation(turn.conversationId)).length).toBeLessThan(5000);
  });

  test('with an unavailable tool is told which tools exist', async () => {
    await chat.start([
      calls(['search_skills', { query: 'notes' }], ['list_skills', {}], ['Activate_Skill', {}]),
      says('Done.'),
    ]);
    await takeTurn(chat.visitor, { message: 'A' });
    expect(results(1)).toEqual(
      ['search_skills', 'list_skills', 'Activate_Skill'].map((name) =>
        expect.stringContaining(
          `There is no tool "${name}". Available tools: activate_skill, read_skill_resource.`,
        ),
      ),
    );
  });
});

describe('a skill between offer and activation', () => {
  const during = (happens: () => Promise<unknown>, step: Step): Step => [
    async () => void (await happens()),
    ...step,
  ];

  test('that is deleted cannot be activated, while others of the answer can', async () => {
    const remove = async () => {
      const admin = await signInAdmin(chat.server);
      const path = '/api/admin/skills/meeting-notes';
      expect((await admin(path, { method: 'DELETE' })).ok).toBe(true);
    };
    await chat.start([during(remove, activate('meeting-notes', 'release-notes')), says('Done.')]);
    const turn = await takeTurn(chat.visitor, { message: 'A' });
    expect(chat.model.requests[0]?.system).toContain('meeting-notes');
    expect(activated(turn)).toEqual(['release-notes']);
    expect(results(1)[0]).toMatch(/^Skill "meeting-notes" is not available\. Available skills: /);
    expect(chat.model.requests[1]?.system).not.toContain('meeting-notes');
  });

  test('that is changed is activated with its new text, and is not marked as changed', async () => {
    const edit = async () => {
      const admin = await signInAdmin(chat.server);
      const answer = await admin('/api/admin/skills/meeting-notes/files/SKILL.md', {
        method: 'PUT',
        body: skillFile('meeting-notes', 'Turns notes into decisions.', 'Say less.'),
        headers: { 'content-type': 'text/markdown' },
      });
      expect(answer.status).toBe(200);
    };
    await chat.start([during(edit, activate('meeting-notes')), says('Done.')]);
    const turn = await takeTurn(chat.visitor, { message: 'A' });
    expect(results(1)[0]).toContain('Say less.');
    expect(eventTypes(turn.events)).not.toContain('skill.outdated');
    const [active] = (await chat.conversation(turn.conversationId)).activeSkills;
    expect(active).not.toHaveProperty('isOutdated');
  });
});

describe('two tabs with one conversation', () => {
  test('that send concurrently: one message is accepted with its skill, the other leaves no trace', async () => {
    await chat.start([says('Hi.')]);
    const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
    const turns = await Promise.all(
      ['meeting-notes', 'release-notes'].map((name) =>
        takeTurn(chat.visitor, { message: name, conversationId, skills: [name] }),
      ),
    );
    const taken = turns.filter(({ status }) => status === 200);
    const { activeSkills, messages } = await chat.conversation(conversationId);
    expect(activeSkills.map(({ name }) => name)).toEqual(taken.flatMap(activated));
    expect(messages).toHaveLength(2 + 2 * taken.length);
    expect(turns.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });

  test("of which one ends the skill of the other's running answer, twice concurrently", async () => {
    const conversationId = randomUUID();
    const gate = openGate();
    await chat.start([says('Hi.'), [() => gate.passed, ...activate('none')], says('Done.')]);
    await takeTurn(chat.visitor, { message: 'A', conversationId, skills: ['meeting-notes'] });
    const answered = takeTurn(chat.visitor, { message: 'B', conversationId });
    await waitFor(() => chat.model.requests.length === 2);
    const path = `/api/conversations/${conversationId}/skills/meeting-notes`;
    const ends = await Promise.all([1, 2].map(() => chat.visitor(path, { method: 'DELETE' })));
    expect(ends.map(({ status }) => status).sort()).toEqual([204, 404]);
    gate.open();
    const { events } = await answered;
    expect(events.filter(({ type }) => type === 'skill.ended')).toEqual([
      { type: 'skill.ended', name: 'meeting-notes', reason: 'user' },
    ]);
    expect(chat.sent(2)).not.toContain('<skill_content name');
    expect((await chat.conversation(conversationId)).activeSkills).toEqual([]);
  });
});

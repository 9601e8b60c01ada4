import {
  type ConversationSkillEvent,
  conversationSkillEventSchema,
} from '@knowhow/shared/skills/conversation-skill';
import { expect, test } from 'vitest';
import { signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const permissions = { apps: ['*'], models: ['*'], skills: ['*'] };
const chat = scriptedChat({
  'config/groups.json': {
    groups: {
      writers: {
        id: 'writers',
        name: 'Writers',
        permissions: { ...permissions, personalSkills: 'private' },
      },
      readers: { id: 'readers', name: 'Readers', permissions },
      admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
    },
  },
});

async function start(script: Parameters<typeof chat.start>[0], files = {}) {
  await chat.start(script, files);
  const admin = await signInAdmin(chat.server);
  const person = async (username: string, group: string) =>
    (await signInNew(chat.server, admin, { username, groups: [group] })).visitor;
  return { ann: await person('ann', 'writers'), rob: await person('rob', 'readers') };
}

async function ask(visitor: Visitor, id: string, json: object = {}) {
  const response = await visitor(`/api/conversations/${id}/skill`, { json });
  const body = await response.text();
  const events = response.ok
    ? body
        .split('\n\n')
        .filter((frame) => frame.startsWith('id:'))
        .map((frame): ConversationSkillEvent => {
          const [, type, data] = /event: (.+)\ndata: (.+)$/.exec(frame) ?? [];
          return conversationSkillEventSchema.parse({ type, ...JSON.parse(data ?? '{}') });
        })
    : [];
  return { status: response.status, events, last: events.at(-1) };
}

const written = {
  name: 'Client Letters',
  description: 'Writes letters to clients. Use it for letters.',
  instructions: '1. Greet Eva Kurz.\n2. Write to eva@example.com or call +49 170 1234567.',
  prompts: ['Write a letter to <client>', ' '],
  names: ['Eva Kurz', 'Not There'],
};

test('the model of a conversation writes a skill from it, and private words are marked', async () => {
  const { ann } = await start([
    says('Dear Eva, …'),
    says(`Here it is:\n\`\`\`json\n${JSON.stringify(written)}\n\`\`\``),
  ]);
  const message = 'Write to Eva Kurz. The password is hunter2-and-more.';
  const { conversationId } = await takeTurn(ann, { message });
  const { last } = await ask(ann, conversationId);
  expect(last).toEqual({
    type: 'skill',
    skill: {
      name: 'client-letters',
      description: written.description,
      instructions: written.instructions,
      prompts: ['Write a letter to <client>'],
      private: [
        { kind: 'email', text: 'eva@example.com' },
        { kind: 'phone', text: '+49 170 1234567' },
        { kind: 'name', text: 'Eva Kurz' },
      ],
      isTemplate: false,
    },
  });
  const request = chat.model.requests.at(-1);
  expect(request?.messages[0]?.content).toContain('Write to Eva Kurz.');
  expect(request?.tools).toEqual([]);
});

test('a password that the model repeats is marked as a secret', async () => {
  const leaky = { ...written, instructions: 'Sign in with password: hunter2-and-more.' };
  const { ann } = await start([says('Done.'), says(JSON.stringify(leaky))]);
  const { conversationId } = await takeTurn(ann, { message: 'Sign in' });
  const { last } = await ask(ann, conversationId);
  expect(last).toMatchObject({
    skill: { private: [{ kind: 'secret', text: 'hunter2-and-more.' }] },
  });
});

test('all messages of the conversation are read', async () => {
  const { ann } = await start([says('First.'), says('Second.'), says(JSON.stringify(written))]);
  const { conversationId } = await takeTurn(ann, { message: 'One' });
  await takeTurn(ann, { message: 'Two', conversationId });
  await ask(ann, conversationId);
  const content = chat.model.requests.at(-1)?.messages[0]?.content;
  expect(content).toContain('First.');
  expect(content).toContain('Second.');
  expect((await ask(ann, conversationId, { until: conversationId })).status).toBe(400);
});

test('an answer that is no skill ends in an error that says what to do', async () => {
  const { ann } = await start([says('Hello.'), says('I cannot do that.')]);
  const { conversationId } = await takeTurn(ann, { message: 'Hi' });
  const { last } = await ask(ann, conversationId);
  expect(last).toMatchObject({
    type: 'error',
    problem: { code: 'model-garbage', detail: expect.stringContaining('Try again') },
  });
});

test('another person’s conversation, and one without the permission, are refused', async () => {
  const { ann, rob } = await start([says('Hello.'), says('Hi.')]);
  const { conversationId } = await takeTurn(ann, { message: 'Hi' });
  expect((await ask(rob, conversationId)).status).toBe(403);
  const own = await takeTurn(rob, { message: 'Hi' });
  expect((await ask(ann, own.conversationId)).status).toBe(404);
  expect((await ask(ann, 'x')).status).toBe(400);
});

import { expect, test } from 'vitest';
import { eventTypes, scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();
const skillsOff = ['meeting-notes'];

test('a skill disabled in a conversation does not exist there, until it is enabled again', async () => {
  await chat.start([
    calls(['activate_skill', { skill_name: 'meeting-notes' }]),
    says('One.'),
    says('Two.'),
    says('Three.'),
  ]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A', skillsOff });
  const [first, second] = chat.model.requests;
  expect(first?.system).not.toContain('meeting-notes');
  expect(first?.tools[0]?.parameters.properties.skill_name).toMatchObject({
    enum: ['release-notes'],
  });
  expect(second?.messages.at(-1)).toMatchObject({
    isError: true,
    content: expect.stringMatching(
      /^Skill "meeting-notes" is not available\. Available skills: release-notes\. Call [^:]+$/,
    ),
  });
  expect(await chat.conversation(conversationId)).toMatchObject({ skillsOff });

  await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(chat.model.requests[2]?.system).not.toContain('meeting-notes');
  await takeTurn(chat.visitor, { message: 'C', conversationId, skillsOff: [] });
  expect(chat.model.requests[3]?.system).toContain('meeting-notes');
  expect(await chat.conversation(conversationId)).toMatchObject({ skillsOff: [] });
});

test('an active skill that is disabled ends, as its user wanted', async () => {
  await chat.start([says('One.'), says('Two.')]);
  const skills = ['meeting-notes'];
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A', skills });
  const { events } = await takeTurn(chat.visitor, { message: 'B', conversationId, skillsOff });
  expect(events).toContainEqual({ type: 'skill.ended', name: 'meeting-notes', reason: 'user' });
  expect(await chat.conversation(conversationId)).toMatchObject({ activeSkills: [], skillsOff });
});

test('picking a disabled skill enables it', async () => {
  await chat.start([says('One.')]);
  const { conversationId, events } = await takeTurn(chat.visitor, {
    message: 'A',
    skills: ['Meeting-Notes'],
    skillsOff,
  });
  expect(eventTypes(events)).toContain('skill.activation');
  expect(await chat.conversation(conversationId)).toMatchObject({ skillsOff: [] });
});

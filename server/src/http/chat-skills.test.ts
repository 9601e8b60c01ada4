import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skillsApi } from '@knowhow/shared/skills';
import { describe, expect, test } from 'vitest';
import { eventTypes, scriptedChat } from '../testing/scripted-chat.ts';
import { calls, says } from '../testing/scripted-model.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { takeTurn } from '../testing/take-turn.ts';
import { waitFor } from '../testing/wait-for.ts';

const chat = scriptedChat();

describe('skills', () => {
  test('become active when the model asks, and stay so in later turns without a second load', async () => {
    await chat.start([
      calls(['activate_skill', { skill_name: 'meeting-notes' }]),
      says('Decisions: none.'),
      calls(['activate_skill', { skill_name: 'meeting-notes' }]),
      says('Still none.'),
    ]);
    const { conversationId, events } = await takeTurn(chat.visitor, { message: 'Sort my notes' });
    expect(eventTypes(events)).toEqual([
      'session.start',
      'tool.call.start',
      'skill.activation',
      'tool.call.end',
      'chunk',
      'usage',
      'done',
    ]);
    expect(chat.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      isError: false,
      content: expect.stringMatching(
        /^<skill_content name="meeting-notes">\n# meeting-notes[\s\S]+<file size="21">references\/format.md<\/file>/,
      ),
    });

    const later = await takeTurn(chat.visitor, { message: 'And now?', conversationId });
    expect(later.events[0]).toMatchObject({ activeSkills: ['meeting-notes'] });
    expect(eventTypes(later.events)).not.toContain('skill.activation');
    expect(chat.model.requests[2]?.system).toContain('<skill_content name="meeting-notes">');
    expect(chat.model.requests[3]?.messages.at(-1)).toMatchObject({
      content: expect.stringContaining('already active'),
    });
    expect(await chat.conversation(conversationId)).toMatchObject({
      activeSkills: [{ name: 'meeting-notes', via: 'model' }],
      messages: [
        {},
        { activations: [{ name: 'meeting-notes' }], toolCalls: [{ error: false }] },
        {},
        {},
      ],
    });
  });

  test('chosen with / are in the first request to the model', async () => {
    await chat.start([says('Done.')]);
    const { events } = await takeTurn(chat.visitor, {
      message: 'Do it',
      skills: ['meeting-notes'],
    });
    expect(eventTypes(events).slice(0, 2)).toEqual(['session.start', 'skill.activation']);
    expect(events[1]).toMatchObject({ name: 'meeting-notes', via: 'slash' });
    expect(chat.model.requests[0]?.system).toMatch(
      /<\/available_skills>[\s\S]+<skill_content name="meeting-notes">/,
    );
    expect(chat.model.requests[0]?.messages).toEqual([{ role: 'user', content: 'Do it' }]);
  });

  test('that changed on disk are loaded again', async () => {
    await chat.start([
      says('One.'),
      calls(['activate_skill', { skill_name: 'meeting-notes' }]),
      says('Two.'),
    ]);
    const { conversationId } = await takeTurn(chat.visitor, {
      message: 'A',
      skills: ['meeting-notes'],
    });
    const path = join(chat.server.folder, 'contents/skills/meeting-notes/SKILL.md');
    await writeFile(
      path,
      skillFile('meeting-notes', 'Turns notes into decisions.', 'Changed body'),
    );
    await waitFor(async () => {
      const content = await (await chat.visitor('/api/skills/meeting-notes/content')).json();
      return skillsApi.content.response.parse(content).body === 'Changed body';
    });
    await takeTurn(chat.visitor, { message: 'B', conversationId });
    expect(chat.model.requests[1]?.system).toContain('Changed body');
  });

  test('are read from only when active, and only inside their folder', async () => {
    const read = (file_path: string, skill_name = 'meeting-notes') =>
      calls(['read_skill_resource', { skill_name, file_path }]);
    await chat.start(
      [
        read('references/format.md'),
        calls(['activate_skill', { skill_name: 'meeting-notes' }]),
        read('references/format.md'),
        read('./references/format.md'),
        read('../release-notes/SKILL.md'),
        read('/etc/passwd'),
        read('references/none.md'),
        says('Done.'),
      ],
      {},
    );
    await takeTurn(chat.visitor, { message: 'Read' });
    const results = chat.model.requests
      .slice(1)
      .map(({ messages }) => messages.at(-1)?.content ?? '');
    expect(results[0]).toContain('not active');
    expect(results[2]).toBe('One decision a line.\n');
    expect(results[3]).toBe('One decision a line.\n');
    expect(results[4]).toContain('"release-notes" is not active');
    for (const refused of results.slice(5)) {
      expect(refused).toMatch(
        /There is no file ".+" in skill "meeting-notes"\. Its files: references\/format\.md\./,
      );
    }
  });

  test('of which there are too many are refused, with the names of the active ones', async () => {
    await chat.start([calls(['activate_skill', { skill_name: 'release-notes' }]), says('Well.')], {
      'apps/chat.json': {
        id: 'chat',
        name: 'Chat',
        skills: ['*'],
        skillSettings: { maxActiveSkills: 1 },
      },
    });
    const { status } = await takeTurn(chat.visitor, { message: 'A', skills: ['meeting-notes'] });
    expect(status).toBe(200);
    expect(chat.model.requests[1]?.messages.at(-1)).toMatchObject({
      isError: true,
      content: expect.stringContaining('Active skills: meeting-notes'),
    });
    const both = await takeTurn(chat.visitor, {
      message: 'A',
      skills: ['meeting-notes', 'release-notes'],
    });
    expect(both.status).toBe(409);
  });

  test('without a description the catalogue can hold cannot close it', async () => {
    await chat.start([says('Hi.')], {
      'skills/meeting-notes/SKILL.md': skillFile('meeting-notes', '"</available_skills> <b> & co"'),
    });
    await takeTurn(chat.visitor, { message: 'A' });
    expect(chat.model.requests[0]?.system).toContain(
      '&lt;/available_skills&gt; &lt;b&gt; &amp; co',
    );
    expect(chat.model.requests[0]?.system.match(/<\/available_skills>/g)).toHaveLength(1);
  });

  test('end when their user says so', async () => {
    await chat.start([says('One.'), says('Two.')]);
    const { conversationId } = await takeTurn(chat.visitor, {
      message: 'A',
      skills: ['meeting-notes'],
    });
    const path = `/api/conversations/${conversationId}/skills/meeting-notes`;
    expect((await chat.visitor(path, { method: 'DELETE' })).status).toBe(204);
    expect((await chat.visitor(path, { method: 'DELETE' })).status).toBe(404);
    await takeTurn(chat.visitor, { message: 'B', conversationId });
    expect(chat.model.requests[1]?.system).not.toContain('<skill_content');
  });

  test('whose folder has just gone end the activation, not the turn', async () => {
    await chat.start([says('One.'), says('Two.')]);
    const { conversationId } = await takeTurn(chat.visitor, {
      message: 'A',
      skills: ['meeting-notes'],
    });
    await rm(join(chat.server.folder, 'contents/skills/meeting-notes'), { recursive: true });
    const { status, events } = await takeTurn(chat.visitor, { message: 'B', conversationId });
    expect(status).toBe(200);
    expect(events[1]).toMatchObject({ type: 'skill.ended', name: 'meeting-notes' });
  });

  test('end when they are switched off, and the user is informed', async () => {
    await chat.start([says('One.'), says('Two.')]);
    const { conversationId } = await takeTurn(chat.visitor, {
      message: 'A',
      skills: ['meeting-notes'],
    });
    const config = { skills: { 'meeting-notes': { enabled: false } } };
    await writeFile(
      join(chat.server.folder, 'contents/config/skills.json'),
      JSON.stringify(config),
    );
    await waitFor(async () => (await chat.visitor('/api/skills/meeting-notes')).status === 404);
    const { events } = await takeTurn(chat.visitor, { message: 'B', conversationId });
    expect(events[1]).toEqual({
      type: 'skill.ended',
      name: 'meeting-notes',
      reason: 'not-available',
    });
    expect(chat.model.requests[1]?.system).not.toContain('meeting-notes');
    expect((await chat.conversation(conversationId)).activeSkills).toEqual([]);
  });

  test('nobody may see leave no block, no instruction and no tool', async () => {
    await chat.start([says('One.')], {
      'apps/chat.json': { id: 'chat', name: 'Chat', system: 'Hi.' },
    });
    await takeTurn(chat.visitor, { message: 'A' });
    expect(chat.model.requests[0]).toMatchObject({ system: 'Hi.', tools: [] });
  });
});

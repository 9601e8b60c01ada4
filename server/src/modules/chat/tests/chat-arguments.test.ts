import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { Files } from '../../../testing/write-files.ts';

const files: Files = {
  'skills/translate/SKILL.md': skillFile(
    'translate',
    'Translates.',
    'Translate into $1: $2. All: $ARGUMENTS. Then !`touch ran`.',
  ),
};
const flagged = (name: string, field: string) =>
  `---\nname: ${name}\ndescription: About ${name}.\n${field}\n---\nBody of ${name}.`;

const chat = scriptedChat(files);

const said = (request: number) => chat.model.requests[request]?.messages.at(-1)?.content ?? '';
const activations = (events: { type: string }[]) =>
  events.filter(({ type }) => type === 'skill.activation');

describe('the text after /name', () => {
  test('fills the placeholders, once, and stays so in later turns', async () => {
    await chat.start([says('One.')]);
    const { conversationId } = await takeTurn(chat.visitor, {
      message: 'German "$1 </skill_content>"',
      skills: ['translate'],
    });
    const filled =
      'Translate into German: $1 &lt;/skill_content>. All: German "$1 &lt;/skill_content>". Then !`touch ran`.';
    expect(chat.sent(0)).toContain(filled);
    const later = await takeTurn(chat.visitor, { message: 'And this', conversationId });
    expect(chat.sent(1)).toContain(filled);
    expect(activations(later.events)).toEqual([]);
    expect(await chat.conversation(conversationId)).toMatchObject({
      activeSkills: [{ name: 'translate', arguments: 'German "$1 </skill_content>"' }],
    });
  });

  test('starts after the names if these are sent as typed', async () => {
    await chat.start([says('One.')]);
    const message = '/Translate  German /translate';
    await takeTurn(chat.visitor, { message, skills: ['translate'] });
    expect(chat.sent(0)).toContain('Translate into German: /translate. All: German /translate.');
    expect(said(0)).toMatch(/asks for: translate\.\n\n\/Translate {2}German \/translate$/);
  });

  test('replaces an earlier one', async () => {
    await chat.start([says('One.')]);
    const first = await takeTurn(chat.visitor, { message: 'German a', skills: ['translate'] });
    const { conversationId } = first;
    const again = { conversationId, skills: ['translate'] };
    const second = await takeTurn(chat.visitor, { message: 'French b', ...again });
    const third = await takeTurn(chat.visitor, { message: 'French b', ...again });
    await takeTurn(chat.visitor, { message: 'More', conversationId });
    expect(activations(second.events)).toMatchObject([{ via: 'slash', arguments: 'French b' }]);
    expect(activations(third.events)).toEqual([]);
    expect(chat.sent(3)).toContain('Translate into French: b.');
    expect(chat.sent(3).match(/<skill_content name/g)).toHaveLength(1);
  });

  test("is the earlier message's again when the later one is removed", async () => {
    await chat.start([says('One.')]);
    const first = await takeTurn(chat.visitor, { message: 'German a', skills: ['translate'] });
    const { conversationId } = first;
    const second = await takeTurn(chat.visitor, {
      message: 'French b',
      conversationId,
      skills: ['translate'],
    });
    const replaces = second.events.flatMap((event) =>
      event.type === 'session.start' ? event.userMessageId : [],
    )[0];
    await takeTurn(chat.visitor, {
      message: 'Instead',
      conversationId,
      ...(replaces && { replaces }),
    });
    await takeTurn(chat.visitor, { message: 'More', conversationId });
    expect(chat.sent(2)).toContain('Translate into German: a.');
    expect(chat.sent(3)).toContain('Translate into German: a.');
  });

  test('has no effect on a skill without placeholders, nor on one the model activates', async () => {
    await chat.start([
      says('One.'),
      says('Two.'),
      calls(['activate_skill', { skill_name: 'translate' }]),
      says('Three.'),
    ]);
    const first = await takeTurn(chat.visitor, { message: 'A', skills: ['meeting-notes'] });
    const { conversationId } = first;
    expect(activations(first.events)[0]).not.toHaveProperty('arguments');
    const again = await takeTurn(chat.visitor, {
      message: 'B',
      conversationId,
      skills: ['meeting-notes'],
    });
    expect(activations(again.events)).toEqual([]);
    await takeTurn(chat.visitor, { message: 'German a', conversationId });
    expect(said(3)).toContain('Translate into $1: $2. All: $ARGUMENTS. Then !`touch ran`.');
  });

  test('fills numbered placeholders only if the author declares arguments', async () => {
    const body = 'Cell `=D2*$H$1`, script `awk $1`, word $1.';
    await chat.start([says('One.'), says('Two.'), says('Three.')], {
      'skills/plain/SKILL.md': skillFile('plain', 'Plain.', body),
      'skills/hinted/SKILL.md': flagged('hinted', 'argument-hint: [file]').concat(body),
      'skills/listed/SKILL.md': flagged('listed', 'arguments: [file]').concat(body),
    });
    for (const name of ['plain', 'hinted', 'listed']) {
      await takeTurn(chat.visitor, { message: 'table.csv', skills: [name] });
    }
    expect(chat.sent(0)).toContain(body);
    const filled = 'Cell `=D2*$H$1`, script `awk table.csv`, word table.csv.';
    expect(chat.sent(1)).toContain(filled);
    expect(chat.sent(2)).toContain(filled);
  });

  test('leaves unmatched placeholders alone', async () => {
    await chat.start([says('One.')]);
    await takeTurn(chat.visitor, { message: 'German', skills: ['translate'] });
    expect(chat.sent(0)).toContain('Translate into German: $2. All: German.');
  });
});

describe('a skill whose author', () => {
  test('hides it from users cannot be activated with /, but by the model', async () => {
    await chat.start([calls(['activate_skill', { skill_name: 'inner' }]), says('Done.')], {
      'skills/inner/SKILL.md': flagged('inner', 'user-invocable: false'),
    });
    const refused = await takeTurn(chat.visitor, { message: 'A', skills: ['inner'] });
    expect(refused.status).toBe(404);
    expect(refused.body).toContain('is not available');
    expect(await (await chat.visitor('/api/skills/inner')).json()).toMatchObject({
      userInvocable: false,
    });
    await takeTurn(chat.visitor, { message: 'A' });
    expect(said(1)).toContain('Body of inner.');
  });

  test('hides it from users is updated for them if the model has activated it', async () => {
    const skill = flagged('inner', 'user-invocable: false');
    await chat.start(
      [calls(['activate_skill', { skill_name: 'inner' }]), says('Done.'), says('Again.')],
      { 'skills/inner/SKILL.md': skill },
    );
    const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
    const path = join(chat.server.folder, 'contents/skills/inner/SKILL.md');
    await writeFile(path, skill.replace('Body of inner.', 'Newer body.'));
    await waitFor(async () => {
      const { activeSkills } = await chat.conversation(conversationId);
      return activeSkills[0]?.isOutdated === true;
    });
    await takeTurn(chat.visitor, { message: 'B', conversationId, skills: ['inner'] });
    expect(chat.sent(2)).toContain('Newer body.');
    expect((await chat.conversation(conversationId)).activeSkills).toMatchObject([
      { name: 'inner', via: 'slash' },
    ]);
  });

  const manual = { 'skills/manual/SKILL.md': flagged('manual', 'disable-model-invocation: true') };

  test('hides it from the model is neither offered nor given to it, but to users', async () => {
    await chat.start(
      [calls(['activate_skill', { skill_name: 'manual' }]), says('Done.'), says('Done.')],
      manual,
    );
    await takeTurn(chat.visitor, { message: 'A' });
    expect(JSON.stringify(chat.model.requests[0])).not.toContain('manual');
    expect(said(1)).toMatch(/^Skill "manual" is not available\. Available skills: [^"]+$/);
    expect(said(1).replace('"manual"', '')).not.toContain('manual');
    await takeTurn(chat.visitor, { message: 'A', skills: ['manual'] });
    expect(chat.sent(2)).toContain('Body of manual.');
  });

  test('hides it from the model is not activated automatically where all others are', async () => {
    await chat.start([says('One.')], {
      ...manual,
      'models/scripted.json': {
        id: 'scripted',
        modelId: 'x',
        name: 'X',
        provider: 'local',
        supportsTools: false,
      },
      'apps/chat.json': {
        id: 'chat',
        name: 'Chat',
        skills: ['*'],
        skillSettings: { autoActivate: true },
      },
    });
    await takeTurn(chat.visitor, { message: 'A' });
    expect(chat.sent(0)).toContain('<skill_content name="translate">');
    expect(chat.sent(0)).not.toContain('manual');
  });
});

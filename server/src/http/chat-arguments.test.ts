import { afterEach, describe, expect, test } from 'vitest';
import {
  calls,
  type ScriptedModel,
  type Step,
  says,
  scriptedModel,
} from '../testing/scripted-model.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { startTestServer, type TestServer, type Visitor } from '../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../testing/take-turn.ts';
import type { Files } from '../testing/write-files.ts';

const files: Files = {
  'skills/translate/SKILL.md': skillFile(
    'translate',
    'Translates.',
    'Translate into $1: $2. All: $ARGUMENTS. Then !`touch ran`.',
  ),
};
const flagged = (name: string, field: string) =>
  `---\nname: ${name}\ndescription: About ${name}.\n${field}\n---\nBody of ${name}.`;

let server: TestServer;
let model: ScriptedModel;
let visitor: Visitor;
afterEach(() => server.close());

async function start(script: Step[], more: Files = {}): Promise<void> {
  model = scriptedModel(...script);
  server = await startTestServer({ model: model.ask, files: { ...files, ...more } });
  visitor = server.visitor();
}

const systemOf = (request: number) => model.requests[request]?.system ?? '';
const said = (request: number) => model.requests[request]?.messages.at(-1)?.content ?? '';
const activations = (events: { type: string }[]) =>
  events.filter(({ type }) => type === 'skill.activation');

describe('what is written after /name', () => {
  test('fills the placeholders, once, and stays so in later turns', async () => {
    await start([says('One.')]);
    const { conversationId } = await takeTurn(visitor, {
      message: 'German "$1 </skill_content>"',
      skills: ['translate'],
    });
    const filled =
      'Translate into German: $1 &lt;/skill_content>. All: German "$1 &lt;/skill_content>". Then !`touch ran`.';
    expect(systemOf(0)).toContain(filled);
    const later = await takeTurn(visitor, { message: 'And this', conversationId });
    expect(systemOf(1)).toContain(filled);
    expect(activations(later.events)).toEqual([]);
    expect(await readConversation(visitor, conversationId)).toMatchObject({
      activeSkills: [{ name: 'translate', arguments: 'German "$1 </skill_content>"' }],
    });
  });

  test('replaces what was written before', async () => {
    await start([says('One.')]);
    const first = await takeTurn(visitor, { message: 'German a', skills: ['translate'] });
    const { conversationId } = first;
    const again = { conversationId, skills: ['translate'] };
    const second = await takeTurn(visitor, { message: 'French b', ...again });
    const third = await takeTurn(visitor, { message: 'French b', ...again });
    await takeTurn(visitor, { message: 'More', conversationId });
    expect(activations(second.events)).toMatchObject([{ via: 'slash', arguments: 'French b' }]);
    expect(activations(third.events)).toEqual([]);
    expect(systemOf(3)).toContain('Translate into French: b.');
    expect(systemOf(3).match(/<skill_content /g)).toHaveLength(1);
  });

  test('is that of the message before again when the later one is cut', async () => {
    await start([says('One.')]);
    const first = await takeTurn(visitor, { message: 'German a', skills: ['translate'] });
    const { conversationId } = first;
    const second = await takeTurn(visitor, {
      message: 'French b',
      conversationId,
      skills: ['translate'],
    });
    const replaces = second.events.flatMap((event) =>
      event.type === 'session.start' ? event.userMessageId : [],
    )[0];
    await takeTurn(visitor, { message: 'Instead', conversationId, ...(replaces && { replaces }) });
    await takeTurn(visitor, { message: 'More', conversationId });
    expect(systemOf(2)).toContain('Translate into German: a.');
    expect(systemOf(3)).toContain('Translate into German: a.');
  });

  test('is nothing to a skill without placeholders, nor to one the model picks', async () => {
    await start([
      says('One.'),
      says('Two.'),
      calls(['activate_skill', { skill_name: 'translate' }]),
      says('Three.'),
    ]);
    const first = await takeTurn(visitor, { message: 'A', skills: ['meeting-notes'] });
    const { conversationId } = first;
    expect(activations(first.events)[0]).not.toHaveProperty('arguments');
    const again = await takeTurn(visitor, {
      message: 'B',
      conversationId,
      skills: ['meeting-notes'],
    });
    expect(activations(again.events)).toEqual([]);
    await takeTurn(visitor, { message: 'German a', conversationId });
    expect(said(3)).toContain('Translate into $1: $2. All: $ARGUMENTS. Then !`touch ran`.');
  });

  test('leaves what it has nothing for', async () => {
    await start([says('One.')]);
    await takeTurn(visitor, { message: 'German', skills: ['translate'] });
    expect(systemOf(0)).toContain('Translate into German: $2. All: German.');
  });
});

describe('a skill whose author', () => {
  test('keeps it from users is not picked with /, but by the model', async () => {
    await start([calls(['activate_skill', { skill_name: 'inner' }]), says('Done.')], {
      'skills/inner/SKILL.md': flagged('inner', 'user-invocable: false'),
    });
    const refused = await takeTurn(visitor, { message: 'A', skills: ['inner'] });
    expect(refused.status).toBe(404);
    expect(refused.body).toContain('is not available');
    expect(await (await visitor('/api/skills/inner')).json()).toMatchObject({
      userInvocable: false,
    });
    await takeTurn(visitor, { message: 'A' });
    expect(said(1)).toContain('Body of inner.');
  });

  const manual = { 'skills/manual/SKILL.md': flagged('manual', 'disable-model-invocation: true') };

  test('keeps it from the model is neither offered nor given to it, but to users', async () => {
    await start(
      [calls(['activate_skill', { skill_name: 'manual' }]), says('Done.'), says('Done.')],
      manual,
    );
    await takeTurn(visitor, { message: 'A' });
    expect(JSON.stringify(model.requests[0])).not.toContain('manual');
    expect(said(1)).toMatch(/^Skill "manual" is not available\. Available skills: [^"]+$/);
    expect(said(1).replace('"manual"', '')).not.toContain('manual');
    await takeTurn(visitor, { message: 'A', skills: ['manual'] });
    expect(systemOf(2)).toContain('Body of manual.');
  });

  test('keeps it from the model does not come by itself where all others do', async () => {
    await start([says('One.')], {
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
    await takeTurn(visitor, { message: 'A' });
    expect(systemOf(0)).toContain('<skill_content name="translate">');
    expect(systemOf(0)).not.toContain('manual');
  });
});

import { appsApi } from '@knowhow/shared/config/apps';
import { encode } from 'gpt-tokenizer';
import { describe, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { type Step, says, untilAborted } from '../../../testing/scripted-model.ts';
import { shortenTimeouts } from '../../../testing/shorten-timeouts.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { modelWith } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { Files } from '../../../testing/write-files.ts';
import type { ModelRequest } from '../../models/model.ts';

const app = (skillSettings: Record<string, unknown> = {}): Files => ({
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'], skillSettings },
});
const model = (config: Record<string, unknown> = {}) =>
  modelWith({ supportsTools: false, ...config });

const chat = scriptedChat({
  ...app(),
  ...model(),
  'skills/manual/SKILL.md':
    '---\nname: manual\ndescription: By hand.\ndisable-model-invocation: true\n---\nBody.',
});

const isRouting = ({ system }: ModelRequest) => system.startsWith('You choose which skills');
const choice = (selected_skill_names: unknown, reasoning = 'They fit.') =>
  JSON.stringify({ selected_skill_names, reasoning });
/** A model that routes with these responses, repeating the last one, and answers. */
const choosing = (...steps: Step[]) => {
  let at = 0;
  return (request: ModelRequest) => {
    if (!isRouting(request)) {
      return says('Done.');
    }
    at += 1;
    return steps[Math.min(at, steps.length) - 1] ?? [];
  };
};
const activatedBy = async (message: string, skills?: string[]) => {
  const { events } = await takeTurn(chat.visitor, { message, ...(skills ? { skills } : {}) });
  expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
  return events.flatMap((event) =>
    event.type === 'skill.activation' ? [`${event.via} ${event.name}`] : [],
  );
};
const routings = () => chat.model.requests.filter(isRouting);

describe('for a model without tools a separate routing request', () => {
  test('chooses the skills for a message, and the user sees which and why', async () => {
    await chat.start(choosing(says(`Sure:\n\`\`\`json\n${choice(['meeting-notes'])}\n\`\`\``)));
    const { conversationId, events } = await takeTurn(chat.visitor, { message: 'Sort </message>' });
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(['session.start', 'notice', 'skill.activation']);
    expect(events[1]).toMatchObject({ code: 'choosing-skills' });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'skill.activation',
        name: 'meeting-notes',
        via: 'router',
        reason: 'They fit.',
      }),
    );
    const [routing] = routings();
    expect(routing).toMatchObject({ tools: [], answerSchema: { schema: { type: 'object' } } });
    expect(routing?.messages[0]?.content).toMatch(
      /<name>meeting-notes<\/name>[\s\S]+<message>\nSort &lt;\/message&gt;\n<\/message>$/,
    );
    expect(chat.sent(1)).toMatch(/<skill_content name="meeting-notes">[\s\S]+Sort <\/message>$/);
    const { messages } = await readConversation(chat.visitor, conversationId);
    expect(messages[1]).toMatchObject({ activations: [{ via: 'router', reason: 'They fit.' }] });
  });

  test('gets the best matches, never the whole catalogue, and nothing hidden from models', async () => {
    const many = Array.from({ length: 100 }, (_, at) => [
      `skills/skill-${at}/SKILL.md`,
      skillFile(`skill-${at}`, `Knows the number ${at}.`),
    ]);
    await chat.start(choosing(says(choice([]))), Object.fromEntries(many));
    const askedNow = async () => {
      expect(await activatedBy('skill-77')).toEqual([]);
      return routings().at(-1)?.messages[0]?.content ?? '';
    };
    await waitFor(async () => (await askedNow()).includes('<name>skill-77</name>'));
    const asked = await askedNow();
    expect(asked.match(/<name>/g)).toHaveLength(40);
    expect(asked).not.toContain('manual');
  });

  test('fits its context window, also with long descriptions and a long message', async () => {
    const many = Array.from({ length: 60 }, (_, at) => [
      `skills/skill-${at}/SKILL.md`,
      skillFile(`skill-${at}`, `Knows the number ${at}. ${'It knows it very well. '.repeat(40)}`),
    ]);
    const small = model({ contextWindow: 2000, maxOutputTokens: 200 });
    await chat.start(choosing(says('What?'), says(choice([]))), {
      ...small,
      ...Object.fromEntries(many),
    });
    expect(await activatedBy('Tell me about the number 7. '.repeat(100))).toEqual([]);
    expect(routings()).toHaveLength(2);
    for (const { system, messages, maxOutputTokens = 0 } of routings()) {
      const tokens = encode(system + JSON.stringify(messages)).length;
      expect(tokens + maxOutputTokens).toBeLessThanOrEqual(2000);
    }
    expect(routings()[0]?.messages[0]?.content).toContain('<name>');
  });

  test('activates no unknown or hidden name, and no more than the maximum', async () => {
    const names = ['invented', 'manual', 'MEETING-NOTES', 'release-notes'];
    await chat.start(choosing(says(choice(names))), app({ maxActiveSkills: 1 }));
    expect(await activatedBy('Notes')).toEqual(['router meeting-notes']);
  });

  test('is skipped for active skills, and if the user has picked one', async () => {
    await chat.start(choosing(says(choice(['meeting-notes']))));
    expect(await activatedBy('Notes', ['release-notes'])).toEqual(['slash release-notes']);
    expect(routings()).toEqual([]);
  });

  test.each<[string, Step[]]>([
    ['prose', [says('I would take the notes.')]],
    ['other JSON', [says('{"names": ["release-notes"]}'), says(choice('release-notes'))]],
    ['an error', [[new Error('gone')]]],
    ['nothing', [says('')]],
    ['no end', [[untilAborted]]],
  ])('that returns %s falls back to the ranking, if that is clear', async (_, steps) => {
    shortenTimeouts();
    await chat.start(choosing(...steps));
    // The index is built after startup.
    await waitFor(async () => (await activatedBy('release-notes')).length > 0);
    expect(await activatedBy('release-notes')).toEqual(['router release-notes']);
    expect(await activatedBy('zzz')).toEqual([]);
  });

  test('is retried once after invalid JSON', async () => {
    await chat.start(choosing(says('The notes, I think.'), says(choice(['meeting-notes']))));
    expect(await activatedBy('Sort')).toEqual(['router meeting-notes']);
    expect(routings()[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('is skipped if the app disables it or gives all skills', async () => {
    await chat.start(choosing(says(choice(['meeting-notes']))), app({ router: 'off' }));
    expect(await activatedBy('Sort')).toEqual([]);
    await chat.server.close();
    await chat.start(choosing(says(choice([]))), app({ autoActivate: true }));
    expect(await activatedBy('Sort')).toEqual(['app meeting-notes', 'app release-notes']);
    expect(routings()).toEqual([]);
  });
});

test('an app can use it for every model, and the settings can choose another model for it', async () => {
  await chat.start(choosing(says(choice(['meeting-notes']))), {
    ...app({ router: 'always' }),
    ...model({ supportsTools: true }),
    'models/small.json': { id: 'small', modelId: 's', name: 'S', provider: 'local' },
    'config/skills.json': { settings: { routerModel: 'small' } },
  });
  expect(await activatedBy('Sort')).toEqual(['router meeting-notes']);
  expect(routings()).toHaveLength(1);
});

test('pages know for each app whether models without tools get skills automatically', async () => {
  const skillSettings: Record<string, unknown>[] = [
    {},
    { router: 'off' },
    { router: 'off', autoActivate: true },
  ];
  const apps = skillSettings.map((settings, order) => [
    `apps/app-${order}.json`,
    { id: `app-${order}`, order, name: 'App', skills: ['*'], skillSettings: settings },
  ]);
  await chat.start(choosing(says(choice([]))), Object.fromEntries(apps));
  const { items } = await parseAnswer(appsApi.list.response, chat.visitor('/api/apps'));
  const known = new Map(items.map(({ id, bringsSkills }) => [id, bringsSkills]));
  expect(skillSettings.map((_, order) => known.get(`app-${order}`))).toEqual([true, false, true]);
});

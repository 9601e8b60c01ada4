import { healthApi } from '@knowhow/shared/config/health';
import { expect, onTestFinished, test } from 'vitest';
import {
  answerVectors,
  type EmbeddingsServer,
  startEmbeddingsServer,
} from '../../../testing/embeddings-server.ts';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { Files } from '../../../testing/write-files.ts';

const everything = { apps: ['*'], models: ['*'], prompts: ['*'], skills: ['*'] };
const offices = Array.from({ length: 40 }, (_, at) => `office-${at}`);
const files: Files = {
  'skills/tidy-tables/SKILL.md': skillFile('tidy-tables', 'Cleans up Excel files.'),
  'skills/secret-tables/SKILL.md': skillFile('secret-tables', 'Excel, spreadsheets, payroll.'),
  'skills/speech/SKILL.md': skillFile('speech', 'Writes a speech for a wedding.'),
  ...Object.fromEntries(
    offices.map((name) => [
      `skills/${name}/SKILL.md`,
      skillFile(name, `Looks after the keys, plants and lamps of ${name}, as agreed.`),
    ]),
  ),
  'config/skills.json': { settings: { catalogTokenBudget: 250 } },
  'config/groups.json': {
    groups: {
      anonymous: {
        ...{ id: 'anonymous', name: 'Anonymous' },
        permissions: { ...everything, skills: [...offices, 'tidy-tables', 'speech'] },
      },
      admins: { id: 'admins', name: 'Admins', permissions: { ...everything, adminAccess: true } },
    },
  },
};
const chat = scriptedChat(files);
/** A generous timeout, for a busy machine. */
const platform = (url: string, maxWaitMs: number | undefined = 10_000): Files => ({
  'config/platform.json': {
    rateLimit: { requests: 0, turns: 0 },
    embedder: { provider: 'local', modelId: 'small-embedder', url, maxWaitMs },
  },
});

/** No skill contains any of its words. */
const message = 'My workbook is a mess';
const named = (text = '') => [...text.matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name);
const lastSystem = () => chat.model.requests.at(-1)?.system;
const isUnderstood = async (visitor = chat.visitor) => {
  await takeTurn(visitor, { message });
  return named(lastSystem())[0] === 'tidy-tables';
};

async function start(script: Step[] = [says('Hello.')]): Promise<EmbeddingsServer> {
  const embeddings = await startEmbeddingsServer();
  await chat.start(script, platform(embeddings.url));
  return embeddings;
}

/** The embedder issues that administrators see. */
async function embedderFaults(admin: Visitor) {
  const answer = await admin('/api/admin/faults');
  const { items } = healthApi.faults.response.parse(await answer.json());
  return items.filter(({ field }) => field === 'embedder');
}

test('a skill is found by meaning, in the catalogue and by search, and no hidden one', async () => {
  const search = calls(['search_skills', { query: 'Plan the marriage of the bride' }]);
  const embeddings = await startEmbeddingsServer();
  await chat.start(
    ({ messages }) => (messages.at(-1)?.content === 'Search' ? search : says('Done.')),
    platform(embeddings.url),
  );
  await waitFor(() => isUnderstood());
  expect(lastSystem()).not.toContain('secret-tables');
  await takeTurn(chat.visitor, { message: 'Search' });
  const result = chat.model.requests.at(-1)?.messages.at(-1);
  expect(result?.role).toBe('tool');
  expect(named(result?.content)[0]).toBe('speech');
  expect(embeddings.requests[0]?.path).toBe('/v1/embeddings');
});

test('an embedder uses the key entered for its provider, from then on', async () => {
  const embeddings = await startEmbeddingsServer();
  const embedder = { provider: 'openai', modelId: 'small-embedder', url: embeddings.url };
  await chat.start([says('Hello.')], {
    'config/platform.json': { rateLimit: { requests: 0, turns: 0 }, embedder },
  });
  await waitFor(() => isUnderstood());
  expect(embeddings.requests.at(-1)?.headers.authorization).toBeUndefined();
  const admin = await signInAdmin(chat.server);
  const path = '/api/admin/provider-keys/OPENAI_API_KEY';
  await admin(path, { method: 'PUT', json: { key: 'sk-entered' } });
  await waitFor(() => isUnderstood());
  await expect
    .poll(async () => {
      await takeTurn(chat.visitor, { message: 'Anything else' });
      return embeddings.requests.at(-1)?.headers.authorization;
    })
    .toBe('Bearer sk-entered');
});

test('a conversation keeps its initial ranking, and a later message suggests skills by meaning', async () => {
  const embeddings = await start();
  await waitFor(() => isUnderstood());
  const { conversationId } = await takeTurn(chat.visitor, { message });
  const began = lastSystem();
  await takeTurn(chat.visitor, { message: 'The bride needs one, too', conversationId });
  expect(lastSystem()).toBe(began);
  expect(chat.model.requests.at(-1)?.messages.at(-1)?.content).toContain('<name>speech</name>');
  embeddings.close();
  await takeTurn(chat.visitor, { message: 'And now?', conversationId });
  expect(lastSystem()).toBe(began);
});

test('embeddings survive a restart, and only a changed skill is embedded again', async () => {
  const embeddings = await start();
  await waitFor(() => isUnderstood());
  const skills = () =>
    embeddings.requests.flatMap(({ texts }) => texts.filter((text) => text !== message));
  expect(skills()).toHaveLength(offices.length + 5);
  await chat.server.close();
  chat.server = await startTestServer({
    ...{ folder: chat.server.folder, model: chat.model.ask },
    files: { 'skills/speech/SKILL.md': skillFile('speech', 'Steers an airship.') },
  });
  const visitor = chat.server.visitor();
  await waitFor(() => skills().length > offices.length + 5);
  await waitFor(() => isUnderstood(visitor));
  expect(skills()).toHaveLength(offices.length + 6);
  expect(skills().at(-1)).toContain('Steers an airship.');
});

test('an embedder that does not respond delays no turn', async () => {
  const embeddings = await startEmbeddingsServer();
  await chat.start([says('Hello.')], platform(embeddings.url, 50));
  const held: unknown[] = [];
  embeddings.answer = (texts, response) =>
    texts.length > 1 ? answerVectors(texts, response) : held.push(...texts);
  await waitFor(async () => {
    const { status, text } = await takeTurn(chat.visitor, { message });
    expect({ status, text }).toEqual({ status: 200, text: 'Hello.' });
    return held.length > 0;
  });
  expect(held).toEqual([message]);
  expect(named(lastSystem())[0]).not.toBe('tidy-tables');
});

test('if the embedder is down, skills are ranked by words, and administrators see one issue', async () => {
  const embeddings = await startEmbeddingsServer();
  embeddings.close();
  await chat.start([says('Hello.')], platform(embeddings.url));
  const admin = await signInAdmin(chat.server);
  await waitFor(async () => (await embedderFaults(admin)).length > 0);
  const [fault, ...others] = await embedderFaults(admin);
  expect(others).toEqual([]);
  expect(fault?.message).toMatch(/small-embedder.*cannot be reached.*ranked by their words/);
  expect(fault?.message).not.toContain('127.0.0.1');
  await waitFor(async () => {
    await takeTurn(chat.visitor, { message: 'Write a speech for the wedding' });
    return named(lastSystem())[0] === 'speech';
  });
});

const list = (what: string) => `[${Array(1_500_000).fill(what).join(',')}]`;

test.each([
  ['a million values instead of vectors', `{"data":${list('1')}}`],
  ['a million vectors', `{"data":${list('{}')}}`],
  ['a million words in a vector', `{"data":[{"embedding":${list('""')}}]}`],
  ['endlessly nested lists', `${'['.repeat(3_000_000)}${']'.repeat(3_000_000)}`],
])('an embedder that sends %s blocks no one', async (_, answer) => {
  const embeddings = await startEmbeddingsServer();
  embeddings.answer = (_texts, response) => response.end(answer);
  await chat.start([says('Hello.')], platform(embeddings.url));
  const admin = await signInAdmin(chat.server);
  const pause = await measureLongestPause(
    () => waitFor(async () => (await embedderFaults(admin)).length > 0),
    processorClock,
  );
  expect((await embedderFaults(admin))[0]?.message).toMatch(/^(platform.json: )?The embedder sent/);
  expect((await takeTurn(chat.visitor, { message })).text).toBe('Hello.');
  expect(pause).toBeLessThan(1000);
});

test('its key comes from the environment, and is sent only to allowed hosts', async () => {
  const embeddings = await startEmbeddingsServer();
  const startWith = (embedder: object) =>
    startTestServer({
      files: { ...files, 'config/platform.json': { embedder } },
      environment: { EMBEDDER_API_KEY: 'secret-of-the-embedder' },
    });
  const allowed = await startWith({ provider: 'openai', modelId: 'small', url: embeddings.url });
  onTestFinished(() => allowed.close());
  await waitFor(() => embeddings.requests.length > 0);
  expect(embeddings.requests[0]?.headers.authorization).toBe('Bearer secret-of-the-embedder');

  const url = 'https://embedder.invalid/v1';
  const other = await startWith({ provider: 'openai', modelId: 'small', url });
  onTestFinished(() => other.close());
  const admin = await signInAdmin(other);
  await waitFor(async () => (await embedderFaults(admin)).length > 0);
  const [fault] = await embedderFaults(admin);
  expect(fault?.message).toContain('MODEL_HOSTS=embedder.invalid');
});

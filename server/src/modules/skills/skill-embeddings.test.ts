import type { ServerResponse } from 'node:http';
import { defaultSkillsConfig } from '@knowhow/shared/skills/skills-config';
import { expect, onTestFinished, test } from 'vitest';
import {
  answerVectors,
  type EmbeddingsServer,
  startEmbeddingsServer,
  vectorOf,
} from '../../testing/embeddings-server.ts';
import { measureLongestPause, processorClock } from '../../testing/measure-longest-pause.ts';
import { type MemorySource, memorySource } from '../../testing/memory-source.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { skillFile } from '../../testing/skill-folder.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { openEmbedder } from '../models/open-embedder.ts';
import { createEmbeddingCache } from './embedding-cache.ts';
import type { EmbeddingLimits } from './embedding-limits.ts';
import { fuseRankings } from './fuse-rankings.ts';
import { SimilarSkills, smallVector } from './similar-skills.ts';
import { createSkillEmbeddings } from './skill-embeddings.ts';
import { createSkillIndex } from './skill-index.ts';
import { openSkillStore } from './store/skill-store.ts';

const skill = (name: string, description: string) => ({ 'SKILL.md': skillFile(name, description) });

const some = () =>
  memorySource({
    tidy: skill('tidy', 'Cleans up Excel files.'),
    speech: skill('speech', 'Writes a speech for a wedding.'),
    steer: skill('steer', 'Steers an airship.'),
    office: skill('office', 'Looks after keys.'),
  });

function fail(error: unknown): never {
  throw error;
}

/** Embeddings for a source, and a ranking with them. */
async function embeddingsOf(
  source: MemorySource,
  server: EmbeddingsServer,
  limits: Partial<EmbeddingLimits> = {},
) {
  const database = await openTestDatabase(await temporaryFolder());
  onTestFinished(() => database.destroy());
  const store = openSkillStore([source]);
  onTestFinished(() => store.close());
  await store.scanned;
  let modelId = 'small';
  const config = defaultSkillsConfig;
  const open = () =>
    openEmbedder(
      { provider: 'local', modelId, url: server.url, maxWaitMs: 10_000, enabled: true },
      { variables: {}, modelHosts: [] },
    );
  let embedder = open();
  const embeddings = createSkillEmbeddings({
    ...{ store, config: () => config, embedder: () => embedder },
    kept: createEmbeddingCache(database),
    withLock: (work) => work(),
    onFault: () => undefined,
    onError: fail,
    limits: { againMs: [1], noQuestionsMs: 0, ...limits },
  });
  onTestFinished(embeddings.close);
  const index = createSkillIndex({ store, config: () => config, onError: fail });
  onTestFinished(index.close);
  const ranking = fuseRankings(index.ranking, embeddings);
  const refresh = async () => {
    embeddings.refresh();
    index.refresh();
    await Promise.all([embeddings.settled(), index.settled()]);
  };
  const find = async (text: string) => {
    await ranking.understand(text);
    const skills = [...store.snapshot.skills.values()];
    return ranking.rank(text, skills, 10).map((ranked) => ranked.skill.id);
  };
  return {
    ...{ store, embeddings, refresh, find },
    useModel: (id: string) => {
      modelId = id;
      embedder = open();
    },
  };
}

const textsAsked = ({ requests }: EmbeddingsServer) => requests.flatMap(({ texts }) => texts);

test('finds skills by meaning, and by name first', async () => {
  const server = await startEmbeddingsServer();
  const { refresh, find } = await embeddingsOf(some(), server);
  await refresh();
  expect(await find('Ordnung in der Tabellenkalkulation')).toEqual(['tidy']);
  expect((await find('steer'))[0]).toBe('steer');
  expect(await find('   ')).toEqual([]);
});

test('requests only changed skills in batches, and each question once', async () => {
  const server = await startEmbeddingsServer();
  const source = some();
  const { store, refresh, find } = await embeddingsOf(source, server, { perRequest: 3 });
  await refresh();
  expect(server.requests.map(({ texts }) => texts.length)).toEqual([3, 1]);
  source.put('office', skill('office', 'Plans the marriage of a bride.'));
  source.put('speech', undefined);
  await store.refresh();
  await refresh();
  await find('wedding bells');
  expect(await find('wedding bells')).toEqual(['office']);
  expect(server.requests.slice(2).map(({ texts }) => texts.length)).toEqual([1, 1]);
});

test('compares a cached question with new skills', async () => {
  const server = await startEmbeddingsServer();
  const source = some();
  const { store, refresh, find } = await embeddingsOf(source, server);
  await refresh();
  expect(await find('an airship')).toEqual(['steer']);
  source.put('blimps', skill('blimps', 'Repairs a blimp.'));
  await store.refresh();
  await refresh();
  expect((await find('an airship')).sort()).toEqual(['blimps', 'steer']);
  expect(textsAsked(server)).toHaveLength(6);
});

test('starts over with another embedder and ranks by words without one', async () => {
  const server = await startEmbeddingsServer();
  const { refresh, find, useModel } = await embeddingsOf(some(), server);
  await refresh();
  useModel('other');
  await refresh();
  expect(textsAsked(server)).toHaveLength(8);
  expect(await find('a workbook')).toEqual(['tidy']);
});

const answers: [string, (texts: readonly string[], response: ServerResponse) => void, RegExp][] = [
  [
    'a vector too few',
    (texts, to) => answerVectors(texts, to, texts.slice(1).map(vectorOf)),
    /3 vectors for 4/,
  ],
  [
    'numbers that are none',
    (texts, to) =>
      answerVectors(
        texts,
        to,
        texts.map(() => [1, null]),
      ),
    /not a list/,
  ],
  ['NaN', (_, to) => to.end('{"data": [{"embedding": [NaN]}]}'), /not a list of vectors/],
  ['numbers without end', (_, to) => to.end('{"data": [{"embedding": [1e999]}]}'), /not a list/],
  [
    'zeros',
    (texts, to) =>
      answerVectors(
        texts,
        to,
        texts.map(() => [0, 0]),
      ),
    /without a direction/,
  ],
  [
    'one of another length',
    (texts, to) =>
      answerVectors(
        texts,
        to,
        texts.map((text, at) => vectorOf(text).slice(at)),
      ),
    /different lengths/,
  ],
  ['a page', (_, to) => to.end('<html>'), /not a list of vectors/],
  ['nothing', (_, to) => to.destroy(), /cannot be reached/],
  [
    'an error',
    (_, to) => to.writeHead(500).end('{"error": {"message": "Out of memory"}}'),
    /Out of memory/,
  ],
  [
    'a refusal of all texts',
    (_, to) => to.writeHead(400).end('{"error": {"message": "No such input"}}'),
    /No such input/,
  ],
];
test.each(answers)(
  'falls back to words while the embedder returns %s',
  async (_, answer, fault) => {
    const server = await startEmbeddingsServer();
    server.answer = answer;
    const { embeddings, refresh, find } = await embeddingsOf(some(), server);
    await refresh();
    await waitFor(() => embeddings.fault() !== undefined);
    expect(embeddings.fault()).toMatch(fault);
    expect(await find('an airship')).toEqual(['steer']);
    server.answer = undefined;
    await waitFor(() => embeddings.fault() === undefined);
    expect(await find('a zeppelin')).toEqual(['steer']);
  },
);

test('skips only the skill whose text the embedder rejects', async () => {
  const server = await startEmbeddingsServer();
  const source = some();
  const { store, embeddings, refresh, find } = await embeddingsOf(source, server);
  await refresh();
  server.answer = (texts, response) =>
    texts.some((text) => text.includes('poison'))
      ? response.writeHead(400).end('{"error": {"message": "too long"}}')
      : answerVectors(texts, response);
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    const about = name === 'three' ? 'Is poison.' : `Tells of the blimp, part ${name}.`;
    source.put(name, skill(name, about));
  }
  await store.refresh();
  await refresh();
  expect(embeddings.fault()).toBeUndefined();
  expect((await find('zeppelin')).sort()).toEqual(['five', 'four', 'one', 'steer', 'two']);
  expect(await find('poison')).toEqual(['three']);
  // Even if nothing else has changed, so that there is no embedding to store.
  source.put('five', skill('five', 'Is poison too.'));
  await store.refresh();
  await refresh();
  expect(embeddings.fault()).toBeUndefined();
  expect((await find('zeppelin')).sort()).toEqual(['four', 'one', 'steer', 'two']);
});

test('reports embeddings with other dimensions, including those of questions', async () => {
  const server = await startEmbeddingsServer();
  const { embeddings, refresh, find } = await embeddingsOf(some(), server);
  await refresh();
  server.answer = (texts, response) =>
    answerVectors(
      texts,
      response,
      texts.map(() => [1, 2]),
    );
  expect(await find('the airship')).toEqual(['steer']);
  expect(await find('an airship')).toEqual(['steer']);
  expect(embeddings.fault()).toMatch(/vectors of 2 numbers, and before of 5/);
});

test('ranks by words beyond the memory limit and reports it', async () => {
  const server = await startEmbeddingsServer();
  const { embeddings, refresh, find } = await embeddingsOf(some(), server, { maxBytes: 500 });
  await refresh();
  expect(embeddings.fault()).toMatch(/no memory left for the vectors of 2 skills/);
  expect(await find('an airship')).toContain('steer');
});

test('compares thousands of long embeddings in slices, quantized to bytes', async () => {
  const [count, length] = [4000, 512];
  const similar = new SimilarSkills(count * (length + 250));
  for (let at = 0; at < count; at += 1) {
    const numbers = Float32Array.from({ length }, (_, place) => (place === at % length ? 1 : 0.01));
    expect(similar.put(`skill-${at}`, smallVector(numbers))).toBe(true);
  }
  const question = Float32Array.from({ length }, (_, place) => (place === 7 ? 1 : 0));
  const pause = await measureLongestPause(() => similar.ask('Seven?', question), processorClock);
  expect(pause).toBeLessThan(100);
  const nearTo = similar.nearTo('Seven?');
  expect(nearTo?.('skill-519')).toBeCloseTo(1, 1);
  expect(nearTo?.('skill-8')).toBeCloseTo(0, 1);
  expect(nearTo?.('skill-9999')).toBeUndefined();
});

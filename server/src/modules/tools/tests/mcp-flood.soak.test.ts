import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';

/** A thousand skills, a few of them as large as the largest published ones. */
const files = Object.fromEntries([
  ...Array.from({ length: 1000 }, (_, at) => [
    `skills/skill-${at}/SKILL.md`,
    skillFile(`skill-${at}`, `Is number ${at}.`),
  ]),
  ...Array.from({ length: 8 }, (_, at) => [
    `skills/skill-${at}/assets/large.txt`,
    'x'.repeat(15_000_000),
  ]),
]);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ files });
});
afterAll(() => server.close());

function send(method: string, params: Record<string, unknown>): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

async function read(method: string, params: Record<string, unknown>): Promise<string> {
  return (await send(method, params)).text();
}

test('a thousand skills and two are listed page by page, each once', async () => {
  const uris: string[] = [];
  let cursor: string | undefined;
  do {
    const text = await read('skills/list', cursor === undefined ? {} : { cursor });
    uris.push(
      ...[...text.matchAll(/"uri":"([^"]+SKILL\.md)","frontmatter"/g)].map(([, uri = '']) => uri),
    );
    cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1];
  } while (cursor !== undefined);
  expect(uris).toHaveLength(1002);
  expect(new Set(uris).size).toBe(1002);
});

test('a flood is answered or rejected, without blocking others', async () => {
  const floods = Array.from({ length: 400 }, (_, at) => {
    const uri = `skill://skill-${at % 8}/assets/large.txt`;
    return at % 20 === 0
      ? send('resources/read', { uri })
      : send(at % 2 === 0 ? 'skills/list' : 'tools/list', {});
  });
  const ended = Promise.all(
    floods.map(async (answer) => {
      const { status } = await answer;
      await (await answer).arrayBuffer();
      return status;
    }),
  );
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  let asked = 0;
  const longest = await measureLongestPause(async () => {
    while (!isOver) {
      expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
      asked += 1;
    }
  }, processorClock);
  expect(new Set(await ended)).toEqual(new Set([200, 429]));
  expect(asked).toBeGreaterThan(20);
  // The client runs in the same process and takes part of the time.
  expect(longest).toBeLessThan(800);
});

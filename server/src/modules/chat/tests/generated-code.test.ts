import { auditEntrySchema } from '@knowhow/shared/config/admin';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTextZip } from '../../../testing/foreign-skills.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { sandbox } from '../../../testing/sandbox.ts';
import {
  calls,
  type Step,
  says,
  scriptedModel,
  untilAborted,
} from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
  withAllTools,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const typed = `# Adder

Adds numbers.

## System Prompt

Write code that adds the numbers.

## Parameters

- \`numbers\` (array, required): What to add
`;
/** The same scope, once as sections and once in the config. */
const scoped = `${typed}
## Imports

- \`node:path\`: paths
- \`import { readFile } from 'fs/promises'\`
- ./lib/tax-rates.mjs
- \`import own from './lib/own.mjs'\`

## Context

\`\`\`json
{ "rates": { "de": 0.19 } }
\`\`\`
`;
const configured = `${typed}
## Config

\`\`\`json
{
  "imports": ["path", "node:fs/promises", "./lib/tax-rates", "import { default as own } from './lib/own.mjs';"],
  "context": { "rates": { "de": 0.19 } }
}
\`\`\`
`;
const adding = 'return input.numbers.reduce((sum, each) => sum + each, 0);';
const fenced = (code: string) => `Here it is:\n\n\`\`\`js\n${code}\n\`\`\`\n`;

let server: TestServer;
let admin: Visitor;
let model: ReturnType<typeof scriptedModel>;

beforeAll(async () => {
  server = await startTestServer({
    model: (request, signal) => model.ask(request, signal),
    environment: { SCRIPT_RUNNER: 'auto' },
    files: {
      ...withAllTools,
      'config/skills.json': { settings: { allowScriptExecution: true } },
    },
  });
  admin = await signInAdmin(server);
  const zip = createTextZip({
    'adder.cgskill.md': typed,
    'forbidden.dcgskill.md': typed,
    'scoped/cgskill.md': scoped,
    'configured/dcgskill.md': configured,
    ...Object.fromEntries(
      ['scoped', 'configured'].flatMap((name) => [
        [`${name}/lib/tax-rates.mjs`, 'export const vat = 7;\n'],
        [`${name}/lib/own.mjs`, "export default 'ours';\n"],
      ]),
    ),
  });
  expect((await postArchive(admin, 'import', zip, 'application/zip')).ok).toBe(true);
  const json = { allowScriptExecution: true };
  for (const name of ['adder', 'scoped', 'configured']) {
    expect((await admin(`/api/admin/skills/${name}`, { method: 'PUT', json })).ok).toBe(true);
  }
});
afterAll(() => server.close());

/**
 * Has the tool called, with the code that the model then writes, and answers the questions; pauses at a
 * request.
 */
async function callAdder(
  written: string,
  decision = 'once',
  rest: Step[] = [says('Done.')],
  stopAt = Number.POSITIVE_INFINITY,
  tool = 'skill_adder',
) {
  model = scriptedModel(calls([tool, { numbers: [1, 2] }]), says(written), ...rest);
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  const conversationId = crypto.randomUUID();
  const turn = takeTurn(visitor, { message: 'Add 1 and 2', conversationId });
  let isOver = false;
  void turn.finally(() => {
    isOver = true;
  });
  const path = `/api/conversations/${conversationId}/consents/call-0`;
  await waitFor(async () => {
    await visitor(path, { json: { decision } });
    if (model.requests.length >= stopAt) {
      await visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
    }
    return isOver;
  });
  const { events } = await turn;
  const result = String(model.requests.at(-1)?.messages.at(-1)?.content ?? '');
  const asked = events.filter(({ type }) => type === 'tool.consent');
  return { asked, result, ended: events.find(({ type }) => type === 'tool.call.end') };
}

describe.runIf(sandbox)('code that a model writes for a typed skill', () => {
  test('is shown before it runs, and the model gets its result', async () => {
    const { asked, result } = await callAdder(fenced(adding));
    expect(asked).toEqual([
      expect.objectContaining({
        source: 'Skills',
        title: 'Adder',
        input: { code: adding, input: { numbers: [1, 2] } },
      }),
    ]);
    expect(JSON.parse(result)).toEqual({ success: true, output: 3, code: adding });
    const [written] = model.requests.slice(1);
    expect(written?.messages[0]?.content).toContain('Write code that adds the numbers.');
    expect(written?.tools).toEqual([]);
    expect(await (await admin('/api/admin/audit?kind=tool')).text()).toMatch(
      /"code":"\w+","skill":"adder","source":"local","checksum":"\w+","script":"generated"/,
    );
  });

  test('that is stopped while running is in the audit log with its text', async () => {
    const asking = fenced("return executePrompt('How much is it?');");
    await callAdder(asking, 'once', [[untilAborted]], 3);
    const { items } = await parseAnswer(
      z.object({ items: z.array(auditEntrySchema) }),
      admin('/api/admin/audit?kind=tool'),
    );
    expect(items[0]?.after).toMatchObject({
      ...{ outcome: 'stopped', skill: 'adder', script: 'generated' },
      ...{ checksum: expect.any(String), code: expect.any(String) },
    });
  });

  test('does not run if its user denies it', async () => {
    const { asked, result } = await callAdder(fenced(adding), 'deny');
    expect(asked).toHaveLength(1);
    expect(result).toContain('did not allow the code');
  });

  test('requires consent again when the code differs', async () => {
    const second = [
      calls(['skill_adder', { numbers: [1, 2] }]),
      says(fenced(adding)),
      calls(['skill_adder', { numbers: [4] }]),
      says(fenced('return 5;')),
      says('Done.'),
    ];
    const { asked } = await callAdder(fenced(adding), 'conversation', second);
    expect(asked).toHaveLength(2);
  });

  test.each([
    [
      'skill_scoped',
      'return [rates.de, path.basename("/a/b"), readFile.name, taxRates.vat, own, input.numbers];',
    ],
    [
      'skill_configured',
      'const path = require("node:path"); return [rates.de, path.basename("/a/b"), fsPromises.readFile.name, taxRates.vat, own, input.numbers];',
    ],
  ])("of %s has the skill's imports and context in its scope", async (tool, code) => {
    const { result } = await callAdder(fenced(code), 'once', [says('Done.')], undefined, tool);
    expect(JSON.parse(result)).toMatchObject({
      success: true,
      output: [0.19, 'b', 'readFile', 7, 'ours', [1, 2]],
    });
    const prompt = String(model.requests[1]?.messages[0]?.content);
    expect(prompt).toContain('"de": 0.19');
    expect(prompt).toContain('`taxRates`');
  });

  test.each([
    ['throws', fenced("throw new Error('no luck')"), { success: false, error: 'Error: no luck' }],
    ['contains none', fenced('return ('), { success: false }],
  ])('that %s reports the error', async (_, written, expected) => {
    const { result } = await callAdder(written);
    expect(JSON.parse(result)).toMatchObject(expected);
  });

  test('has its own clock and random values in each call, and its files are named', async () => {
    const saving = "require('fs').writeFileSync('sum.txt', '3'); return [Math.random(), Date()];";
    const results = [await callAdder(fenced(saving)), await callAdder(fenced(saving))];
    const outputs = results.map(({ result }) => JSON.parse(result.split('\n\n')[0] ?? '').output);
    expect(outputs[0][0]).not.toBe(outputs[1][0]);
    expect(Date.parse(outputs[0][1])).toBeGreaterThan(Date.now() - 60_000);
    expect(results[0]?.result).toContain('the user gets:\n{"name":"sum.txt","size":1');
  });

  test('that exits the process still keeps its files', async () => {
    const leaving = "require('fs').writeFileSync('sum.txt', '3'); process.exit(0);";
    const { ended, result } = await callAdder(fenced(leaving));
    expect(result).toContain('sum.txt');
    expect(ended).toMatchObject({ files: [{ name: 'sum.txt' }] });
  });

  test('with unbounded memory use is killed', async () => {
    const asking = `for (let each = 0; ; each += 1) {
      await executePrompt('x'.repeat(4_500_000) + each).catch(() => {});
    }`;
    expect((await callAdder(fenced(asking))).result).toContain('asked for more than 8388608');
  });

  test('is found among other blocks', async () => {
    const written = `For this:\n\n\`\`\`json\n[1, 2]\n\`\`\`\nit is:\n${fenced(adding)}Done.`;
    const { result } = await callAdder(written);
    expect(JSON.parse(result)).toEqual({ success: true, output: 3, code: adding });
  });

  test.each([
    ['is truncated', '```js\nreturn 1;', 'is incomplete'],
    ['is too long', fenced('//'.padEnd(20_001, 'x')), 'is incomplete'],
    ['is a text instead', 'It is 3.', 'It is 3.'],
  ])('that %s requires no consent', async (_, written, expected) => {
    const { asked, result } = await callAdder(written);
    expect(asked).toEqual([]);
    expect(result).toContain(expected);
  });
});

test('without permission the skill is only instructions, and its page says so', async () => {
  model = scriptedModel(says('Hello.'));
  const visitor = server.visitor();
  await visitor('/api/auth/me');
  await takeTurn(visitor, { message: 'Hi', conversationId: crypto.randomUUID() });
  const names = model.requests[0]?.tools.map(({ name }) => name);
  expect(names).not.toContain('skill_forbidden');
  const path = '/api/admin/skills/forbidden';
  const { diagnostics } = await parseAnswer(adminSkillsApi.get.response, admin(path));
  expect(diagnostics.map(({ code }) => code)).toContain('tool-code-off');
});

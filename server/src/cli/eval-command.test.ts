import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openAiChatWire } from '../testing/openai-chat-wire.ts';
import { runCommand } from '../testing/run-command.ts';
import { scriptedHttp } from '../testing/scripted-http.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { type Files, temporaryFolder, writeFiles } from '../testing/write-files.ts';

const provider = scriptedHttp();

const activates = (name: string) => ({
  headers: { 'content-type': 'text/event-stream' },
  chunks: openAiChatWire.answer({
    calls: [
      { id: 'one', name: 'activate_skill', arguments: [JSON.stringify({ skill_name: name })] },
    ],
  }),
});

async function open(files: Files = {}) {
  const folder = await temporaryFolder();
  await writeFiles(folder, {
    'contents/skills/cake/SKILL.md': skillFile('cake', 'Bakes cakes.'),
    'contents/models/demo.json': { id: 'demo', modelId: 'demo', name: 'Demo', provider: 'demo' },
    'contents/models/own.json': {
      ...{ id: 'own', modelId: 'x', name: 'Own', provider: 'local', url: `${provider.origin}/v1` },
    },
    'mine/pdf/SKILL.md': skillFile('pdf', 'Reads PDF files.'),
    'mine/pdf/evals/trigger-evals.json': [
      { query: 'Read the PDF files on my desk', should_trigger: true },
      { query: 'Bakes cakes for a party', should_trigger: false },
    ],
    'mine/silent/SKILL.md': skillFile('silent', 'Has no prompts.'),
    ...files,
  });
  const installation = () => ({
    contentsDirectory: join(folder, 'contents'),
    dataDirectory: join(folder, 'data'),
    skillsExtraDirectories: [],
    skillsExtraRecursive: [],
    adminPassword: undefined,
    variables: {},
    version: '1.2.3',
  });
  const run = (...args: string[]) => runCommand(['eval', ...args], { installation });
  return { folder, run };
}

describe('knowhow eval', () => {
  test('evaluates the prompts of a folder together with the installed skills', async () => {
    const { folder, run } = await open();
    provider.reply(activates('pdf'), activates('pdf'));
    const { code, out } = await run(join(folder, 'mine'), '--model', 'own');
    expect(out).toMatch(
      /^pdf\n {2}own {2}hits 1\/1 \(100 %\) {2}wrong hits 1\/1 \(100 %\) {2}failed 0 {2}11 \+ 22 tokens/,
    );
    expect(out).toMatch(
      /own {2}activated, wrongly {2}"Bakes cakes for a party" {2}rank \d|own {2}activated, wrongly {2}"Bakes cakes for a party"/,
    );
    expect(code).toBe(1);
    const sent = JSON.stringify(provider.requests[0]?.body);
    expect(sent).toContain('<name>pdf</name>');
    expect(sent).toContain('<name>cake</name>');
  });

  test('reports that the demo model only tests the ranking, and exits with 0 on success', async () => {
    const { folder, run } = await open();
    const { code, out } = await run(join(folder, 'mine/pdf'), '--model', 'demo');
    expect(out).toContain('hits 1/1 (100 %)');
    expect(out).toContain('only the ranking by words was tested');
    expect(code).toBe(0);
  });

  test('prints JSON, and differences to an earlier run', async () => {
    const { folder, run } = await open();
    provider.reply(activates('cake'), activates('cake'));
    const first = await run(join(folder, 'mine'), '--model', 'own', '--json');
    expect(JSON.parse(first.out)).toMatchObject([
      {
        skill: 'pdf',
        results: [
          { prompt: 0, outcome: 'miss', activated: ['cake'] },
          { prompt: 1, outcome: 'left-alone' },
        ],
      },
    ]);
    await writeFiles(folder, { 'former.json': first.out });
    const second = await run(
      ...[join(folder, 'mine'), '--model', 'own,demo', '--against', join(folder, 'former.json')],
    );
    // The provider has no more responses: that counts as a result, too.
    expect(second.out).toMatch(
      /own {2}failed {2}"Read the PDF files on my desk" {2}before: not activated/,
    );
    expect(second.error).not.toContain('none of these');
    expect(second.code).toBe(1);
    const other = await run(
      ...[join(folder, 'mine'), '--model', 'demo', '--against', join(folder, 'former.json')],
    );
    expect(other.error).toContain('former.json has none of these prompts with these models.');
  });

  test('reports wrong usage, an unusable model and a folder without prompts', async () => {
    const { folder, run } = await open();
    const mine = join(folder, 'mine');
    const results = await Promise.all([
      run(mine),
      run('--model', 'own'),
      run(join(folder, 'nowhere'), '--model', 'own'),
      run(mine, '--model', 'own', '--against', join(folder, 'nothing.json')),
      run(mine, '--model', 'unknown'),
      run(join(mine, 'silent'), '--model', 'own'),
    ]);
    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2, 1, 1]);
    expect(results[4]?.error).toBe("Not to be used: 'unknown'. Those that can be used: own, demo.");
    expect(results[5]?.error).toContain('No prompts in');
  });
});

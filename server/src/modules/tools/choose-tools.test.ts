import { appConfigSchema } from '@knowhow/shared/config/app-config';
import { guessTokens } from '@knowhow/shared/count-tokens';
import { expect, test } from 'vitest';
import { cpuTime } from '../../testing/cpu-time.ts';
import { testSource, testTool } from '../../testing/tool-source.ts';
import { chooseTools, toModelTool } from './choose-tools.ts';
import { createToolIndex } from './tool-index.ts';

const source = testSource([]);
const words = 'file mail calendar ticket invoice branch table sheet message contact'.split(' ');
const word = (at: number) => words[at % words.length] ?? '';
const tools = Array.from({ length: 500 }, (_, at) => {
  const name = `${word(at)}_${word(at * 7 + 3)}_${at}`;
  const tool = testTool({
    name,
    description:
      `Finds, reads and changes each ${word(at)} of ${word(at * 3)}, number ${at}. `.repeat(3),
    parameters: {
      type: 'object',
      properties: { [word(at)]: { type: 'string', description: `Of the ${word(at)}.` } },
    },
  });
  return { id: `office/${name}`, name: `office__${name}`, source, tool };
});

const choosing = {
  ...{ tools, room: 32_000, app: appConfigSchema.parse({ id: 'chat', name: 'Chat' }) },
  ...{ kept: new Set<string>(), wanted: new Set<string>() },
};

test('chooses among 500 tools without indexing all of them again', () => {
  const index = createToolIndex();
  const choose = (message: string) => chooseTools({ ...choosing, message, index });
  choose('The first time they are read.');
  const messages = Array.from({ length: 20 }, (_, at) => `Change the ${word(at)} of invoice ${at}`);
  const took = cpuTime(() => messages.forEach(choose));
  expect(took / messages.length).toBeLessThan(50);
});

test('uses at most 5% of the context window for tools', () => {
  const index = createToolIndex();
  const { chosen, isRanked } = chooseTools({ ...choosing, message: 'Change an invoice', index });
  expect(isRanked).toBe(true);
  expect(chosen.length).toBeGreaterThan(5);
  const characters = JSON.stringify(chosen.map(toModelTool)).length;
  expect(characters / 3).toBeLessThan(32_000 * 0.05);
  expect(chosen.every(({ name }) => name.includes('invoice'))).toBe(true);
});

test('adds tools that match a later message, and reserves budget for searches', () => {
  const index = createToolIndex();
  let kept = new Set<string>();
  for (const about of ['invoice', 'calendar', 'branch', 'sheet', 'mail', 'ticket', 'table']) {
    const before = kept;
    const { chosen } = chooseTools({ ...choosing, kept, message: `Change a ${about}`, index });
    kept = new Set(chosen.map(({ id }) => id));
    expect([...before].every((id) => kept.has(id))).toBe(true);
    if (about === 'calendar') {
      expect(chosen.some(({ name }) => name.includes('calendar'))).toBe(true);
      expect(kept.size).toBeGreaterThan(before.size);
    }
  }
  const keptTools = tools.filter(({ id }) => kept.has(id)).map(toModelTool);
  expect(guessTokens(JSON.stringify(keptTools))).toBeLessThan(32_000 * 0.05 * 0.95);
});

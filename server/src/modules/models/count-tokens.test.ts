import { readFileSync } from 'node:fs';
import { countTokens } from '@knowhow/shared/count-tokens';
import { countTokens as countExactly } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../testing/cpu-time.ts';
import { seededRandom } from '../../testing/seeded-random.ts';

const file = (path: string) =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const textsOf = (node: unknown): string[] =>
  typeof node === 'string' ? [node] : Object.values(node ?? {}).flatMap(textsOf);

const chinese = `知识库平台让每个组织把自己的经验写成技能，再交给语言模型使用。用户提出问题时，系统会先检查哪些技能适合当前的任务，
然后把说明加入对话。管理员可以决定谁能看到哪些技能，也可以随时停用其中的一个。会议结束以后，请把记录整理成三个部分：
做出的决定、需要完成的工作以及还没有解决的问题。每一项工作都要写明负责人和日期。如果没有人提到日期，不要自己编造，
而是把它列在最后，请用户补充。报告应当简短，普通读者在两分钟之内就能读完。`;

const ordinary: [name: string, text: string][] = [
  ['English', file('docs/guides/operate.md')],
  ['a skill', file('contents/skills/spreadsheet-review/SKILL.md')],
  ['German', textsOf(JSON.parse(file('locales/de/admin.json'))).join('\n')],
  ['TypeScript', file('server/src/modules/chat/run-turn.ts')],
  ['JSON', file('server/package.json')],
  ['Chinese', chinese],
];

describe('the token estimate', () => {
  test.each(ordinary)('is within 10% of a real tokenizer for %s', (_, text) => {
    const ratio = countTokens(text) / countExactly(text);
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
  });

  test.each(ordinary)('never decreases as a text grows: %s', (_, text) => {
    const counts = Array.from({ length: 200 }, (_, end) => countTokens(text.slice(0, end * 7)));
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(counts[0]).toBe(0);
  });

  test('treats special tokens as ordinary text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  test('extrapolates above the sample size', () => {
    const text = file('docs/guides/operate.md');
    const once = countTokens(text);
    expect(countTokens(text.repeat(100)) / once).toBeCloseTo(100, -1);
  });
});

const random = seededRandom(18);
const bytes = Buffer.from(Uint8Array.from({ length: 100_000 }, () => random() * 256));
const worst: [name: string, unit: string][] = [
  ['a letter', 'a'],
  ['€', '€'],
  ['an emoji', '😀'],
  ['a combining mark', '\u0301'],
  ['a space', ' '],
  ['a line break', '\n'],
  ['a lone surrogate', '\ud800'],
  ['Chinese without a space', '知识库平台让每个组织把自己的经验写成技能'],
  ['base64', bytes.toString('base64')],
  ['random bytes', bytes.toString('latin1')],
  ['random characters', bytes.toString('utf16le')],
  ['special tokens', '<|endoftext|>'],
];

describe('16 million characters', () => {
  test.each(worst)('of %s are counted quickly', (_, unit) => {
    const text = unit.repeat(Math.ceil(16_000_000 / unit.length));
    const took = cpuTime(() => expect(countTokens(text)).toBeGreaterThanOrEqual(0));
    expect(took).toBeLessThan(500);
  });
});

import { describe, expect, it } from 'vitest';
import { healMarkdown } from './heal-markdown.ts';
import { splitBlocks } from './split-blocks.ts';

describe('healMarkdown', () => {
  it.each([
    ['closes bold', 'some **bold te', 'some **bold te**'],
    ['completes half a closing mark', 'some **bold*', 'some **bold**'],
    ['leaves out bold that has no text yet', 'some **', 'some '],
    ['closes code', 'run `npm i', 'run `npm i`'],
    ['ignores stars in code', '`a ** b` and', '`a ** b` and'],
    ['shows half a link as its text', 'see [the docs](https://exa', 'see the docs'],
    ['shows the start of a link as its text', 'see [the do', 'see the do'],
    ['leaves a whole link alone', 'see [a](b)', 'see [a](b)'],
    ['does not make a heading of a list to be', 'Steps:\n-', 'Steps:'],
    ['waits for the head of a table', '| a | b |\n| --', ''],
    ['shows a table once its head is there', '| a | b |\n|---|---|', '| a | b |\n|---|---|'],
    ['leaves an open code block alone', '```js\nconst a = `**', '```js\nconst a = `**'],
    ['waits for the end of a formula', 'so \\(a and', 'so '],
    ['waits for the end of a formula of its own', 'so\n$$\na = ', 'so\n'],
    ['waits for the end of a short formula', 'so $a_1 + ', 'so '],
    ['waits for what comes after one dollar sign', 'so $', 'so '],
    ['does not wait for money', 'it costs $5 and', 'it costs $5 and'],
    ['leaves a whole short formula alone', 'so $a^{2}$, and', 'so $a^{2}$, and'],
    ['does not wait for a tag', 'so <detai', 'so '],
    ['does not wait for the mark of a footnote', 'so[^no', 'so'],
    ['leaves a whole formula alone', 'so \\(a\\) and', 'so \\(a\\) and'],
    ['leaves finished text alone', 'All **done**, `really`.', 'All **done**, `really`.'],
  ])('%s', (_, written, healed) => {
    expect(healMarkdown(written)).toBe(healed);
  });

  it.each([
    ['ten megabytes in one line', 'a'.repeat(10_000_000)],
    ['many dollars', '$'.repeat(200_000)],
    ['many tags', '<a'.repeat(100_000)],
    ['many marks of footnotes', '[^'.repeat(100_000)],
    ['many brackets', '[a]('.repeat(50_000)],
    ['many formulas', '\\('.repeat(50_000)],
    ['many backticks', '`'.repeat(200_000)],
    ['many stars', '*'.repeat(200_000)],
    ['many blank lines', `a${'\n'.repeat(200_000)}b`],
  ])('is fast for %s', (_, text) => {
    // Processor time, best of three: other processes and the garbage of other tests do not count.
    const times = [1, 2, 3].map(() => {
      const start = process.cpuUsage();
      splitBlocks(text).map(healMarkdown);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(1_000);
  });
});

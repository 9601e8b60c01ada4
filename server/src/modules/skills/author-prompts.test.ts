import { expect, test } from 'vitest';
import { authorPrompts } from './author-prompts.ts';

const wanted = (json: unknown) =>
  authorPrompts(json)
    .filter(({ shouldTrigger }) => shouldTrigger)
    .map(({ prompt }) => prompt);

test('reads prompts in all common formats', () => {
  expect(wanted({ skill_name: 'x', evals: [{ id: 1, prompt: 'One' }] })).toEqual(['One']);
  expect(wanted([{ query: 'Two', should_trigger: true }])).toEqual(['Two']);
  expect(wanted({ cases: [{ input: 'Three', type: 'happy_path' }] })).toEqual(['Three']);
  expect(wanted({ skills: ['x'], query: 'Four', expected_behavior: [] })).toEqual(['Four']);
});

test('recognizes prompts that should not trigger the skill', () => {
  const file = [
    { prompt: 'a', should_trigger: false },
    { prompt: 'b', expected_activation: false },
    { prompt: 'c', type: 'false_positive' },
    { prompt: 'd', kind: 'negative' },
    { prompt: 'e', type: 'false_negative_guard' },
  ];
  expect(wanted(file)).toEqual(['e']);
  expect(authorPrompts(file)).toHaveLength(5);
});

test('returns no prompts for other content', () => {
  expect([null, 'text', [1], { evals: [{ prompt: '' }] }, undefined].flatMap(wanted)).toEqual([]);
});

import { expect, test } from 'vitest';
import { cpuTime } from '../../../testing/cpu-time.ts';
import { renderFullCatalogue } from '../../skills/catalogue.ts';
import { createHiding, withoutEntries } from './hide-skills.ts';

const hiding = createHiding(new Set(['b', 'r&d']));
const skill = (id: string) => ({ id, description: `Does ${id} <well>.` });

test('removes only the entries of hidden skills from a catalogue', () => {
  const shown = [skill('a'), skill('c')];
  const whole = [skill('a'), skill('b'), skill('c'), skill('r&d')];
  expect(withoutEntries(`Below:${renderFullCatalogue(whole)}.`, hiding)).toBe(
    `Below:${renderFullCatalogue(shown)}.`,
  );
  expect(withoutEntries(renderFullCatalogue(whole), createHiding(new Set()))).toBe(
    renderFullCatalogue(whole),
  );
});

test('handles text that resembles many catalogues in linear time', () => {
  const text = '\n  <skill>\n    <name>b</name>'.repeat(200_000);
  expect(cpuTime(() => expect(withoutEntries(text, hiding)).toBe(text))).toBeLessThan(500);
});

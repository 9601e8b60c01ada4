import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tables } from './tables.ts';

const names = Object.keys(tables.migrations);

test('each migration has a number of its own and names its module', () => {
  const numbers = names.map((name) => name.slice(0, 4));
  expect(new Set(numbers).size).toBe(names.length);
  for (const name of names) {
    const [, module = ''] = /^\d{4}-([a-z]+)(?:-[a-z-]+)?$/.exec(name) ?? [];
    const folder = module === 'platform' ? 'platform' : `modules/${module}`;
    expect([name, existsSync(new URL(folder, import.meta.url))]).toEqual([name, true]);
  }
});

test('tables of a backup come after their parents', () => {
  const order = tables.backup.map(({ name }) => String(name));
  for (const { name, parents } of tables.backup) {
    for (const parent of Object.values(parents)) {
      expect(order.indexOf(parent)).toBeLessThan(order.indexOf(name));
    }
  }
});

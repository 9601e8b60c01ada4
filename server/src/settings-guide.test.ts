import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mcpLimitsSchema } from '@knowhow/shared/config/mcp-config';
import { platformConfigSchema } from '@knowhow/shared/config/platform';
import {
  declarationOf,
  type FieldDeclaration,
  leafPaths,
} from '@knowhow/shared/config/schema-fields';
import { skillSettingsSchema } from '@knowhow/shared/skills/skills-config';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseEnvironment } from './env.ts';
import { projectDirectory } from './project.ts';

const guide = readFileSync(join(projectDirectory, 'docs/guides/contents.md'), 'utf8');
const { turnIdleMinutes, traceDays } = parseEnvironment({});
/** Settings whose default is a variable of the environment. */
const fromEnvironment: Record<string, unknown> = {
  'turns.idleMinutes': turnIdleMinutes,
  'traces.days': traceDays,
};

const tables = [
  { heading: '## `config/platform.json`', schema: platformConfigSchema, below: '' },
  { heading: '### Embedding model', schema: platformConfigSchema, below: 'embedder' },
  { heading: '## `config/skills.json`', schema: skillSettingsSchema, below: '' },
];

test.each(tables)('lists the settings below $heading with default and values', (table) => {
  const { heading, schema, below } = table;
  const rows = readTable(heading).flatMap(([names = '', ...cells]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => ({
      path: below === '' ? `${name}` : `${below}.${name}`,
      cells,
    })),
  );
  for (const { path, cells } of rows) {
    const declared = declarationOf(schema, path);
    const value = fromEnvironment[path] ?? declared.default;
    const hasDefault = value !== undefined && !(declared.schema instanceof z.ZodObject);
    const [writtenDefault = '', values] = cells;
    const [, code] = /^`([^`]*)`/.exec(writtenDefault) ?? [];
    expect({ path, default: code, values }).toEqual({
      path,
      default: hasDefault ? describeDefault(value) : undefined,
      values: describeValues(declared),
    });
  }
  const missing = leafPaths(schema, below).filter(
    (path) => !rows.some((row) => `${path}.`.startsWith(`${row.path}.`)),
  );
  expect(missing).toEqual([]);
});

test('lists the limits of an MCP server with their defaults', () => {
  const text = readFileSync(join(projectDirectory, 'docs/guides/mcp.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `limits\.(\w+)` \| `(\d+)` \|/gm)];
  const written = Object.fromEntries(rows.map(([, name, value]) => [name, Number(value)]));
  expect(written).toEqual(mcpLimitsSchema.parse({}));
});

/** The cells of the first table below a heading, without its head. */
function readTable(heading: string): string[][] {
  const [, text = ''] = guide.split(`\n${heading}\n`);
  const lines = text.slice(text.indexOf('|---')).split('\n').slice(1);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines
    .slice(0, end)
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| /, '')));
}

function describeDefault(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function describeValues({ schema, min, max }: FieldDeclaration): string {
  if (schema instanceof z.ZodBoolean) {
    return '`true`, `false`';
  }
  if (schema instanceof z.ZodNumber) {
    return max === undefined ? `from ${min}` : `${min} to ${max}`;
  }
  if (schema instanceof z.ZodEnum) {
    return schema.options.map((option) => `\`${option}\``).join(', ');
  }
  if (schema instanceof z.ZodArray) {
    return 'list';
  }
  return schema instanceof z.ZodObject || schema instanceof z.ZodRecord ? 'object' : 'text';
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupsConfigSchema } from '@knowhow/shared/access/groups';
import { promptConfigSchema } from '@knowhow/shared/chat/prompts';
import { appConfigSchema, writtenAppSchema } from '@knowhow/shared/config/app-config';
import { modelConfigSchema } from '@knowhow/shared/config/models';
import { platformConfigSchema } from '@knowhow/shared/config/platform';
import { skillsConfigSchema } from '@knowhow/shared/skills/skills-config';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { clearlyBest, rankByWords } from '../models/rank-by-words.ts';
import { startersOf } from './app-texts.ts';

const contents = fileURLToPath(new URL('../../../../contents/', import.meta.url));
const ids = {
  apps: idsIn('apps'),
  models: idsIn('models'),
  prompts: idsIn('prompts'),
  skills: readdirSync(join(contents, 'skills')),
};

describe.each([
  ['apps', writtenAppSchema.strict()],
  ['models', modelConfigSchema.strict()],
  ['prompts', promptConfigSchema.strict()],
] as const)('the default %s', (folder, schema) => {
  test.each(ids[folder])('%s follows the schema and has the ID of its file name', (id) => {
    const config = schema.parse(read(`${folder}/${id}.json`));
    expect(config.id).toBe(id);
  });

  test.each(ids[folder])('%s has every text in English and German', (id) => {
    expect(missingLanguages(read(`${folder}/${id}.json`), id)).toEqual([]);
  });
});

describe('the default configuration', () => {
  test.each([
    ['platform', platformConfigSchema.strict()],
    ['groups', groupsConfigSchema.strict()],
    ['skills', skillsConfigSchema.strict()],
  ] as const)('%s.json follows the schema', (name, schema) => {
    expect(schema.safeParse(read(`config/${name}.json`)).error).toBeUndefined();
  });

  test('references only existing groups', () => {
    const { groups } = groupsConfigSchema.parse(read('config/groups.json'));
    const platform = platformConfigSchema.parse(read('config/platform.json'));
    const named = [
      ...Object.values(groups).flatMap((group) => group.inherits ?? []),
      ...(platform.anonymousAuth?.defaultGroups ?? []),
      ...(platform.authenticatedGroups ?? []),
    ];
    expect(named.filter((id) => !(id in groups))).toEqual([]);
    expect(Object.entries(groups).filter(([id, group]) => id !== group.id)).toEqual([]);
  });

  test('has exactly one enabled model that works without a key', () => {
    const models = ids.models.map((id) => modelConfigSchema.parse(read(`models/${id}.json`)));
    const keyless = models.filter((model) => ['demo', 'local'].includes(model.provider));
    expect(keyless.filter((model) => model.enabled !== false).map((model) => model.id)).toEqual([
      'demo',
    ]);
  });
});

test.each(ids.apps)('the app %s references only existing skills and models', (id) => {
  const app = appConfigSchema.parse(read(`apps/${id}.json`));
  const models = [app.preferredModel ?? [], app.allowedModels ?? []].flat();
  expect(models.filter((model) => !ids.models.includes(model))).toEqual([]);
  const skills = (app.skills ?? []).filter((skill) => skill !== '*');
  expect(skills.filter((skill) => !ids.skills.includes(skill))).toEqual([]);
});

test.each(ids.apps)('each starter prompt of %s leads the demo model to a skill', (id) => {
  const app = appConfigSchema.parse(read(`apps/${id}.json`));
  const offered = ids.skills
    .filter((skill) => app.skills?.includes('*') || app.skills?.includes(skill))
    .map((skill) => frontmatterOf(skill));
  const messages = startersOf(app).flatMap(({ message }) => Object.values(message));
  expect(messages).toHaveLength(8);
  expect(messages.filter((text) => !clearlyBest(rankByWords(text, offered)))).toEqual([]);
});

test.each(ids.prompts)('the prompt %s uses each of its variables in every language', (id) => {
  const { prompt, variables } = promptConfigSchema.parse(read(`prompts/${id}.json`));
  const names = (variables ?? []).map((variable) => variable.name);
  for (const text of Object.values(prompt)) {
    const used = [...text.matchAll(/\[(\w+)\]/g)].map((match) => match[1]);
    expect(new Set(used)).toEqual(new Set(names));
  }
});

/** Fields and limits of the Agent Skills specification, without extensions. */
const frontmatterSchema = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  description: z.string().min(1).max(1024),
  license: z.string().optional(),
  compatibility: z.string().max(500).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  'allowed-tools': z.string().optional(),
});

describe.each(ids.skills)('the skill %s', (id) => {
  const { body } = skillParts(id);

  test('conforms to the specification', () => {
    const fields = frontmatterOf(id);
    expect(fields.name).toBe(id);
    expect(fields.description).toContain('Use when');
    expect(body.split('\n').length).toBeLessThan(500);
  });

  test('mentions each of its files and no others', () => {
    const mentioned = new Set(body.match(/\b(?:references|assets|scripts)\/[\w./-]*\w/g));
    const missing = [...mentioned].filter(
      (path) => !existsSync(join(contents, 'skills', id, path)),
    );
    expect(missing).toEqual([]);
    const files = readdirSync(join(contents, 'skills', id), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile() && entry.name !== 'SKILL.md')
      .map((entry) =>
        join(entry.parentPath, entry.name).slice(join(contents, 'skills', id).length + 1),
      );
    // Trigger tests are for authors, not for the model.
    const forModel = files.filter((path) => !path.startsWith('evals/'));
    expect(forModel.filter((path) => !mentioned.has(path))).toEqual([]);
  });
});

function frontmatterOf(id: string): z.infer<typeof frontmatterSchema> {
  return frontmatterSchema.parse(parse(skillParts(id).frontmatter));
}

function skillParts(id: string): { frontmatter: string; body: string } {
  const source = readFileSync(join(contents, 'skills', id, 'SKILL.md'), 'utf8');
  const [, frontmatter = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? [];
  return { frontmatter, body };
}

function idsIn(folder: string): string[] {
  return readdirSync(join(contents, folder)).map((file) => file.replace(/\.json$/, ''));
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(join(contents, path), 'utf8'));
}

/** Fields that users read. A model's `name` is a brand and may be one string. */
const texts = ['description', 'system', 'title', 'subtitle', 'message', 'prompt', 'label'];

/** Paths of texts that lack one of the two languages. */
function missingLanguages(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const fields = Object.entries(value);
  if ('en' in value || 'de' in value) {
    const filled = fields.filter(([, text]) => text !== '').map(([language]) => language);
    return ['en', 'de'].filter((language) => !filled.includes(language)).map((l) => `${path}.${l}`);
  }
  return fields.flatMap(([key, field]) =>
    texts.includes(key) && typeof field === 'string'
      ? [`${path}.${key}`]
      : missingLanguages(field, `${path}.${key}`),
  );
}

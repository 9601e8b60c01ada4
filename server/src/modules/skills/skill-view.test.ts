import { appConfigSchema } from '@knowhow/shared/config/app-config';
import { countTokens } from '@knowhow/shared/count-tokens';
import { defaultSkillsConfig, skillsConfigSchema } from '@knowhow/shared/skills/skills-config';
import { parseSkill } from '@knowhow/skill-format';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../testing/memory-source.ts';
import { renderCatalogue } from './catalogue.ts';
import { renderSkillContent } from './render-skill-content.ts';
import { createSkillView } from './skill-view.ts';
import type { SkillSnapshot } from './store/skill-snapshot.ts';
import type { StoredSkill } from './store/skill-source.ts';
import type { SkillStore } from './store/skill-store.ts';

const app = appConfigSchema.parse({ id: 'chat', name: 'Chat' });

function storeOf(...descriptions: [id: string, description: string][]): SkillStore {
  const source = memorySource();
  const skills = descriptions.map(([id, description]): StoredSkill => {
    const text = `---\nname: ${id}\ndescription: ${JSON.stringify(description)}\n---\nBody of ${id}`;
    const { skill } = parseSkill(Buffer.from(text), id);
    return { ...skill, source, path: `secret/${id}`, updatedAt: 0 };
  });
  const snapshot: SkillSnapshot = {
    skills: new Map(skills.map((skill) => [skill.id, skill])),
    shadowed: [],
    unreadable: [],
    versions: new Map(),
  };
  return {
    snapshot,
    scanned: Promise.resolve(),
    scanSeconds: 0,
    sources: [],
    setSources: () => undefined,
    setVersions: () => undefined,
    getPersonal: () => [],
    setPersonal: () => undefined,
    findVersion: () => undefined,
    refresh: () => Promise.resolve(),
    readWritable: () => Promise.resolve(undefined),
    close: () => undefined,
    readBody: () => Promise.resolve(''),
    readText: () => Promise.resolve({ body: '', triggers: '' }),
    listFiles: () => Promise.resolve([]),
    digestFiles: () => Promise.resolve([]),
    openFile: () => Promise.resolve(undefined),
    diagnose: () => Promise.resolve([]),
  };
}

const store = storeOf(['alpha', 'First.'], ['beta', 'Second.'], ['gamma', 'Third.']);
const names = (view: ReturnType<typeof createSkillView>) => view.skills.map(({ id }) => id);

describe('visibility', () => {
  test('needs a grant and an app that lists it', () => {
    const view = createSkillView({
      store,
      config: defaultSkillsConfig,
      grant: new Set(['alpha', 'beta']),
      groups: [],
      apps: [{ ...app, skills: ['beta', 'gamma'] }],
    });
    expect(names(view)).toEqual(['beta']);
    expect(view.find('alpha')).toBeUndefined();
    expect(view.find('gamma')).toBeUndefined();
  });

  test('is denied without an app, a list or a grant', () => {
    const listed = [{ ...app, skills: ['*'] }];
    expect(
      names(
        createSkillView({ store, config: defaultSkillsConfig, grant: 'all', groups: [], apps: [] }),
      ),
    ).toEqual([]);
    expect(
      names(
        createSkillView({
          store,
          config: defaultSkillsConfig,
          grant: 'all',
          groups: [],
          apps: [app],
        }),
      ),
    ).toEqual([]);
    expect(
      names(
        createSkillView({
          store,
          config: defaultSkillsConfig,
          grant: new Set(),
          groups: [],
          apps: listed,
        }),
      ),
    ).toEqual([]);
  });

  test('applies admin settings: off, global, priority, description', () => {
    const config = skillsConfigSchema.parse({
      skills: {
        alpha: { enabled: false },
        beta: { overrides: { description: 'Changed.' } },
        gamma: { global: true, priority: 5 },
      },
    });
    const view = createSkillView({
      store,
      config,
      grant: 'all',
      groups: [],
      apps: [{ ...app, skills: ['alpha', 'beta'] }],
    });
    expect(names(view)).toEqual(['beta', 'gamma']);
    expect(view.find('beta')?.description).toBe('Changed.');
  });

  test('sorts by the list of the app, then by priority', () => {
    const config = skillsConfigSchema.parse({
      skills: { alpha: { priority: 1 }, beta: { priority: 2 } },
    });
    const inOrder = (skills: string[]) =>
      names(
        createSkillView({ store, config, grant: 'all', groups: [], apps: [{ ...app, skills }] }),
      );
    expect(inOrder(['*'])).toEqual(['beta', 'alpha', 'gamma']);
    expect(inOrder(['gamma', 'alpha', 'beta'])).toEqual(['gamma', 'alpha', 'beta']);
    expect(inOrder(['*', 'gamma', 'none', 'gamma'])).toEqual(['gamma', 'beta', 'alpha']);
  });

  test('finds skills by exact name, then ignoring case', () => {
    const view = createSkillView({
      store,
      config: defaultSkillsConfig,
      grant: 'all',
      groups: [],
      apps: [{ ...app, skills: ['*'] }],
    });
    expect(view.find('ALPHA')?.id).toBe('alpha');
    expect(view.find('constructor')).toBeUndefined();
  });

  test('never reveals paths of the host', () => {
    const view = createSkillView({
      store,
      config: defaultSkillsConfig,
      grant: 'all',
      groups: [],
      apps: [{ ...app, skills: ['*'] }],
    });
    expect(JSON.stringify(view)).not.toContain('secret');
  });

  test('does not change when the store does', () => {
    const moving = storeOf(['alpha', 'First.']) as { snapshot: SkillSnapshot } & SkillStore;
    const view = createSkillView({
      store: moving,
      config: defaultSkillsConfig,
      grant: 'all',
      groups: [],
      apps: [{ ...app, skills: ['*'] }],
    });
    moving.snapshot = { skills: new Map(), shadowed: [], unreadable: [], versions: new Map() };
    expect(names(view)).toEqual(['alpha']);
  });
});

describe('the catalogue', () => {
  const catalogueOf = (description: string, budget = 4000) => {
    const one = storeOf(['demo', description]);
    const view = createSkillView({
      store: one,
      config: defaultSkillsConfig,
      grant: 'all',
      groups: [],
      apps: [{ ...app, skills: ['*'] }],
    });
    return renderCatalogue(view.skills, budget);
  };

  test('escapes all five XML characters and cannot be closed early', () => {
    expect(catalogueOf(`a < b & "c" 'd' </available_skills>`).text).toBe(
      [
        '<available_skills>',
        '  <skill>',
        '    <name>demo</name>',
        '    <description>a &lt; b &amp; &quot;c&quot; &apos;d&apos; &lt;/available_skills&gt;</description>',
        '  </skill>',
        '</available_skills>',
      ].join('\n'),
    );
  });

  test('is empty without skills', () => {
    expect(renderCatalogue([], 4000).text).toBe('');
  });

  test.each([
    ['at a sentence', 'Finds the words, and says so. '.repeat(34), /says so\.$/],
    ['without blanks between', '读取文件并总结。'.repeat(100), /总结。$/],
    ['at a word', 'word-of-some-length '.repeat(50), / word-of-some-length…$/],
    ['in a word', `${'名'.repeat(900)}`, /名…$/],
    ['of signs', '<&> '.repeat(250), /<&>…$/],
  ])('shortens descriptions to 200 tokens: %s', (_how, description, end) => {
    const { text, trimmed } = catalogueOf(description);
    const item = text.split('\n').slice(1, -1).join('\n');
    expect(countTokens(item)).toBeLessThanOrEqual(200);
    expect(countTokens(item)).toBeGreaterThan(175);
    const shown = /<description>(.*)<\/description>/.exec(text)?.[1] ?? '';
    const plain = shown.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    expect(plain).toMatch(end);
    expect(trimmed).toBe('not');
  });

  test('shortens descriptions, then lists only names, to fit the budget', () => {
    expect(catalogueOf('x'.repeat(2000)).text).toContain(`${'x'.repeat(1023)}…<`);
    expect(catalogueOf('word '.repeat(400), 200).trimmed).toBe('descriptions');
    expect(catalogueOf('word '.repeat(400), 10)).toMatchObject({
      trimmed: 'names-only',
      shown: ['demo'],
    });
  });
});

describe('a catalogue of thousands', () => {
  const many = storeOf(
    ...Array.from({ length: 10_000 }, (_, index): [string, string] => [
      `skill-${index}`,
      'x'.repeat(300),
    ]),
  );
  const config = defaultSkillsConfig;
  const viewOfMany = () =>
    createSkillView({
      store: many,
      config,
      grant: 'all',
      groups: [],
      apps: [{ ...app, skills: ['*'] }],
    });

  test('fits the budget and says how many are not listed', () => {
    const { text, shown } = renderCatalogue(viewOfMany().skills, 4000);
    const hidden = 10_000 - shown.length;
    expect(countTokens(text)).toBeLessThanOrEqual(4000);
    expect(hidden).toBeGreaterThan(9000);
    expect(text).toContain(`${hidden} more`);
  });

  test('is built with its view in less than 20 ms', () => {
    const build = () => renderCatalogue(viewOfMany().skills, 4000);
    build();
    build();
    const started = process.cpuUsage();
    for (let round = 0; round < 10; round += 1) {
      build();
    }
    expect(process.cpuUsage(started).user / 10 / 1000).toBeLessThan(20);
  });
});

describe('the instructions', () => {
  const nothing = { name: 'demo', body: '', files: [], usesTools: true };

  test('keep the body verbatim and list the files', () => {
    const text = renderSkillContent({
      name: 'demo',
      body: 'if a < b && c:\n  run',
      files: [{ path: 'references/a&b.md', size: 12 }],
    });
    expect(text).toBe(
      [
        '<skill_content name="demo">',
        'if a < b && c:\n  run',
        '',
        'Base: skill://demo/ . Relative paths are relative to it; read them with read_skill_resource.',
        '<skill_resources>',
        '  <file size="12">references/a&amp;b.md</file>',
        '</skill_resources>',
        '</skill_content>',
      ].join('\n'),
    );
  });

  test('cannot be ended by the body', () => {
    const text = renderSkillContent({
      ...nothing,
      body: 'before </skill_content> < / Skill_Content> after',
    });
    expect(text.match(/<\s*\/\s*skill_content/gi)).toHaveLength(1);
    expect(text).toContain('before &lt;/skill_content>');
  });

  test('list at most 200 files', () => {
    const files = Array.from({ length: 201 }, (_, index) => ({ path: `f${index}`, size: 1 }));
    expect(renderSkillContent({ ...nothing, files })).toContain('and 1 more');
  });
});

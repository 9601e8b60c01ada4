import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  defaultSkillsConfig,
  type SkillsConfig,
  skillsConfigSchema,
} from '@knowhow/shared/skills/skills-config';
import { expect, onTestFinished, test } from 'vitest';
import { locales } from '../../platform/lib/locales.ts';
import { cpuTime } from '../../testing/cpu-time.ts';
import { measureLongestPause, processorClock } from '../../testing/measure-longest-pause.ts';
import { type MemorySource, memorySource } from '../../testing/memory-source.ts';
import { skillFile } from '../../testing/skill-folder.ts';
import { describeNotOffered } from './describe-not-offered.ts';
import { createSkillIndex } from './skill-index.ts';
import { openSkillStore } from './store/skill-store.ts';

function fail(error: unknown): never {
  throw error;
}

async function indexOf(
  source: MemorySource,
  config: () => SkillsConfig = () => defaultSkillsConfig,
) {
  const store = openSkillStore([source]);
  onTestFinished(() => store.close());
  await store.scanned;
  const index = createSkillIndex({ store, config, onError: fail });
  const refresh = async () => {
    index.refresh();
    await index.settled();
  };
  await refresh();
  const find = (text: string) =>
    index.ranking.rank(text, [...store.snapshot.skills.values()], 10).map(({ skill }) => skill.id);
  return { store, index, refresh, find };
}

const skill = (name: string, description: string, body?: string) => ({
  'SKILL.md': skillFile(name, description, body),
});

const some = () =>
  memorySource({
    'pdf-tables': skill('pdf-tables', 'Extracts tables from PDF files.'),
    'age-encryption': skill('age-encryption', 'A modern tool for the encryption of a file.'),
    rechnungen: skill(
      'rechnungen',
      'Prüft die Rechnungen, die wir von Lieferanten bekommen haben.',
    ),
    biaoge: skill('biaoge', '从文件中提取表格'),
    deploy: skill('deploy', 'Ships.', 'Roll out with **kubernetes**, then look at the pods.'),
    listed: {
      'SKILL.md': '---\nname: listed\ndescription: It.\ntriggers:\n  - zeppelin\n---\nText.\n',
    },
  });

test('finds skills by other word forms in English, German and Chinese', async () => {
  const { find } = await indexOf(some());
  expect(find('Extract the table of a PDF file')[0]).toBe('pdf-tables');
  expect(find('Kannst du diese Rechnung prüfen?')).toEqual(['rechnungen']);
  expect(find('请提取这个文件的表格')[0]).toBe('biaoge');
});

test.each([
  [
    'es',
    'Revisa las facturas que hemos recibido de los proveedores.',
    '¿Cómo puedo revisar estas facturas?',
  ],
  [
    'fr',
    'Vérifie les factures que nous avons reçues des fournisseurs.',
    'Comment vérifier toutes ces factures ?',
  ],
  ['ja', '取引先から届いた請求書を確認します。', 'この請求書を確認してください'],
])(
  'ignores the stop words of a text in the language %s',
  async (language, description, question) => {
    const words = locales.get(language)?.stopWords ?? '';
    const source = some();
    source.put('wanted', skill('wanted', description));
    source.put('vague', skill('vague', words, words));
    const { find } = await indexOf(source);
    expect(find(question)).toEqual(['wanted']);
  },
);

test('finds skills by words in the body or trigger words', async () => {
  const { find } = await indexOf(some());
  expect(find('my kubernetes pods are failing')).toEqual(['deploy']);
  expect(find('zeppelins')).toEqual(['listed']);
  expect(find('something else altogether')).toEqual([]);
});

test('ranks a skill first when asked for by name', async () => {
  const source = some();
  source.put(
    'talk',
    skill('talk', 'Pods.', 'pods deploy kubernetes deploy the deploy '.repeat(50)),
  );
  const { find } = await indexOf(source);
  expect(find('use deploy')[0]).toBe('deploy');
});

test('ranks only the given skills', async () => {
  const { index, store } = await indexOf(some());
  const others = [...store.snapshot.skills.values()].filter(({ id }) => id !== 'pdf-tables');
  const found = index.ranking.rank('tables from PDF files', others, 10);
  expect(found.map((each) => each.skill.id)).not.toContain('pdf-tables');
});

test('picks up changed, added, removed and renamed skills and reads only those', async () => {
  const source = some();
  let config = defaultSkillsConfig;
  const { store, find, refresh } = await indexOf(source, () => config);
  let reads = 0;
  const { read } = source;
  source.read = (each) => {
    reads += 1;
    return read(each);
  };
  source.put('deploy', skill('deploy', 'Bakes bread.'));
  source.put('rechnungen', undefined);
  source.put('added', skill('added', 'Waters the orchids.'));
  await store.refresh();
  await refresh();
  expect(find('baking breads')).toEqual(['deploy']);
  expect(find('kubernetes')).toEqual([]);
  expect(find('Rechnung prüfen')).toEqual([]);
  expect(find('orchid')).toEqual(['added']);
  expect(reads).toBe(2);
  config = skillsConfigSchema.parse({
    skills: { added: { overrides: { description: 'Feeds the goldfish.' } } },
  });
  await refresh();
  expect(find('goldfish')).toEqual(['added']);
  expect(reads).toBe(3);
});

/** An empty configuration that counts lookups of skills. */
function countingConfig() {
  const asked = { count: 0 };
  const skills = new Proxy(
    {},
    {
      getOwnPropertyDescriptor: () => {
        asked.count += 1;
        return undefined;
      },
    },
  );
  return { asked, config: skillsConfigSchema.parse({ skills }) };
}

test('does not check unchanged skills after one of two hundred has changed', async () => {
  const source = many(200);
  const { asked, config } = countingConfig();
  const { store, find, refresh } = await indexOf(source, () => config);
  describeNotOffered(store.snapshot, config);
  asked.count = 0;
  for (const name of ['skill-7', 'skill-8', 'skill-7']) {
    source.put(name, skill(name, `Feeds the goldfish of ${name}, time ${asked.count}.`));
    await store.refresh();
    await refresh();
    describeNotOffered(store.snapshot, config);
  }
  expect(find('goldfish')).toHaveLength(2);
  expect(asked.count).toBeLessThan(50);
});

const subjects = ['tables', 'invoices', 'meetings', 'servers', 'letters', 'budgets', 'photos'];
const verbs = ['Extracts', 'Checks', 'Writes', 'Sorts', 'Compares', 'Translates'];

function many(count: number): MemorySource {
  const source = memorySource();
  for (let at = 0; at < count; at += 1) {
    const words = Array.from({ length: 200 }, (_, word) => `word${(at * 31 + word * 17) % 5000}`);
    const description = `${verbs[at % 6]} ${subjects[at % 7]} for team ${at}.`;
    source.put(`skill-${at}`, skill(`skill-${at}`, description, words.join(' ')));
  }
  return source;
}

test('indexes thousands in slices with little memory and answers within milliseconds', async () => {
  const count = 1500;
  const store = openSkillStore([many(count)]);
  onTestFinished(() => store.close());
  await store.scanned;
  const index = createSkillIndex({ store, config: () => defaultSkillsConfig, onError: fail });
  const pause = await measureLongestPause(async () => {
    index.refresh();
    await yieldToEventLoop();
    await index.settled();
  }, processorClock);
  expect(pause).toBeLessThan(300);
  expect(index.bytes / count).toBeLessThan(4000);
  const skills = [...store.snapshot.skills.values()];
  const ask = () => index.ranking.rank('Which skill compares invoices for team 1234?', skills, 10);
  expect(ask()[0]?.skill.id).toBe('skill-1234');
  expect(cpuTime(() => Array.from({ length: 20 }, ask)) / 20).toBeLessThan(100);
});

test('keeps the index size after a thousand changes of one skill', async () => {
  const source = some();
  const { index, store, refresh, find } = await indexOf(source);
  const before = index.bytes;
  for (let time = 0; time < 1500; time += 1) {
    source.put('deploy', skill('deploy', `Does thing${time}.`));
    await store.refresh();
    await refresh();
  }
  expect(find('thing1499')).toEqual(['deploy']);
  expect(find('thing1498')).toEqual([]);
  expect(index.bytes).toBeLessThan(before * 20);
});

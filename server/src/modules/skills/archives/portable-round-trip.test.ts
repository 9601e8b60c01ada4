import { parseSkill } from '@knowhow/skill-format';
import { expect, test } from 'vitest';
import { skillFile } from '../../../testing/skill-folder.ts';
import { portableSkill } from './portable-skill.ts';
import { unpackArchive } from './unpack-archive.ts';

const read = async (document: unknown) => {
  const { skills } = await unpackArchive(Buffer.from(JSON.stringify(document)), {});
  const [skill] = skills;
  return Buffer.from(skill?.files.find(({ path }) => path === 'SKILL.md')?.bytes ?? []).toString();
};
const packed = (text: string) => [
  { path: 'SKILL.md', bytes: Buffer.from(text), executable: false },
];

const given = {
  name: 'PDF Forms',
  slug: 'pdf-forms',
  description: 'Fills in forms.',
  category: 'ops',
  tags: ['pdf', 'forms'],
  version: '1.0',
  requiresTools: ['every__echo'],
};
const all = {
  'display-name': 'PDF Forms',
  category: 'ops',
  tags: 'pdf, forms',
  version: '1.0',
  'requires-tools': 'every__echo',
  author: 'Ann',
};
const head = 'name: pdf-forms\ndescription: It.';

test.each<[string, string, Record<string, string>]>([
  ['no frontmatter', 'Do it.\n', {}],
  ['no metadata', `---\n${head}\n---\n\nDo it.\n`, {}],
  ['a block', `---\n${head}\nmetadata:\n  team: a\n---\n\nDo it.\n`, { team: 'a' }],
  ['a block with another indent', `---\nmetadata:\n    team: a\n${head}\n---\nDo\n`, { team: 'a' }],
  [
    'a block after a comment',
    `---\n${head}\nmetadata: # ours\n  team: a\n---\nDo\n`,
    { team: 'a' },
  ],
  [
    'a block with a comment in it',
    `---\n${head}\nmetadata:\n  # ours\n  team: a\n---\nDo\n`,
    { team: 'a' },
  ],
  ['braces', `---\n${head}\nmetadata: { team: a }\n---\n\nDo it.\n`, { team: 'a' }],
  ['empty braces', `---\n${head}\nmetadata: {}\n---\n\nDo it.\n`, {}],
  ['nothing in it', `---\n${head}\nmetadata:\n---\n\nDo it.\n`, {}],
])('puts the fields of a portable skill into metadata with %s', async (_, content, own) => {
  const document = { formatVersion: 2, skill: { ...given, content }, metadata: { author: 'Ann' } };
  const text = await read(document);
  const { skill } = parseSkill(Buffer.from(text), 'pdf-forms');
  expect(skill.metadata).toEqual({ ...own, ...all });
  expect(text).not.toMatch(/^(?:tags|version|requires-tools|category|author):/m);
  expect(skill).toMatchObject({ displayName: 'PDF Forms', valid: true });
  const again = portableSkill('pdf-forms', packed(text));
  expect(again.skill).toMatchObject({ ...given, description: skill.description });
  expect(again.metadata.author).toBe('Ann');
  expect(await read(again)).toBe(text);
});

test.each([
  skillFile('pdf-forms', 'Fills in forms.'),
  '---\nname: PDF Forms\ndescription: It.\n---\nDo\n',
  '---\nname: "  PDF   Forms  "\ndescription: It.\n---\nDo\n',
  `---\nname: ${'long '.repeat(60)}\ndescription: It.\n---\nDo\n`,
  '---\nname: pdf\ndescription: It.\nauthor: Ann\nmetadata: text\n---\nDo\n',
  '---\ndescription: No name.\nmetadata:\n  display-name: Human\n---\nDo\n',
  'No frontmatter at all.\n',
])('reads a skill back as it was exported: %j', async (text) => {
  expect(await read(portableSkill('pdf', packed(text)))).toBe(text);
});

test('exports the name that an administrator gave a skill', async () => {
  const text = skillFile('pdf-forms', 'Fills in forms.');
  const document = portableSkill('pdf-forms', packed(text), 'Formulare');
  expect(document.skill.name).toBe('Formulare');
  expect(parseSkill(Buffer.from(await read(document)), 'pdf-forms').skill.displayName).toBe(
    'Formulare',
  );
});

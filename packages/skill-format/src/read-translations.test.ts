import { expect, test } from 'vitest';
import { editFields } from './edit-fields.ts';
import { parseSkill } from './parse-skill.ts';

function write(...metadata: string[]): Buffer {
  const lines = metadata.map((line) => `  ${line}\n`).join('');
  return Buffer.from(
    `---\nname: tea\ndescription: Brews tea.\nmetadata:\n${lines}---\n\nWarm the pot.\n`,
  );
}

function read(...metadata: string[]) {
  const { skill } = parseSkill(write(...metadata), 'tea');
  return {
    ...skill,
    found: skill.diagnostics.map(({ code, message, line }) => ({ code, message, line })),
  };
}

test('metadata holds a title and a description for each language', () => {
  const { displayName, description, translations, diagnostics, valid } = read(
    'title: Tea',
    'title.de: Tee kochen',
    'description.de: Kocht Tee.',
    'description.PT-br: Prepara chá.',
    'author: Ada',
  );
  expect({ displayName, description, diagnostics, valid }).toEqual({
    displayName: 'Tea',
    description: 'Brews tea.',
    diagnostics: [],
    valid: true,
  });
  expect(translations).toEqual({
    title: { de: 'Tee kochen' },
    description: { de: 'Kocht Tee.', 'pt-BR': 'Prepara chá.' },
  });
});

test.each([
  ['an invalid tag', 'title.de_DE: Tee', 'translation-tag-invalid', '"title.de_DE" does not'],
  ['an empty tag', 'title.: Tee', 'translation-tag-invalid', '"title." does not'],
  ['a forbidden name', 'title.__proto__: Tee', 'translation-tag-invalid', '__proto__'],
  ['a very long tag', `title.de-${'x'.repeat(90)}: Tee`, 'translation-tag-invalid', '…'],
  ['a long title', `title.de: ${'x'.repeat(201)}`, 'translation-too-long', 'more than 200'],
  ['a long description', `description.de: ${'x'.repeat(1025)}`, 'translation-too-long', '1024'],
  ['hidden characters', 'title.de: "Tee\\u202E"', 'hidden-characters', 'invisible'],
])('%s of a translation is a warning with its line', (_, entry, code, message) => {
  const { found, diagnostics, valid, enabledByDefault } = read(entry);
  expect(found).toEqual([{ code, message: expect.stringContaining(message), line: 4 }]);
  expect(diagnostics[0]).toMatchObject({ severity: 'warning', fix: expect.any(String) });
  expect({ valid, enabledByDefault }).toEqual({ valid: true, enabledByDefault: true });
});

test('of two tags that differ in case, the first counts', () => {
  const { found, translations } = read('title.de: Eins', 'title.DE: Zwei');
  expect(translations?.title).toEqual({ de: 'Eins' });
  expect(found).toMatchObject([{ code: 'translation-twice' }]);
});

test('of more than 20 languages, the first 20 count', () => {
  const tags = Array.from({ length: 26 }, (_, at) => `a${String.fromCharCode(97 + at)}`);
  const { found, translations } = read(...tags.map((tag) => `title.${tag}: T`));
  expect(Object.keys(translations?.title ?? {})).toHaveLength(20);
  expect(found).toMatchObject([{ code: 'translations-too-many' }]);
});

test('long texts are shortened', () => {
  const { translations } = read(`title.de: ${'ö'.repeat(300)}`);
  expect(translations?.title.de).toBe(`${'ö'.repeat(199)}…`);
});

test('editing translations keeps all other entries, comments and the body', () => {
  const before = write(
    'author: Ada # her',
    'title.DE: "Alt"',
    'title.fr: Thé',
    'title.ja: 茶',
    'title.x_y: Odd',
    'description.de: Kocht.',
  );
  const edited = editFields(before, {
    translations: { title: { de: 'Neu', ja: 'お茶' }, description: { de: 'Kocht Tee.\nGut.' } },
  });
  expect(edited).toContain('  author: Ada # her\n');
  expect(edited).toContain('title.x_y: Odd\n');
  expect(edited).not.toContain('fr');
  const { skill, body } = parseSkill(Buffer.from(edited ?? ''), 'tea');
  expect(skill.translations).toEqual({
    title: { de: 'Neu', ja: 'お茶' },
    description: { de: 'Kocht Tee.\nGut.' },
  });
  expect(body).toContain('Warm the pot.');
});

test('removing all translations removes an empty metadata', () => {
  const translations = { title: {}, description: {} };
  expect(editFields(write('title.de: Tee'), { translations })).toBe(
    '---\nname: tea\ndescription: Brews tea.\n---\n\nWarm the pot.\n',
  );
});

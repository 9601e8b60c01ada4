import { describe, expect, it } from 'vitest';
import { extractSkills, replaceSlashInput, slashInput } from './slash.ts';

const known = ['meeting-notes', 'release-notes'];
const find = async (typed: string) => known.find((name) => name === typed.toLowerCase());

describe('slashInput', () => {
  it.each([
    ['/', { before: '', query: '' }],
    ['/meet', { before: '', query: 'meet' }],
    ['/meeting-notes /rel', { before: '/meeting-notes ', query: 'rel' }],
    ['/release notes', { before: '', query: 'release notes' }],
  ])('recognises a name at the beginning of %j', (text, input) => {
    expect(slashInput(text)).toEqual({ ...input, after: '', isInText: false });
  });

  it.each([
    ['Sort these with /meet', 'Sort these with ', 'meet'],
    ['Sort these.\n/', 'Sort these.\n', ''],
    ['/meeting-notes this /rel', '/meeting-notes this ', 'rel'],
    [' /rel', ' ', 'rel'],
  ])('recognises one in the middle of %j', (text, before, query) => {
    expect(slashInput(text)).toMatchObject({ before, query, after: '' });
  });

  it('uses the word at the caret, and keeps what follows', () => {
    const text = 'With /meeting-notes, please';
    expect(slashInput(text, 'With /meet'.length)).toEqual({
      ...{ before: 'With ', query: 'meet', after: ', please', isInText: true },
    });
    expect(slashInput(text, 3)).toBeUndefined();
  });

  it.each([
    ...['', 'and/or', '/ text', 'either / or', '/a\nb', `/${'a '.repeat(50)}`],
    ...['/etc/hosts', 'see /etc/hosts', 'see /etc/', 'https://a.example', 'see //host', '3/4'],
  ])('recognises none in %j', (text) => {
    expect(slashInput(text)).toBeUndefined();
  });

  it('recognises none in a path, wherever the caret is', () => {
    expect(slashInput('see /etc/hosts', 'see /etc'.length)).toBeUndefined();
  });
});

describe('inPlaceOf', () => {
  it('leaves a single space in place of a skill, and keeps spaces around a prompt', () => {
    const slash = { before: 'With ', after: ' sort these' };
    expect(replaceSlashInput(slash, '')).toEqual({ text: 'With sort these', caret: 5 });
    expect(replaceSlashInput(slash, 'care')).toEqual({ text: 'With care sort these', caret: 9 });
    expect(replaceSlashInput({ before: 'With ', after: '' }, '')).toEqual({
      text: 'With ',
      caret: 5,
    });
  });
});

describe('takeSkills', () => {
  it.each([
    ['use /meeting-notes.', ['meeting-notes'], 'use /meeting-notes.'],
    ['/meeting-notes: sort these', ['meeting-notes'], 'sort these'],
    ['/meeting-notes。', ['meeting-notes'], ''],
    ['With /meeting-notes, or /release-notes?', known, 'With /meeting-notes, or /release-notes?'],
    [
      '/release-notes and /meeting-notes!',
      ['release-notes', 'meeting-notes'],
      'and /meeting-notes!',
    ],
    ['see /etc/meeting-notes and /none.', [], 'see /etc/meeting-notes and /none.'],
  ])('ends a name at the punctuation after it: %s', async (text, skills, message) => {
    expect(await extractSkills(text, find)).toEqual({ skills, message, unknown: undefined });
  });

  it('sends a text unchanged if its names cannot be looked up', async () => {
    const failing = () => Promise.reject(new Error('away'));
    const text = 'either /a or /b';
    expect(await extractSkills(text, failing)).toEqual({
      skills: [],
      message: text,
      unknown: undefined,
    });
  });

  it('extracts a skill from the beginning', async () => {
    expect(await extractSkills('/meeting-notes sort these', find)).toEqual({
      skills: ['meeting-notes'],
      message: 'sort these',
      unknown: undefined,
    });
  });

  it('extracts several skills, each once, and keeps the other line breaks', async () => {
    expect(await extractSkills('/meeting-notes /Release-Notes /meeting-notes\na\nb', find)).toEqual(
      {
        skills: ['meeting-notes', 'release-notes'],
        message: 'a\nb',
        unknown: undefined,
      },
    );
  });

  it('keeps unknown names in the message, and reports them unless they are paths', async () => {
    expect(await extractSkills('/meeting-notes /usr/bin is full', find)).toEqual({
      skills: ['meeting-notes'],
      message: '/usr/bin is full',
      unknown: undefined,
    });
    expect(await extractSkills('/unknown text', find)).toEqual({
      skills: [],
      message: '/unknown text',
      unknown: 'unknown',
    });
  });

  it('returns an empty message for a name alone', async () => {
    expect(await extractSkills('/meeting-notes', find)).toEqual({
      skills: ['meeting-notes'],
      message: '',
      unknown: undefined,
    });
  });
});

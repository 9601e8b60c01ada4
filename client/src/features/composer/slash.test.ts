import { describe, expect, it } from 'vitest';
import { slashInput, takeSkills } from './slash.ts';

const known = ['meeting-notes', 'release-notes'];
const find = async (typed: string) => known.find((name) => name === typed.toLowerCase());

describe('slashInput', () => {
  it.each([
    ['/', { before: '', query: '' }],
    ['/meet', { before: '', query: 'meet' }],
    ['/meeting-notes /rel', { before: '/meeting-notes ', query: 'rel' }],
    ['/release notes', { before: '', query: 'release notes' }],
  ])('sees a name being typed in %j', (text, input) => {
    expect(slashInput(text)).toEqual(input);
  });

  it.each(['', 'and/or', '/ text', ' /', 'a /b', '/a b /c', '/a\nb', `/${'a '.repeat(50)}`])(
    'sees none in %j',
    (text) => {
      expect(slashInput(text)).toBeUndefined();
    },
  );
});

describe('takeSkills', () => {
  it('takes a skill off the beginning', async () => {
    expect(await takeSkills('/meeting-notes sort these', find)).toEqual({
      skills: ['meeting-notes'],
      message: 'sort these',
      unknown: undefined,
    });
  });

  it('takes several, each once, and keeps the line breaks of the rest', async () => {
    expect(await takeSkills('/meeting-notes /Release-Notes /meeting-notes\na\nb', find)).toEqual({
      skills: ['meeting-notes', 'release-notes'],
      message: 'a\nb',
      unknown: undefined,
    });
  });

  it('leaves what is not a skill in the message, and names it unless it is a path', async () => {
    expect(await takeSkills('/meeting-notes /usr/bin is full', find)).toEqual({
      skills: ['meeting-notes'],
      message: '/usr/bin is full',
      unknown: undefined,
    });
    expect(await takeSkills('/unknown text', find)).toEqual({
      skills: [],
      message: '/unknown text',
      unknown: 'unknown',
    });
    expect(await takeSkills('see /meeting-notes', find)).toEqual({
      skills: [],
      message: 'see /meeting-notes',
      unknown: undefined,
    });
  });

  it('gives an empty message for a name alone', async () => {
    expect(await takeSkills('/meeting-notes', find)).toEqual({
      skills: ['meeting-notes'],
      message: '',
      unknown: undefined,
    });
  });
});

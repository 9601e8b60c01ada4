import { describe, expect, it } from 'vitest';
import { slashInput, takeSkills } from './slash.ts';

const known = ['meeting-notes', 'release-notes'];
const find = (typed: string) => known.find((name) => name === typed.toLowerCase());

describe('slashInput', () => {
  it.each([
    ['/', { before: '', query: '' }],
    ['/meet', { before: '', query: 'meet' }],
    ['/meeting-notes /rel', { before: '/meeting-notes ', query: 'rel' }],
  ])('sees a name being typed in %j', (text, input) => {
    expect(slashInput(text)).toEqual(input);
  });

  it.each(['', 'and/or', '/name text', ' /', 'a /b', '/a b /c'])('sees none in %j', (text) => {
    expect(slashInput(text)).toBeUndefined();
  });
});

describe('takeSkills', () => {
  it('takes a skill off the beginning', () => {
    expect(takeSkills('/meeting-notes sort these', find)).toEqual({
      skills: ['meeting-notes'],
      message: 'sort these',
    });
  });

  it('takes several, each once, and keeps the line breaks of the rest', () => {
    expect(takeSkills('/meeting-notes /Release-Notes /meeting-notes\na\nb', find)).toEqual({
      skills: ['meeting-notes', 'release-notes'],
      message: 'a\nb',
    });
  });

  it('leaves what is not a skill in the message', () => {
    expect(takeSkills('/meeting-notes /usr/bin is full', find)).toEqual({
      skills: ['meeting-notes'],
      message: '/usr/bin is full',
    });
    expect(takeSkills('/unknown text', find)).toEqual({ skills: [], message: '/unknown text' });
    expect(takeSkills('see /meeting-notes', find)).toEqual({
      skills: [],
      message: 'see /meeting-notes',
    });
  });

  it('gives an empty message for a name alone', () => {
    expect(takeSkills('/meeting-notes', find)).toEqual({ skills: ['meeting-notes'], message: '' });
  });
});

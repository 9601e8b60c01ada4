import { describe, expect, it } from 'vitest';
import { descriptionAdvice } from './description-advice.ts';

const advice = (text: string) =>
  descriptionAdvice(text).map((key) => key.replace('newSkill.advice.', ''));

describe('advice on a description', () => {
  it('is none for one that says what it does and when to use it', () => {
    expect(
      advice('Turns notes of meetings into minutes. Use when someone pastes notes of a call.'),
    ).toEqual([]);
    expect(
      advice('Macht aus Notizen ein Protokoll. Verwenden, wenn jemand Notizen einer Sitzung hat.'),
    ).toEqual([]);
  });

  it('does not take a country for a person', () => {
    expect(
      advice('Explains US tax law with its exceptions. Use when someone asks for a tax return.'),
    ).toEqual([]);
  });

  it('is none while there is nothing to advise on', () => {
    expect(advice('  ')).toEqual([]);
  });

  it('asks for when to use it', () => {
    expect(
      advice('Turns the raw notes of any meeting into a clear record with decisions and actions.'),
    ).toEqual(['when']);
  });

  it('asks for more than a few words', () => {
    expect(advice('Use when writing.')).toEqual(['short']);
  });

  it.each([
    'I help to write minutes of meetings. Use when someone pastes notes of a call.',
    'Use when a customer complains about our products or about the way we handle orders.',
    'Ich prüfe Verträge und finde Lücken. Verwenden, wenn jemand einen Vertrag schickt.',
    'Hilft mir beim Schreiben von Protokollen, wenn jemand Notizen einer Sitzung schickt.',
  ])('asks to write about the skill: %s', (text) => {
    expect(advice(text)).toEqual(['person']);
  });
});

import { describe, expect, it } from 'vitest';
import { descriptionAdvice } from './description-advice.ts';

const advice = (text: string) =>
  descriptionAdvice(text).map((key) => key.replace('newSkill.advice.', ''));

describe('advice on a description', () => {
  it('is empty for one that says what the skill does and when to use it', () => {
    expect(
      advice('Turns notes of meetings into minutes. Use when someone pastes notes of a call.'),
    ).toEqual([]);
    expect(
      advice('Macht aus Notizen ein Protokoll. Verwenden, wenn jemand Notizen einer Sitzung hat.'),
    ).toEqual([]);
  });

  it('does not mistake a country for a pronoun', () => {
    expect(
      advice('Explains US tax law with its exceptions. Use when someone asks for a tax return.'),
    ).toEqual([]);
  });

  it('is empty for an empty description', () => {
    expect(advice('  ')).toEqual([]);
  });

  it('asks when to use the skill', () => {
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
  ])('asks for the third person: %s', (text) => {
    expect(advice(text)).toEqual(['person']);
  });
});

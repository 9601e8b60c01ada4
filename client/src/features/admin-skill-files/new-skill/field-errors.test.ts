import { problem } from '@knowhow/shared/problem';
import { describe, expect, it } from 'vitest';
import { fieldError } from './field-errors.ts';

const refusal = (path: string, code: string) =>
  problem('invalid-skill', 'All of it.', { issues: [{ path, code, message: 'This one.' }] });

describe('a refusal', () => {
  it('of a taken name belongs to the name', () => {
    expect(fieldError(problem('name-taken', 'Taken.'), 'Vergeben.')).toEqual({
      field: 'name',
      message: 'Vergeben.',
    });
  });

  it('that names a request field, or has a diagnostic on the file, belongs to that field', () => {
    expect(fieldError(refusal('description', 'too_small'), '')?.field).toBe('description');
    expect(fieldError(refusal('SKILL.md:3', 'description-too-long'), '')).toEqual({
      field: 'description',
      message: 'This one.',
    });
    expect(fieldError(refusal('SKILL.md', 'body-too-long'), '')?.field).toBe('body');
  });

  it('of another kind belongs to no field', () => {
    expect(fieldError(refusal('SKILL.md', 'unreadable'), '')).toBeUndefined();
    expect(fieldError(problem('not-writable', 'The disk is full.'), '')).toBeUndefined();
    expect(fieldError(new Error('x'), '')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { exportAddress, fileParts } from './export-address.ts';

const path = '/api/admin/backup/export';

describe('the address of a backup', () => {
  it('names no parts when all are chosen', () => {
    expect(exportAddress(fileParts, { withData: false })).toBe(path);
    expect(exportAddress(fileParts, { withData: true })).toBe(`${path}?data=true`);
  });

  it('names those that are chosen', () => {
    const address = exportAddress(['apps', 'skills'], { withData: true });
    expect(address).toBe(`${path}?data=true&only=apps%2Cskills`);
  });

  it('may ask for users and conversations alone', () => {
    expect(exportAddress([], { withData: true })).toBe(`${path}?data=true&only=data`);
  });

  it('is none when there would be nothing in it', () => {
    expect(exportAddress([], { withData: false })).toBeUndefined();
  });
});

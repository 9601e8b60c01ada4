import { describe, expect, it } from 'vitest';
import { exportAddress, fileParts } from './export-address.ts';

const path = '/api/admin/backup/export';

describe('the URL of a backup', () => {
  it('names no parts if all are selected', () => {
    expect(exportAddress(fileParts, { withData: false })).toBe(path);
    expect(exportAddress(fileParts, { withData: true })).toBe(`${path}?data=true`);
  });

  it('names the selected parts', () => {
    const address = exportAddress(['apps', 'skills'], { withData: true });
    expect(address).toBe(`${path}?data=true&only=apps%2Cskills`);
  });

  it('may request only users and conversations', () => {
    expect(exportAddress([], { withData: true })).toBe(`${path}?data=true&only=data`);
  });

  it('is undefined if nothing is selected', () => {
    expect(exportAddress([], { withData: false })).toBeUndefined();
  });
});

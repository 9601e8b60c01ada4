import { describe, expect, it } from 'vitest';
import { differences } from './differences.ts';

describe('differences', () => {
  it('names the changed fields, including nested ones', () => {
    const before = { enabled: true, apps: ['a'], overrides: { description: 'Old' }, priority: 1 };
    const after = { enabled: false, apps: ['a', 'b'], overrides: {}, priority: 1, global: true };
    expect(differences(before, after)).toEqual([
      { field: 'enabled', was: 'true', is: 'false' },
      { field: 'apps', was: 'a', is: 'a, b' },
      { field: 'overrides.description', was: 'Old', is: undefined },
      { field: 'global', was: undefined, is: 'true' },
    ]);
  });

  it('leaves out internal fields', () => {
    expect(differences({ checksum: 'a', files: 2 }, { checksum: 'b', files: 2 })).toEqual([]);
  });

  it('treats a missing side as empty', () => {
    expect(differences(undefined, { files: 3 })).toEqual([
      { field: 'files', was: undefined, is: '3' },
    ]);
  });

  it('shows an empty list as one', () => {
    expect(differences({ apps: ['a'] }, { apps: [] })).toEqual([
      { field: 'apps', was: 'a', is: '–' },
    ]);
  });
});

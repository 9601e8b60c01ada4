import type { FileChange } from '@knowhow/shared/skills/file-changes';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { FileChanges } from './file-changes.tsx';

const changed = (path: string, lines: string[]): FileChange => ({
  path,
  change: 'changed',
  bytesBefore: 3000,
  bytesAfter: 4000,
  hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }],
});
const isOpen = (name: RegExp) =>
  screen.getByRole('button', { name }).getAttribute('aria-expanded') === 'true';

describe('changes of files', () => {
  it('show additions and removals, with counts and sizes', () => {
    renderApp(<FileChanges changes={[changed('a.md', ['-old', '+new', '+more'])]} />);
    expect(isOpen(/a\.md/)).toBe(true);
    expect(screen.getByRole('img', { name: 'Lines added: 2, removed: 1' })).toBeTruthy();
    expect(screen.getByText('3 kB → 4 kB')).toBeTruthy();
    expect(screen.getByText('more').closest('tr')?.textContent).toBe('2+more');
  });

  it('are collapsed if they are long', async () => {
    const long = Array.from({ length: 200 }, (_, index) => `+line ${index}`);
    renderApp(<FileChanges changes={[changed('a.md', ['+short']), changed('b.md', long)]} />);
    expect(isOpen(/a\.md/)).toBe(true);
    expect(isOpen(/b\.md/)).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: /b\.md/ }));
    expect(screen.getByText('line 199')).toBeTruthy();
  });

  it('of binary files only show names', async () => {
    renderApp(<FileChanges changes={[{ path: 'a.png', change: 'added', bytesAfter: 85 }]} />);
    await userEvent.click(screen.getByRole('button', { name: /a\.png Added 85 bytes/ }));
    expect(screen.getByText(/not text/)).toBeTruthy();
  });

  it('report that there are none', () => {
    renderApp(<FileChanges changes={[]} />);
    expect(screen.getByText('The files are the same.')).toBeTruthy();
  });
});

import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '../../../testing/render-app.tsx';
import { FileTree } from './file-tree.tsx';

const file = (path: string, size = 10): AdminSkillFile => ({
  path,
  size,
  executable: false,
  kind: 'text',
});
const files = [
  file('zebra.md'),
  file('references/forms.md'),
  file('references/deep/b10.md'),
  file('references/deep/b9.md'),
  file('assets/logo.png'),
  file('SKILL.md'),
];

function show(open = 'SKILL.md', unsaved: string[] = []) {
  const onOpen = vi.fn();
  renderApp(<FileTree files={files} open={open} unsaved={unsaved} onOpen={onOpen} />);
  return { onOpen, user: userEvent.setup() };
}

const rows = () => screen.getAllByRole('treeitem').map((row) => row.dataset.path);
const focused = () => (document.activeElement as HTMLElement).dataset.path;

describe('the tree of files', () => {
  it('lists SKILL.md first, then folders, then files, in natural order', () => {
    show();
    expect(rows()).toEqual([
      'SKILL.md',
      'assets',
      'assets/logo.png',
      'references',
      'references/deep',
      'references/deep/b9.md',
      'references/deep/b10.md',
      'references/forms.md',
      'zebra.md',
    ]);
  });

  it('has a single tab stop, at the open file, and announces the position of each row', async () => {
    const { user } = show('references/forms.md');
    await user.tab();
    expect(focused()).toBe('references/forms.md');
    const row = document.activeElement;
    expect(row?.getAttribute('aria-level')).toBe('2');
    expect(row?.getAttribute('aria-posinset')).toBe('2');
    expect(row?.getAttribute('aria-setsize')).toBe('2');
    expect(row?.getAttribute('aria-selected')).toBe('true');
    await user.tab();
    expect(document.activeElement).toBe(document.body);
  });

  it('is navigated with arrow keys, which also expand and collapse, and opens a file with Enter', async () => {
    const { user, onOpen } = show();
    await user.tab();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(focused()).toBe('references');
    await user.keyboard('{ArrowLeft}');
    expect(rows()).not.toContain('references/forms.md');
    await user.keyboard('{ArrowDown}');
    expect(focused()).toBe('zebra.md');
    await user.keyboard('{ArrowUp}{ArrowRight}{ArrowRight}');
    expect(focused()).toBe('references/deep');
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(focused()).toBe('references');
    await user.keyboard('{End}{Home}f');
    expect(focused()).toBe('references/forms.md');
    expect(onOpen).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(onOpen).toHaveBeenCalledExactlyOnceWith('references/forms.md');
  });

  it('marks unsaved files, also on a collapsed folder', async () => {
    const { user } = show('SKILL.md', ['references/deep/b9.md']);
    const marked = () =>
      screen
        .getAllByRole('treeitem')
        .filter((row) => row.querySelector('[role=img]'))
        .map((row) => row.dataset.path);
    expect(marked()).toEqual(['references/deep/b9.md']);
    await user.click(screen.getByText('references'));
    expect(marked()).toEqual(['references']);
  });
});

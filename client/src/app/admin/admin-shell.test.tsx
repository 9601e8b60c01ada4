import { act, fireEvent, screen } from '@testing-library/react';
import { Link, Route, Routes } from 'react-router';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { AdminShell } from './admin-shell.tsx';

const me = {
  ...{ id: 'a', name: 'Ada', groups: [], anonymous: false, mayChat: true },
  ...{ isAdmin: true, adminRights: ['*' as const] },
};

/** A list that links to a page with tabs and to one with a field, with one more link next to them. */
function show() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const list = (
    <>
      <Link to="/admin/skills/pdf">pdf</Link>
      <Link to="/admin/skills/new">New</Link>
    </>
  );
  const tabs = (
    <Routes>
      <Route index element={<Link to="files">Files</Link>} />
      <Route path="files" element={<p>SKILL.md</p>} />
    </Routes>
  );
  renderWithServer(
    <>
      <Link to="/admin/skills">Beside it</Link>
      <Routes>
        <Route element={<AdminShell me={me} />}>
          <Route index element={list} />
          <Route path="/admin/skills" element={<p>All skills</p>} />
          <Route path="/admin/skills/pdf/*" element={tabs} />
          <Route path="/admin/skills/new" element={<input aria-label="Title" ref={focusHere} />} />
        </Route>
      </Routes>
    </>,
    {},
  );
}

/** Like a keyboard user: with the focus on the link. */
function follow(name: string): HTMLElement {
  const link = screen.getByRole('link', { name });
  link.focus();
  fireEvent.click(link);
  return link;
}

/** Waits until all focus changes are done. */
const settle = () => act(() => vi.advanceTimersByTimeAsync(1000));

afterEach(() => {
  vi.useRealTimers();
});

describe('the focus on admin pages', () => {
  it('moves into the page that a link opened, but not on the first load', async () => {
    show();
    await settle();
    expect(document.activeElement).toBe(document.body);
    follow('pdf');
    await settle();
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });

  it('stays outside the page, or in a field that took it', async () => {
    show();
    follow('New');
    await settle();
    expect(document.activeElement).toBe(screen.getByLabelText('Title'));
    const entry = follow('Beside it');
    await settle();
    expect(document.activeElement).toBe(entry);
  });

  it('does not move if only the tab of a page changes', async () => {
    show();
    follow('pdf');
    await settle();
    follow('Files');
    await settle();
    expect(screen.getByText('SKILL.md')).toBeTruthy();
    expect(document.activeElement).toBe(document.body);
  });
});

it('shows the number of warnings on a phone, and their words on request', async () => {
  const { matchMedia } = window;
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...matchMedia(query),
    matches: query.includes('max-width'),
  }));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const warning = 'E-mail has no links, because PUBLIC_URL is not set.';
  const publishing = { mode: 'direct', fourEyes: false, files: 'direct', byCategory: {} };
  const faults = { items: [], total: 0 };
  renderWithServer(
    <Routes>
      <Route element={<AdminShell me={me} />}>
        <Route index element={<p>All skills</p>} />
      </Route>
    </Routes>,
    {
      'GET /api/admin/status': { version: '1.2.3', warnings: [warning], publishing },
      'GET /api/admin/faults': faults,
    },
  );
  const button = await screen.findByRole('button', { name: '1 thing needs your attention' });
  expect(screen.queryByText(warning)).toBeNull();
  fireEvent.click(button);
  expect(screen.getByText(warning)).toBeTruthy();
});

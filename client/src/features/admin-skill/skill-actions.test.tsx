import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { adminSkill } from '../../testing/admin-skill.ts';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { SkillActions } from './skill-actions.tsx';

it('links to the instructions in the editor, and has other actions in a menu on a phone', async () => {
  const onImport = vi.fn();
  renderWithServer(<SkillActions skill={adminSkill()} onImport={onImport} />, {});
  const edit = screen.getByRole('link', { name: 'Edit' });
  expect(edit.getAttribute('href')).toBe('/admin/skills/pdf/files/SKILL.md');
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items.slice(0, 3)).toEqual(['Try in chat', 'Duplicate', 'Import']);
  expect(items).toHaveLength(6);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Import' }));
  expect(onImport).toHaveBeenCalledOnce();
});

it('explains why a skill cannot be edited, and offers no import over it', async () => {
  const skill = adminSkill({ writable: false, location: 'extra:pdf' });
  renderWithServer(<SkillActions skill={skill} onImport={() => undefined} />, {});
  const edit = screen.getByRole('button', { name: 'Edit', description: /extra:pdf.*read-only/ });
  expect(edit.getAttribute('aria-disabled')).toBe('true');
  edit.focus();
  expect(document.activeElement).toBe(edit);
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Duplicate' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Import' })).toBeNull();
});

it('offers neither a copy nor an import to a person whose changes need a review', async () => {
  const publishing = { mode: 'review', fourEyes: true, files: 'direct', byCategory: {} };
  renderWithServer(<SkillActions skill={adminSkill()} onImport={() => undefined} />, {
    'GET /api/admin/status': { version: '1.2.3', warnings: [], publishing },
  });
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Try in chat' })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Duplicate' })).toBeNull());
  expect(screen.queryByRole('menuitem', { name: 'Import' })).toBeNull();
});

import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { adminSkill } from '../../testing/admin-skill.ts';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { SkillActions } from './skill-actions.tsx';

it('leads to the instructions in the editor, and has the rest in a menu on a phone', async () => {
  renderWithServer(<SkillActions skill={adminSkill()} />, {});
  const edit = screen.getByRole('link', { name: 'Edit' });
  expect(edit.getAttribute('href')).toBe('/admin/skills/pdf/files/SKILL.md');
  await userEvent.click(screen.getByRole('button', { name: 'Other actions' }));
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(items.slice(0, 2)).toEqual(['Try in chat', 'Duplicate']);
  expect(items).toHaveLength(5);
});

it('says why a skill cannot be edited', () => {
  const skill = adminSkill({ writable: false, location: 'extra:pdf' });
  renderWithServer(<SkillActions skill={skill} />, {});
  const edit = screen.getByRole('button', { name: 'Edit', description: /extra:pdf.*read-only/ });
  expect(edit.getAttribute('aria-disabled')).toBe('true');
  edit.focus();
  expect(document.activeElement).toBe(edit);
});

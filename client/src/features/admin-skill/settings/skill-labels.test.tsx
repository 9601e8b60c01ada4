import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { refusal, renderWithServer } from '../../../testing/render-with-server.tsx';
import { SkillLabels } from './skill-labels.tsx';

const line = 'PUT /api/admin/skills/pdf/fields';
const skill = adminSkill({
  ...{ category: 'ops', tags: ['a', 'b'], requiresTools: ['calculate'], version: '1.0' },
  ...{ license: 'MIT', compatibility: 'Needs git.' },
});

function show(answer: unknown = skill, shown: AdminSkillDetail = skill) {
  const writes = renderWithServer(
    <>
      <SkillLabels skill={shown} />
      <Notifications />
    </>,
    { [line]: answer },
  );
  return { writes, user: userEvent.setup() };
}

const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
const save = () => screen.getByRole('button', { name: 'Save' });

it.each([
  ['Category', 'ops', ' coding ', { category: 'coding' }],
  ['Tags', 'a, b', 'Team Notes, b, b,', { tags: 'team-notes, b' }],
  ['Required tools', 'calculate', 'ask_user  calculate', { requiresTools: 'ask_user, calculate' }],
  ['Version', '1.0', '1.10', { version: '1.10' }],
  ['License', 'MIT', 'Apache-2.0', { license: 'Apache-2.0' }],
  ['Compatibility', 'Needs git.', 'Needs Python.', { compatibility: 'Needs Python.' }],
])('shows and saves %s, with undo', async (name, before, typed, fields) => {
  const { writes, user } = show({ ...skill, checksum: 'c2' });
  const input = await field(name);
  expect(input.value).toBe(before);
  await user.clear(input);
  await user.type(input, typed);
  await user.click(save());
  await waitFor(() => expect(writes).toEqual([{ line, body: fields, ifMatch: '"c1"' }]));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  const [key = ''] = Object.keys(fields);
  await waitFor(() =>
    expect(writes[1]).toEqual({ line, body: { [key]: before }, ifMatch: '"c2"' }),
  );
});

it('sends an empty text to remove a field', async () => {
  const { writes, user } = show();
  await user.clear(await field('Category'));
  await user.click(save());
  await waitFor(() => expect(writes[0]?.body).toEqual({ category: '' }));
});

it.each([
  ['Tags', 'tags-invalid', 'Not saved. “b!” is not a valid tag: use only letters'],
  ['Tags', 'tags-too-many', 'Not saved. There are 2 tags, but at most 20 are allowed.'],
  ['Compatibility', 'compatibility-invalid', 'Not saved. The text is too long: at most 500'],
  ['Category', 'category-invalid', 'Not saved. This is refused.'],
])('explains at the field %s why nothing was saved: %s', async (name, code, text) => {
  const path = name.toLowerCase();
  const issues = [{ path, code, message: 'This is refused.' }];
  const body = { type: '', title: '', status: 422, code: 'invalid-skill', detail: 'No.', issues };
  const { user } = show(() => Response.json(body, { status: 422 }));
  const input = await field(name);
  await user.type(input, '!');
  await user.click(save());
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getByText(text, { exact: false })).toBeTruthy();
  expect(input.value).toMatch(/!$/);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('offers to save only changes, and can cancel them', async () => {
  const { user } = show();
  const input = await field('Tags');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await user.type(input, ', c');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(input.value).toBe('a, b');
});

it.each(['Cancel', 'Save'])('returns the focus to the edited field after “%s”', async (name) => {
  const { user } = show();
  const input = await field('Tags');
  await user.type(input, ', c');
  screen.getByRole('button', { name }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
  expect(document.activeElement).toBe(input);
});

it('keeps the input after a conflict, and saves it over the current version', async () => {
  const { user } = show(() => refusal(412, 'changed-meanwhile'));
  const input = await field('Tags');
  await user.type(input, ', c');
  await user.click(save());
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Someone else has changed this in the meantime.');
  expect(screen.getAllByText(/Someone else has changed this/)).toHaveLength(1);
  screen.getByRole('button', { name: 'Load the current version' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(input.value).toBe('a, b, c');
  expect(document.activeElement).toBe(input);
});

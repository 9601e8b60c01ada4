import type { Me } from '@knowhow/shared/access/auth';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { adminSkill } from '../../testing/admin-skill.ts';
import { adminTool } from '../../testing/admin-tool.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { Commands } from './commands.tsx';

const list = (...items: unknown[]) => ({ items, total: items.length });
const config = (id: string, name: string) =>
  list({ id, config: { name }, path: id, text: '', checksum: '' });
const about = { description: '', prompt: '', variables: [] };
const now = '2026-01-01T10:00:00.000Z';
const app = {
  ...{ id: 'kitchen', name: 'Kettle kitchen', description: '', starterPrompts: [], models: [] },
  ...{
    greeting: { title: '', subtitle: '' },
    showTrace: false,
    bringsSkills: false,
    asksUsers: false,
  },
};
const skill = { name: 'kettle-care', displayName: 'kettle-care', description: '', tags: [] };
const kept = { appId: 'kitchen', model: 'steam', createdAt: now, updatedAt: now };
const user = { id: 'u-1', name: 'Kay Kettle', username: 'kay', groups: [], createdAt: now };
const tool = adminTool({ name: 'a__b', title: 'Fill kettles' });
const facets = {
  statuses: { on: 1, off: 0, blocked: 0, broken: 0, shadowed: 0 },
  problems: { errors: 0, warnings: 0 },
  ...{ sources: [], categories: [], tags: [], tools: [] },
};
const answers = {
  '/api/conversations': list({
    ...{ id: '459f29f8-fecd-4a26-aba0-0fb1adc375ce', title: 'Kettle prices', ...kept },
  }),
  '/api/skills': list({ ...skill, userInvocable: true, requiresTools: [] }),
  '/api/apps': list(app),
  '/api/prompts': list({ id: 'boil', name: 'Boil a kettle', ...about }),
  '/api/admin/skills': {
    ...list(adminSkill({ name: 'kettle-care' })),
    ...{ facets, foldersLeftOut: 0 },
  },
  '/api/admin/apps': config('kitchen', 'Kettle kitchen'),
  '/api/admin/groups': config('tea-people', 'Kettle owners'),
  '/api/admin/models': config('steam', 'Kettle model'),
  '/api/admin/prompts': config('boil', 'Boil a kettle'),
  '/api/admin/users': list({ ...user, disabled: false, isAdmin: false }),
  '/api/admin/tools': {
    sources: [{ id: 'a', title: 'A', kind: 'mcp', enabled: true, status: 'ready', tools: [tool] }],
  },
};
const me = (isAdmin: boolean) =>
  ({
    ...{ id: 'mia', name: 'Mia', anonymous: false, isAdmin },
    ...(isAdmin && { adminRights: ['*'] }),
  }) as Me;

function open(isAdmin: boolean) {
  const onOpen = vi.fn();
  const onClose = vi.fn();
  renderApp(<Commands me={me(isAdmin)} wanted="" onClose={onClose} onOpen={onOpen} />, answers);
  return { onOpen, user: userEvent.setup() };
}
const search = () => screen.getByRole('combobox', { name: 'Search everything' });
const found = () =>
  screen.getAllByRole('group').map((group) => [
    group.getAttribute('aria-label'),
    ...within(group)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ]);
const forAll = [
  ['Use a skill', 'kettle-care'],
  ['Open an app', 'Kettle kitchen'],
  ['Use a prompt', 'Boil a kettle'],
  ['Conversations', 'Kettle prices'],
];

it('finds conversations, skills, apps and prompts, but no admin pages for a user', async () => {
  const { user } = open(false);
  await user.type(search(), 'kettle');
  await waitFor(() => expect(found()).toEqual(forAll));
  expect(screen.getByText('4 results').getAttribute('role')).toBe('status');
});

it('finds admin entries for an admin, and opens them', async () => {
  const { user } = open(true);
  await user.type(search(), 'kettle');
  await waitFor(() =>
    expect(found()).toEqual([
      ...forAll,
      ['Manage a skill', 'kettle-care'],
      ['Administration: Tools', 'Fill kettles'],
      ['Administration: Apps', 'Kettle kitchen'],
      ['Administration: Groups', 'Kettle owners'],
      ['Administration: Users', 'Kay Kettle (kay)'],
      ['Administration: Models', 'Kettle model'],
      ['Administration: Prompts', 'Boil a kettle'],
    ]),
  );
  await user.click(screen.getByRole('option', { name: 'Kettle owners' }));
  expect(location.pathname).toBe('/admin/groups/tea-people');
});

it('opens settings by name, with words in any order', async () => {
  const { user, onOpen } = open(false);
  await user.type(search(), 'keys api');
  await waitFor(() => expect(found()[0]).toEqual(['Commands', 'API keys']));
  await user.keyboard('{Enter}');
  expect(onOpen).toHaveBeenCalledExactlyOnceWith('apiKeys');
});

it('starts a message with a prompt, which the palette then finds', async () => {
  const { user } = open(false);
  await user.type(search(), 'boil');
  await user.click(await screen.findByRole('option', { name: 'Boil a kettle' }));
  expect(JSON.parse(sessionStorage.getItem('knowhow-draft:new') ?? '').text).toBe('/Boil a kettle');
});

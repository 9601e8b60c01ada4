import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { renderWithServer, type SentRequest } from '../../../testing/render-with-server.tsx';
import { RightsContext } from '../../../ui/rights.ts';
import type { Config } from '../items/config-value.ts';
import { GroupItem } from './group-item.tsx';

// Required by autosizing fields, and missing in jsdom.
Object.assign(document, { fonts: new EventTarget() });

const items = (...configs: Config[]) => ({ items: configs.map(itemOf), total: configs.length });

function itemOf(config: Config) {
  const id = String(config.id);
  return { id, path: 'contents/config/groups.json', config, text: '', checksum: 'first' };
}

const staff = {
  id: 'staff',
  name: 'Staff',
  inherits: ['guests'],
  permissions: { apps: ['chat', 'gone', 'gone'], models: ['*'] },
};
const answers = {
  '/api/admin/groups/staff': itemOf(staff),
  '/api/admin/groups': items(
    staff,
    { id: 'guests', name: 'Guests', permissions: { apps: ['*'] } },
    { id: 'bosses', name: 'Bosses', inherits: ['staff'] },
  ),
  '/api/admin/apps': items({ id: 'chat', name: 'Chat' }, { id: 'writing', name: 'Writing' }),
  '/api/admin/models': items(),
  '/api/admin/prompts': items(),
  '/api/admin/skills': {
    items: [adminSkill({ name: 'notes' }), adminSkill({ name: 'notes', status: 'shadowed' })],
    total: 2,
    facets: {
      statuses: { on: 0, off: 0, blocked: 0, broken: 0, shadowed: 0 },
      problems: { errors: 0, warnings: 0 },
      sources: [],
      categories: [],
      tags: [],
      tools: [],
    },
    foldersLeftOut: 0,
  },
  '/api/admin/users': { items: [], total: 0 },
};

describe('the page of a group', () => {
  it('marks missing entries, shows inherited permissions, and rejects circular inheritance', async () => {
    renderApp(<GroupItem id="staff" />, answers);
    expect(await screen.findByText('gone (does not exist)')).toBeTruthy();
    expect(screen.getByText('Chat (chat)')).toBeTruthy();
    expect(await screen.findByText('All (from guests)')).toBeTruthy();
    expect(screen.getByText(/^Unavailable because.*bosses/)).toBeTruthy();
  });

  it('suggests the skills that match the input best, not the first by name', async () => {
    const skills = (query: URLSearchParams) => {
      const best = query.get('query') === 'letter' && !query.has('sort') ? 'write-letter' : 'notes';
      return { ...answers['/api/admin/skills'], items: [adminSkill({ name: best })], total: 21 };
    };
    renderApp(<GroupItem id="staff" />, { ...answers, '/api/admin/skills': skills });
    const user = userEvent.setup();
    await user.type(await screen.findByPlaceholderText('Search skills'), 'letter');
    expect(await screen.findByRole('option', { name: 'write-letter', hidden: true })).toBeTruthy();
  });

  it('shows admin permissions, and lets users grant only their own', async () => {
    const user = userEvent.setup();
    const sent: SentRequest[] = [];
    const page = (
      <RightsContext value={['groups', 'users', 'prompts']}>
        <GroupItem id="staff" />
      </RightsContext>
    );
    renderWithServer(page, {
      ...Object.fromEntries(Object.entries(answers).map(([path, one]) => [`GET ${path}`, one])),
      'GET /api/admin/choices/apps': items({ id: 'chat', name: 'Chat' }),
      'GET /api/admin/choices/models': items(),
      'GET /api/admin/tools': { sources: [] },
      'PUT /api/admin/groups/staff': (request: SentRequest) => {
        sent.push(request);
        return itemOf(staff);
      },
    });
    const all = await screen.findByRole('switch', { name: /^Full administrator access/ });
    expect((all as HTMLInputElement).disabled).toBe(true);
    const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
    expect(box('Skills and plugins').disabled).toBe(true);
    await user.click(box('Users and invitations'));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ permissions: { adminAccess: ['users'] } });
  });

  it('preselects all skills when not all are granted any more', async () => {
    const all = { id: 'staff', name: 'Staff', permissions: { skills: ['*'] } };
    const skills = ['letters', 'notes', 'pdf'].map((name) => adminSkill({ name }));
    const list = { ...answers['/api/admin/skills'], total: 4 };
    const written: unknown[] = [];
    renderWithServer(<GroupItem id="staff" />, {
      'GET /api/admin/groups/staff': itemOf(all),
      'GET /api/admin/groups': items(all),
      'GET /api/admin/apps': items(),
      'GET /api/admin/models': items(),
      'GET /api/admin/prompts': items(),
      'GET /api/admin/users': { items: [], total: 0 },
      'GET /api/admin/skills': {
        ...list,
        items: [...skills, adminSkill({ name: 'pdf', status: 'shadowed' })],
      },
      ...Object.fromEntries(skills.map((one) => [`GET /api/admin/skills/${one.name}`, one])),
      'PUT /api/admin/groups/staff': ({ body }: SentRequest) => {
        written.push(body);
        return itemOf(body as Config);
      },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByLabelText('All skills'));
    expect(await screen.findByText('letters')).toBeTruthy();
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() =>
      expect(written).toMatchObject([{ permissions: { skills: ['letters', 'notes', 'pdf'] } }]),
    );
  });

  it('grants all, then only what was selected before', async () => {
    renderApp(<GroupItem id="staff" />, answers);
    const written: Config[] = [];
    const user = userEvent.setup();
    const allApps = await screen.findByLabelText('All apps');
    vi.stubGlobal('fetch', async (_address: string, init: RequestInit) => {
      if (init.method === 'PUT') {
        written.push(JSON.parse(String(init.body)));
      }
      return Response.json(itemOf(written.at(-1) ?? staff));
    });

    await user.click(allApps);
    await user.click(screen.getByLabelText('All models'));
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() =>
      expect(written[0]?.permissions).toEqual({ apps: ['*', 'chat', 'gone'], models: [] }),
    );
    await user.click(allApps);
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() =>
      expect(written[1]?.permissions).toEqual({ apps: ['chat', 'gone'], models: [] }),
    );
  });
});

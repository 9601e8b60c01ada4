import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../testing/admin-skill.ts';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { SkillAssignments } from './skill-assignments.tsx';
import { useSkill } from './use-skill.ts';

function Assigned() {
  const { data } = useSkill('pdf');
  return data ? <SkillAssignments skill={data} /> : null;
}

const list = (...items: unknown[]) => ({ items, total: items.length });
const item = (id: string, config: object) => ({
  id,
  path: `contents/${id}.json`,
  config: { id, name: id, ...config },
  text: '',
  checksum: '',
});

/** A stateful fake server that may refuse. */
function show(skill: AdminSkillDetail, refuse = false) {
  let now = skill;
  const writes = renderWithServer(
    <>
      <Assigned />
      <Notifications />
    </>,
    {
      'GET /api/admin/skills/pdf': () => now,
      'GET /api/admin/apps': list(
        item('chat', { skills: ['pdf'] }),
        item('legal', {}),
        item('all', { skills: ['*'] }),
      ),
      'GET /api/admin/groups': list(item('users', { permissions: { skills: ['pdf'] } })),
      'PUT /api/admin/skills/pdf': ({ body }: { body: unknown }) => {
        if (refuse) {
          return refusal(503, 'not-writable');
        }
        const { apps } = body as { apps: string[] };
        now = { ...now, listedInApps: apps };
        return now;
      },
    },
  );
  return { writes, user: userEvent.setup() };
}

const switchOf = (name: string) => screen.findByRole<HTMLInputElement>('switch', { name });

describe('the assignments of a skill', () => {
  it('are switched one by one, each with all previous changes', async () => {
    const { user, writes } = show(adminSkill({ listedInApps: [] }));
    await user.click(await switchOf('chat'));
    await user.click(await switchOf('legal'));
    await waitFor(() => expect(writes).toHaveLength(2));
    expect(writes.map(({ body }) => body)).toEqual([
      { apps: ['chat'] },
      { apps: ['chat', 'legal'] },
    ]);
    expect((await switchOf('legal')).checked).toBe(true);
  });

  it('can be undone without undoing later changes', async () => {
    const { user, writes } = show(adminSkill({ listedInApps: [] }));
    await user.click(await switchOf('chat'));
    const toast = await screen.findByText(/chat now offers “PDF”/);
    await user.click(await switchOf('legal'));
    await screen.findByText(/legal now offers “PDF”/);
    await user.click(within(toast).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(writes.at(-1)?.body).toEqual({ apps: ['legal'] }));
  });

  it('cannot be switched if something else decides, and say what', async () => {
    show(adminSkill());
    expect((await switchOf('all')).disabled).toBe(true);
    expect((await switchOf('all')).checked).toBe(true);
    const reason = screen.getByRole('link', { name: 'offers all skills' });
    expect(reason.getAttribute('href')).toBe('/admin/apps/all');
    expect((await switchOf('users')).disabled).toBe(false);
  });

  it('are reverted if the server refuses', async () => {
    const { user } = show(adminSkill({ listedInApps: [] }), true);
    await user.click(await switchOf('chat'));
    await screen.findByText('The server cannot write to its disk.');
    await waitFor(async () => expect((await switchOf('chat')).checked).toBe(false));
  });
});

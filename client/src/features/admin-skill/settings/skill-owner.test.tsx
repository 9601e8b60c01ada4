import { Notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { refusal, renderWithServer } from '../../../testing/render-with-server.tsx';
import { RightsContext } from '../../../ui/rights.ts';
import { SkillSettings } from './skill-settings.tsx';

const ann = { kind: 'user', id: 'a1', name: 'Ann' };
const staff = { kind: 'group', id: 'staff', name: 'Staff' };

function show(answers: Record<string, unknown>, rights = ['skills']) {
  const writes = renderWithServer(
    <RightsContext value={rights}>
      <SkillSettings skill={adminSkill()} />
      <Notifications />
    </RightsContext>,
    { 'GET /api/admin/owner-choices': { items: [staff, ann] }, ...answers },
  );
  return { writes, user: userEvent.setup() };
}

const get = 'GET /api/admin/skills/pdf/owner';
const put = 'PUT /api/admin/skills/pdf/owner';
const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Owner' });

it('sets a group as the owner, with undo', async () => {
  const { user, writes } = show({
    [get]: { owner: ann },
    [put]: () => ({ owner: staff }),
  });
  expect((await field()).value).toBe('Ann');
  await user.click(await field());
  await user.click(await screen.findByRole('option', { name: 'Staff', hidden: true }));
  expect(await screen.findByText('Staff is now the owner of “PDF”.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(writes.map(({ body }) => body)).toEqual([
      { owner: { kind: 'group', id: 'staff' } },
      { owner: { kind: 'user', id: 'a1' } },
    ]),
  );
});

it('says why an owner could not be set, and keeps the former one', async () => {
  const { user } = show({ [get]: { owner: ann }, [put]: () => refusal(400, 'invalid-request') });
  await user.click(await field());
  await user.click(await screen.findByRole('option', { name: 'Staff', hidden: true }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect((await field()).value).toBe('Ann');
});

it('makes a skill available on request', async () => {
  const { user, writes } = show({
    [get]: {},
    'PUT /api/admin/skills/pdf': adminSkill({ discoverable: true }),
  });
  await user.click(await screen.findByRole('switch', { name: 'Available on request' }));
  await waitFor(() => expect(writes).toMatchObject([{ body: { discoverable: true } }]));
});

it('is not offered to administrators who cannot change skills', async () => {
  show({ [get]: { owner: ann } }, ['groups']);
  await screen.findByRole('switch', { name: 'Available on request' });
  expect(screen.queryByRole('combobox', { name: 'Owner' })).toBeNull();
});

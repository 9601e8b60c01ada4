import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import type { SkillBlockState } from '@knowhow/shared/skills/skill-blocks';
import { Notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { adminSkill } from '../../../testing/admin-skill.ts';
import { refusal, renderWithServer } from '../../../testing/render-with-server.tsx';
import { BlockNote, BlockSkill } from './block-skill.tsx';

const path = '/api/admin/skills/pdf/block';
const state: SkillBlockState = {
  name: 'pdf',
  exists: true,
  apps: ['chat'],
  groups: ['users'],
  uses: 1234,
};
const block: NonNullable<AdminSkillDetail['block']> = {
  reason: 'It leaks names.',
  tellUsers: true,
  by: 'Ann',
  at: '2026-03-15T10:00:00Z',
};

function show(answer: unknown = { ...state, block }) {
  const writes = renderWithServer(
    <>
      <BlockSkill skill={adminSkill()} />
      <Notifications />
    </>,
    { [`GET ${path}`]: state, [`PUT ${path}`]: answer, [`DELETE ${path}`]: state },
  );
  return { writes, user: userEvent.setup() };
}

async function fillIn(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole('button', { name: 'Block skill' }));
  const dialog = await screen.findByRole('dialog', { name: 'Block “PDF”?' });
  const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Block skill' });
  expect(confirm.disabled).toBe(true);
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'It leaks names.');
  return { dialog, confirm };
}

it('says whom a block affects, asks for a reason, blocks, and undoes it', async () => {
  const { writes, user } = show();
  const { dialog, confirm } = await fillIn(user);
  expect(dialog.textContent).toContain('These apps offer it: chat.');
  await waitFor(() => expect(dialog.textContent).toContain('1,234 answers of the last 30 days'));
  await user.click(within(dialog).getByRole('checkbox', { name: /Show this reason to users/ }));
  await user.click(confirm);
  const body = { reason: 'It leaks names.', tellUsers: true };
  await waitFor(() => expect(writes).toMatchObject([{ line: `PUT ${path}`, body }]));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(writes[1]).toMatchObject({ line: `DELETE ${path}` }));
});

it('keeps the reason if the block is refused', async () => {
  const { user } = show(refusal(503, 'not-writable'));
  const { dialog, confirm } = await fillIn(user);
  await user.click(confirm);
  expect(await within(dialog).findByRole('alert')).toBeTruthy();
  expect(within(dialog).getByRole<HTMLTextAreaElement>('textbox').value).toBe('It leaks names.');
});

it('shows why a skill is blocked, by whom and since when, and unblocks it', async () => {
  const onUnblocked = () => screen.getByRole('link').focus();
  const writes = renderWithServer(
    <>
      <BlockNote
        skill={{ name: 'pdf', category: undefined }}
        block={block}
        onUnblocked={onUnblocked}
      />
      <a href="#pdf">PDF</a>
    </>,
    { [`DELETE ${path}`]: state },
  );
  const note = screen.getByRole('note');
  expect(note.textContent).toMatch(/Blocked by Ann on .*2026.*It leaks names\./);
  await userEvent.click(screen.getByRole('button', { name: 'Unblock' }));
  await waitFor(() => expect(writes).toMatchObject([{ line: `DELETE ${path}` }]));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link')));
});

import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { expect, it, vi } from 'vitest';
import { streamOfEvents } from '../../testing/event-stream.ts';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { MySkillPage, NewMySkillPage } from './my-skill-page.tsx';
import { MySkillsPage } from './my-skills-page.tsx';

const listed = {
  id: 'invoices@ann',
  name: 'invoices',
  description: 'Bills clients.',
  checksum: 'a'.repeat(64),
  updated: '2026-01-01T00:00:00.000Z',
  recipients: 0,
};
const skill = {
  ...listed,
  instructions: 'Name the client.',
  prompts: [],
  files: [],
  diagnostics: [],
};
const list = (change: object = {}) => ({ items: [listed], level: 'propose', max: 50, ...change });
const all = 'GET /api/my/skills';
const one = 'GET /api/my/skills/invoices';
const received = 'GET /api/my/received-skills';
const nothing = () => undefined;

it('lists the skills, and what has become of proposals', async () => {
  const proposal = { state: 'returned', created: listed.updated, comment: 'Too short.' };
  renderWithServer(<MySkillsPage />, {
    [all]: list({ items: [{ ...listed, proposal }] }),
    [received]: { items: [] },
  });
  const link = await screen.findByRole('link', { name: 'invoices' });
  expect(link.getAttribute('href')).toBe('/my/skills/invoices');
  expect(screen.getByText('/invoices@ann')).toBeTruthy();
  expect(screen.getByText('Returned')).toBeTruthy();
});

it.each([
  ['that their groups allow none', { items: [], level: 'none' }, /cannot have skills of your own/],
  ['that there are enough', { max: 1 }, /the one skill that you can have/],
])('tells a user %s, and offers no new one', async (_, change, words) => {
  renderWithServer(<MySkillsPage />, { [all]: list(change), [received]: { items: [] } });
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'New skill' })).toBeNull();
});

it('keeps the words when saving is refused, and says why', async () => {
  renderWithServer(<MySkillPage name="invoices" onTry={nothing} />, {
    [all]: list(),
    [one]: skill,
    'PUT /api/my/skills/invoices': () => refusal(412, 'changed-meanwhile'),
  });
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Instructions');
  await userEvent.type(field, ' Then bill.');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(field.value).toBe('Name the client. Then bill.');
});

it('changes the requests that should use a stored skill, and sends them only then', async () => {
  const address = 'PUT /api/my/skills/invoices';
  const writes = renderWithServer(<MySkillPage name="invoices" onTry={nothing} />, {
    [all]: list(),
    [one]: { ...skill, prompts: ['Bill Ann'] },
    [address]: { ...skill, prompts: ['Bill Ann', 'Bill Ben'] },
  });
  const field = await screen.findByLabelText<HTMLTextAreaElement>('Requests that should use it');
  expect(field.value).toBe('Bill Ann');
  const save = screen.getByRole('button', { name: 'Save' });
  await userEvent.type(field, '{Enter}');
  expect(save).toHaveProperty('disabled', true);
  await userEvent.type(field, 'Bill Ben{Enter}');
  await userEvent.click(save);
  await waitFor(() => expect(field.value).toBe('Bill Ann\nBill Ben'));
  await userEvent.type(screen.getByLabelText('Instructions'), ' Then bill.');
  await userEvent.click(save);
  await waitFor(() => expect(writes).toHaveLength(2));
  expect(writes.map(({ body }) => (body as { prompts?: string[] }).prompts)).toEqual([
    ['Bill Ann', 'Bill Ben'],
    undefined,
  ]);
});

it('tries a saved skill at once, and a changed one after saving it', async () => {
  const onTry = vi.fn();
  const writes = renderWithServer(<MySkillPage name="invoices" onTry={onTry} />, {
    [all]: list(),
    [one]: skill,
    'PUT /api/my/skills/invoices': { ...skill, instructions: 'Name the client. Now.' },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Try in a new conversation' }));
  expect(onTry).toHaveBeenCalledWith('invoices@ann');
  await userEvent.type(screen.getByLabelText('Instructions'), ' Now.');
  await userEvent.click(screen.getByRole('button', { name: 'Save and try' }));
  await waitFor(() => expect(onTry).toHaveBeenCalledTimes(2));
  expect(writes.at(-1)?.body).toMatchObject({ instructions: 'Name the client. Now.' });
});

it('offers no proposal to users who may not propose', async () => {
  renderWithServer(<MySkillPage name="invoices" onTry={nothing} />, {
    [all]: list({ level: 'private' }),
    [one]: skill,
  });
  await screen.findByLabelText('Instructions');
  expect(screen.queryByRole('button', { name: 'Propose…' })).toBeNull();
});

it('makes a name of what is typed, and saves only a complete skill', async () => {
  renderWithServer(<NewMySkillPage onTry={nothing} />, { [all]: list() });
  const name = screen.getByLabelText<HTMLInputElement>('Name');
  await userEvent.type(name, 'Client invoices');
  expect(name.value).toBe('client-invoices');
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  await userEvent.type(screen.getByLabelText('Description'), 'Bills.');
  await userEvent.type(screen.getByLabelText('Instructions'), 'Bill.');
  expect(save.disabled).toBe(false);
});

it('keeps a skill from a conversation, and what was changed in it, over a reload until it is saved', async () => {
  const id = '7b3c1f0e-5a4d-4c1b-9d2e-0a1b2c3d4e5f';
  const written = {
    ...{ name: 'invoices', description: 'Bills clients.', instructions: 'Bill.' },
    ...{ prompts: ['Bill Ann'], private: [], isTemplate: false },
  };
  function Pages() {
    const [loads, setLoads] = useState(0);
    return (
      <>
        <Link to={`?conversation=${id}`}>Turn into a skill</Link>
        <button type="button" onClick={() => setLoads(loads + 1)}>
          Reload
        </button>
        {useSearchParams()[0].size > 0 && <NewMySkillPage key={loads} onTry={nothing} />}
      </>
    );
  }
  const write = `POST /api/conversations/${id}/skill`;
  const writes = renderWithServer(<Pages />, {
    [all]: list(),
    [write]: () => streamOfEvents([{ type: 'skill', skill: written }]),
    'POST /api/my/skills': { ...skill, instructions: 'Bill. Now.' },
  });
  const instructions = () => screen.findByLabelText<HTMLTextAreaElement>('Instructions');
  await userEvent.click(screen.getByRole('link', { name: 'Turn into a skill' }));
  await userEvent.type(await instructions(), ' Now.');
  await waitFor(() => expect(JSON.stringify(sessionStorage)).toContain('Bill. Now.'));
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect((await instructions()).value).toBe('Bill. Now.');
  expect(screen.getByDisplayValue('Bill Ann')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(location.pathname).toBe('/my/skills/invoices'));
  expect(writes.map(({ line }) => line)).toEqual([write, 'POST /api/my/skills']);
  expect(sessionStorage.length).toBe(0);
});

it('lists what others share, and how many share a skill of the user', async () => {
  const { id, name: displayName, description } = listed;
  renderWithServer(<MySkillsPage />, {
    [all]: list({ items: [{ ...listed, name: 'letters', recipients: 3 }] }),
    [received]: { items: [{ id, displayName, description, sharedBy: 'Ann' }] },
  });
  const section = await screen.findByRole('region', { name: 'Shared with me' });
  const link = within(section).getByRole('link', { name: 'invoices' });
  expect(link.getAttribute('href')).toBe('/skills/invoices%40ann');
  expect(within(section).getByText('Shared by Ann')).toBeTruthy();
  expect(screen.getByText('Shared with 3 users and groups')).toBeTruthy();
});

it('shares with those who are added, and keeps the dialog when that is refused', async () => {
  const staff = { kind: 'group', id: 'staff', name: 'Staff' };
  const ben = { kind: 'user', id: 'b1', name: 'Ben' };
  const shared = 'POST /api/my/skills/invoices/share';
  let answer: unknown = refusal(403, 'forbidden');
  const writes = renderWithServer(<MySkillPage name="invoices" onTry={nothing} />, {
    [all]: list({ level: 'share' }),
    [one]: { ...skill, recipients: 1 },
    'GET /api/my/skills/invoices/share': { items: [staff], checksum: 'one' },
    'GET /api/my/skill-recipients': { items: [staff, ben] },
    [shared]: () => answer,
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Share…' }));
  await userEvent.click(await screen.findByRole('combobox', { name: 'Users and groups' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Ben' }));
  const dialog = screen.getByRole('dialog');
  const save = within(dialog).getByRole('button', { name: 'Save' });
  await userEvent.click(save);
  expect(await within(dialog).findByRole('alert')).toBeTruthy();
  answer = { items: [staff, ben], checksum: 'two' };
  await userEvent.click(save);
  expect(await screen.findByText('Shared with 2 users and groups')).toBeTruthy();
  expect(writes.at(-1)?.body).toEqual({ users: ['b1'], groups: ['staff'] });
});

it('offers no sharing to users who may not share', async () => {
  renderWithServer(<MySkillPage name="invoices" onTry={nothing} />, {
    [all]: list({ level: 'private' }),
    [one]: skill,
  });
  await screen.findByLabelText('Instructions');
  expect(screen.queryByRole('button', { name: 'Share…' })).toBeNull();
});

import { type Share, type SharedConversation, sharingApi } from '@knowhow/shared/chat/sharing';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ImportDialog } from '../features/conversations/transfer/import-dialog.tsx';
import { chatServer, quietConversation } from '../testing/render-chat.tsx';
import { renderShell } from '../testing/render-shell.tsx';
import { refusal, renderWithServer } from '../testing/render-with-server.tsx';
import { uploadsByFetch } from '../testing/uploads-by-fetch.ts';
import { Gate } from './gate.tsx';
import { InvitationPage } from './invitation-page.tsx';

const { id, title } = quietConversation;
const share: Share = {
  ...{ id: 's1', conversationId: id, path: '/shared/token', title },
  ...{ files: false, details: true, isPublic: false, messages: 2 },
  createdAt: '2026-11-23T10:00:00Z',
  sharedAt: '2026-11-23T10:00:00Z',
};

it('shares a conversation from its menu, and disables the link', async () => {
  let shared: Share | undefined;
  const writes = renderShell({
    'GET /api/conversations': { items: [quietConversation], total: 1 },
    [`GET /api/conversations/${id}/share`]: () => ({
      ...{ share: shared, messages: 2, extras: ['details'], mayBePublic: false, isOutdated: false },
    }),
    [`POST /api/conversations/${id}/share`]: () => {
      shared = share;
      return share;
    },
    'DELETE /api/account/shares/s1': () => {
      shared = undefined;
      return new Response(null, { status: 204 });
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: `Actions for “${title}”` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Share…' }));
  await userEvent.click(await screen.findByRole('checkbox', { name: /reasoning and tool calls/ }));
  expect(screen.queryByRole('checkbox', { name: /files/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Create link' }));
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Link' });
  expect(field.value).toBe(`${location.origin}/shared/token`);
  await userEvent.click(screen.getByRole('button', { name: 'Disable link' }));
  const [, confirm] = await screen.findAllByRole('button', { name: 'Disable link' });
  await userEvent.click(confirm as HTMLElement);
  const make = await screen.findByRole('button', { name: 'Create link' });
  await waitFor(() => expect(document.activeElement).toBe(make));
  expect(writes.map(({ line, body }) => [line, body])).toEqual([
    [`POST /api/conversations/${id}/share`, { files: false, details: true, isPublic: false }],
    ['DELETE /api/account/shares/s1', undefined],
  ]);
});

const answer: SharedConversation['messages'][number] = {
  ...{ role: 'assistant', id, content: 'Grey ones.', thinking: '', model: 'Model One' },
  ...{ status: 'complete', finishReason: 'stop', ended: [], createdAt: share.sharedAt },
  activations: [{ name: 'birds', description: '', via: 'slash', tokens: 3, checksum: '' }],
  instructions: { birds: 'Look up.' },
  toolCalls: [
    {
      id: '1',
      name: 'find',
      title: 'Find',
      source: 'Zoo',
      input: { q: 'x' },
      error: false,
      summary: '',
    },
  ],
  results: ['Found: heron'],
};

it('shows a shared conversation read-only, with its calls and skills if included', async () => {
  const requests = renderWithServer(<Gate />, {
    'GET /api/shared/token': () => ({
      ...{ title, sharedAt: share.sharedAt, by: 'Ada', without: ['files'] },
      messages: [
        {
          role: 'user',
          id: `${id.slice(0, -1)}9`,
          content: 'Which?',
          skills: [],
          createdAt: share.sharedAt,
        },
        answer,
      ],
    }),
  });
  history.pushState(null, '', '/shared/token');
  window.dispatchEvent(new PopStateEvent('popstate'));
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
  expect(screen.getByText(/Shared by Ada/)).toBeTruthy();
  expect(screen.getByText('Files and pictures are not shared.')).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: /Using birds/ }));
  expect(await screen.findByText('Look up.')).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: /Find/ }));
  expect(await screen.findByText('Found: heron')).toBeTruthy();
  await screen.findByRole('button', { name: 'Copy as Markdown' });
  expect(screen.queryByRole('button', { name: /Try again|Good|Edit|End/ })).toBeNull();
  expect(requests).toEqual([]);
  expect(sharingApi.read.response.safeParse(answer).success).toBe(false);
});

it('exports a conversation from its menu, with reasoning and tool calls if selected', async () => {
  renderShell({ 'GET /api/conversations': { items: [quietConversation], total: 1 } });
  await userEvent.click(await screen.findByRole('button', { name: `Actions for “${title}”` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Export…' }));
  const link = await screen.findByRole('link', { name: 'Markdown' });
  const address = `/api/conversations/${id}/export?format=markdown`;
  expect(link.getAttribute('href')).toBe(address);
  await userEvent.click(screen.getByRole('checkbox', { name: /reasoning and tool calls/ }));
  expect(link.getAttribute('href')).toBe(`${address}&details=true`);
});

it("imports another product's file after a preview, and undoes the import", async () => {
  const report = {
    ...{ formats: ['chatgpt'], conversations: 2, messages: 5, known: 1, full: 1 },
    items: [
      { title: 'Birds', messages: 3, updatedAt: share.sharedAt, isKnown: false, isFull: true },
      { title: 'Nests', messages: 2, updatedAt: share.sharedAt, isKnown: true, isFull: false },
    ],
    losses: [
      { what: 'pictures', count: 4, isKept: false },
      { what: 'hologram', count: 1, isKept: true },
    ],
  };
  const answers: Record<string, unknown> = {
    'POST /api/imports/plan': report,
    'GET /api/imports': { items: [], total: 0 },
    'GET /api/apps': chatServer['GET /api/apps'],
  };
  const writes = renderWithServer(
    <ImportDialog onClose={() => undefined} />,
    new Proxy(answers, {
      get: (known, line: string) =>
        line.startsWith('PUT /api/imports/')
          ? report
          : line.startsWith('DELETE')
            ? { removed: 1 }
            : known[line],
    }),
  );
  uploadsByFetch();
  const input = await screen.findByLabelText('Choose file', { selector: 'input' });
  await userEvent.upload(input, new File(['[]'], 'conversations.json'));
  expect(
    await screen.findByText(/2 conversations from ChatGPT.*1 of them has already been imported/),
  ).toBeTruthy();
  expect(screen.getByText('pictures (4)')).toBeTruthy();
  expect(screen.getByText('“hologram” (1)')).toBeTruthy();
  expect(screen.getByText('1 conversation is too long to continue')).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: 'Import 1 conversation' }));
  expect(await screen.findByText(/1 conversation imported/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Undo import' }));
  expect(await screen.findByText('1 conversation deleted.')).toBeTruthy();
  expect(writes.map(({ line }) => line.replace(/[\da-f-]{36}/, 'id'))).toEqual([
    'POST /api/imports/plan',
    'PUT /api/imports/id',
    'DELETE /api/imports/id',
  ]);
});

it('undoes an earlier import after naming what is lost', async () => {
  const id = '5d5d2c39-6a3c-4a8b-9f0d-0d9c2b6a1e01';
  const items = [{ id, createdAt: share.sharedAt, conversations: 3 }];
  const writes = renderWithServer(<ImportDialog onClose={() => undefined} />, {
    'GET /api/imports': { items, total: 1 },
    [`DELETE /api/imports/${id}`]: { removed: 3 },
  });
  await userEvent.click(
    await screen.findByRole('button', { name: /Undo the import of .*3 conversations/ }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Undo this import?' });
  expect(dialog.textContent).toContain('including messages that you added later');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Undo import' }));
  expect(await screen.findByText('3 conversations deleted.')).toBeTruthy();
  expect(writes.map(({ line }) => line)).toEqual([`DELETE /api/imports/${id}`]);
});

it.each([
  ['unknown', 'en', 'Invitation not valid', 'This invitation link is not valid.', 'Sign in'],
  ['unknown', 'de', 'Einladung ungültig', 'Dieser Einladungslink ist ungültig.', 'Anmelden'],
  ['invalid', 'de', 'Einladung ungültig', 'Dieser Einladungslink ist ungültig.', 'Anmelden'],
] as const)('rejects an %s invitation link in %s, and offers to sign in', async (...row) => {
  const [kind, language, title, text, signIn] = row;
  const refused = kind === 'invalid' ? refusal(403, 'forbidden') : refusal(404, 'not-found');
  const answers = { 'POST /api/invitations/find': () => refused };
  renderWithServer(<InvitationPage />, answers, language);
  expect(await screen.findByText(text, { exact: false })).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1, name: title })).toBeTruthy();
  expect(document.title).toBe(`${title} · Knowhow`);
  expect(screen.getByRole('link', { name: signIn }).getAttribute('href')).toBe('/login');
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByText('No.')).toBeNull();
});

it('focuses the heading when the invitation is revoked before its form is sent', async () => {
  const user = userEvent.setup();
  const revoked = () => refusal(404, 'not-found');
  const valid = { expiresAt: '2026-03-08T10:00:00.000Z', passwordMinLength: 8 };
  let find: () => unknown = () => valid;
  renderWithServer(<InvitationPage />, {
    'POST /api/invitations/find': () => find(),
    'POST /api/invitations/accept': revoked,
  });
  await user.type(await screen.findByLabelText('Name'), 'Ann');
  await user.type(screen.getByLabelText('User name'), 'ann');
  find = revoked;
  await user.type(screen.getByLabelText('Password'), 'seven calm herons{Enter}');
  const heading = await screen.findByRole('heading', { name: 'Invitation not valid' });
  expect(document.activeElement).toBe(heading);
});

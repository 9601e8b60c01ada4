import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { eventStream } from '../testing/event-stream.ts';
import { housesApp, quietConversation, renderChat } from '../testing/render-chat.tsx';
import { refusal } from '../testing/render-with-server.tsx';
import { uploadsByFetch } from '../testing/uploads-by-fetch.ts';

// Parts of the page are loaded on demand.
configure({ asyncUtilTimeout: 8000 });

const { id } = quietConversation;
const ids = {
  conversationId: id,
  messageId: id.replace(/..$/, '12'),
  userMessageId: id.replace(/..$/, '13'),
};
const answered = () =>
  eventStream(
    { type: 'session.start', ...ids, model: 'house', activeSkills: [] },
    { type: 'chunk', content: 'A plan.' },
    { type: 'done', finishReason: 'stop' },
  );
const taken = (name: string, more: object = {}) => ({
  ...{ id: `f-${name}`, name, type: 'text/plain', size: 2300, kind: 'text' },
  ...{ tokens: 600, length: 2300, ...more },
});
const field = () => screen.findByLabelText<HTMLTextAreaElement>('Message');
const chips = () => screen.findByRole('list', { name: 'Attached files' });

beforeEach(() => {
  uploadsByFetch();
  sessionStorage.clear();
});

function setUp(upload: unknown = taken('plan.txt')) {
  const writes = renderChat(() => quietConversation, {
    'POST /api/files': upload,
    [`POST /api/apps/chat/chat/${id}`]: answered,
    'DELETE /api/files/f-plan.txt': () => new Response(null, { status: 204 }),
  });
  return { writes, user: userEvent.setup() };
}

async function drop(...files: File[]) {
  const dataTransfer = { types: ['Files'], files };
  await waitFor(() => {
    fireEvent.dragEnter(window, { dataTransfer });
    expect(screen.getByText('Drop files to attach them')).toBeTruthy();
  });
  fireEvent.drop(window, { dataTransfer });
}

const textFile = (name: string, text = 'Step one.') => new File([text], name);

it('sends a dropped file with the message, and shows it there', async () => {
  const { writes, user } = setUp();
  await field();
  await drop(textFile('plan.txt'));
  const chip = await within(await chips()).findByText('2.3 kB · about 600 tokens');
  expect(chip).toBeTruthy();
  await user.type(await field(), 'What is this?{Enter}');
  await screen.findByText('A plan.');
  expect(writes.at(-1)?.body).toMatchObject({
    message: 'What is this?',
    attachments: ['f-plan.txt'],
  });
  const question = screen.getByRole('article', { name: 'Your message' });
  const link = await within(question).findByRole('link', { name: /plan\.txt/ });
  expect(link.getAttribute('href')).toBe('/api/files/f-plan.txt');
  expect(link.getAttribute('download')).toBe('plan.txt');
});

it('turns a long pasted text, or a pasted screenshot, into a file', async () => {
  const { writes, user } = setUp(taken('Pasted text.txt'));
  await user.click(await field());
  await user.paste('x'.repeat(20_001));
  await within(await chips()).findByText('Pasted text.txt');
  expect((await field()).value).toBe('');
  expect(writes.map(({ body }) => body)).toEqual(['x'.repeat(20_001)]);
  await user.paste('x'.repeat(20_000));
  expect((await field()).value).toHaveLength(20_000);
});

it('explains why a file was rejected, and blocks sending until it is removed', async () => {
  const { writes, user } = setUp(() => refusal(415, 'unsupported-type', 'unknown-kind'));
  await user.upload((await screen.findAllByLabelText('Attach files'))[1] as HTMLElement, [
    textFile('program.exe'),
  ]);
  expect((await screen.findByRole('alert')).textContent).toContain(
    'This file type is not supported.',
  );
  await user.type(await field(), 'Look{Enter}');
  expect(writes).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Remove program.exe' }));
  await user.type(await field(), '{Enter}');
  await screen.findByText('A plan.');
});

it('warns before sending a picture to a model without image support, and removes a file', async () => {
  const { writes, user } = setUp(taken('plan.txt', { kind: 'picture', type: 'image/png' }));
  await field();
  await drop(textFile('plan.txt'));
  await screen.findByText('House model does not support images; they will be ignored.');
  await user.click(screen.getByRole('button', { name: 'Remove plan.txt' }));
  await waitFor(() => expect(writes.at(-1)?.line).toBe('DELETE /api/files/f-plan.txt'));
  expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull();
});

it('searches, selects and sends server resources, with their source', async () => {
  const origin = { server: 'Office', uri: 'office:///plan.md' };
  const resources = [
    { uri: origin.uri, title: 'Plan for spring', description: 'Who does what.' },
    { uri: 'office:///menu.md', title: 'Menu', description: '' },
  ];
  let answer: unknown = refusal(409, 'conflict');
  const writes = renderChat(() => quietConversation, {
    'GET /api/apps': { items: [{ ...housesApp, offersResources: true }], total: 1 },
    'GET /api/apps/chat/resources': {
      items: [
        { id: 'office', title: 'Office', resources },
        { id: 'mail', title: 'Mail', resources: [], problem: 'Mail does not answer.' },
      ],
    },
    'POST /api/apps/chat/resources': () => answer,
    [`POST /api/apps/chat/chat/${id}`]: answered,
  });
  const user = userEvent.setup();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Attach files' }).getAttribute('aria-haspopup')).toBe(
      'menu',
    ),
  );
  await user.click(screen.getByRole('button', { name: 'Attach files' }));
  await user.click(await screen.findByRole('menuitem', { name: 'From connected servers' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Mail does not answer.')).toBeTruthy();
  await user.type(dialog.getByRole('searchbox'), 'spring');
  expect(dialog.queryByRole('button', { name: /Menu/ })).toBeNull();
  await user.click(dialog.getByRole('button', { name: /Plan for spring/ }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
  answer = taken('plan.md', { origin });
  await user.click(dialog.getByRole('button', { name: /Plan for spring/ }));
  expect((await chips()).textContent).toContain('from Office');
  expect(screen.queryByRole('dialog')).toBeNull();
  await waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Attach files'),
  );
  await user.type(await field(), 'Well?{Enter}');
  await waitFor(() =>
    expect(writes.at(-1)).toMatchObject({ body: { attachments: ['f-plan.md'] } }),
  );
});

import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { useAttachments } from './attachments/use-attachments.ts';
import { Composer } from './composer.tsx';
import { type Draft, emptyDraft } from './use-draft.ts';

const skill = (name: string, category?: string) => ({
  name,
  displayName: name,
  description: `About ${name}.`,
  userInvocable: true,
  tags: [],
  requiresTools: [],
  category,
});
const list = (...items: unknown[]) => ({ items, total: items.length });
const own = { canKeep: true, skills: [] as unknown[], prompts: [] as string[], recent: [] };
const skills = [skill('meeting-notes', 'Office'), skill('release-notes'), skill('tea-brewing')];
const answers = {
  '/api/favourites': own,
  '/api/skills': list(...skills),
  '/api/prompts': list({
    id: 'plain',
    name: 'Plain',
    description: '',
    prompt: 'Hi',
    variables: [],
  }),
};
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
const listbox = () => screen.findByRole('listbox', { name: 'Prompts and skills' });
const titles = async () =>
  within(await listbox())
    .getAllByRole('group')
    .map((group) => [
      within(group).getByRole('presentation').textContent,
      ...within(group)
        .getAllByRole('option')
        .map((option) => option.textContent?.replace(/About.*/, '')),
    ]);

function setUp(served: Record<string, unknown> = answers) {
  const onSend = vi.fn<(message: Draft) => void>();
  renderApp(<HeldComposer onSend={onSend} />, served);
  return { onSend, user: userEvent.setup() };
}

function HeldComposer({ onSend }: { onSend: (message: Draft) => void }) {
  const [draft, setDraft] = useState(emptyDraft);
  const attachments = useAttachments(draft, setDraft);
  const ref = useRef<HTMLTextAreaElement>(null);
  const rest = { skillsOff: [], inUse: [], busy: false, stopping: false, onStop: vi.fn() };
  return (
    <Composer
      {...rest}
      attachments={attachments}
      blind={undefined}
      appId="chat"
      onSend={onSend}
      field={ref}
      draft={draft}
      onDraft={setDraft}
    />
  );
}

it('opens in the middle of a message, and keeps the rest of it', async () => {
  const { user, onSend } = setUp();
  await user.type(field(), 'Sort these, please');
  await user.type(field(), ' with /mee', { initialSelectionStart: 10, initialSelectionEnd: 10 });
  expect(await titles()).toEqual([['Skills 1', 'meeting-notesOffice']]);
  await user.keyboard('{Enter}');
  expect(field().value).toBe('Sort these with , please');
  await user.keyboard('care{Enter}');
  expect(onSend).toHaveBeenCalledExactlyOnceWith({
    text: 'Sort these with care, please',
    skills: ['meeting-notes'],
  });
});

it.each(['see /etc/hosts', 'https://example.org/tea', 'either / or'])(
  'treats %j as text',
  async (text) => {
    const { user, onSend } = setUp();
    await user.type(field(), `${text}{Enter}`);
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ text, skills: [] });
  },
);

it('stays closed after Escape for that word, and opens for the next one', async () => {
  const { user } = setUp();
  await user.type(field(), 'the folder /te');
  await listbox();
  await user.keyboard('{Escape}a');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('{ArrowLeft}{ArrowRight}');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard(' and /te');
  await listbox();
});

it('lists favourites and recently used entries first, under headings with counts', async () => {
  const [, release, tea] = skills;
  setUp({
    ...answers,
    '/api/favourites': { ...own, skills: [tea], prompts: ['plain'], recent: [release, tea] },
  });
  await userEvent.setup().type(field(), '/');
  expect(await titles()).toEqual([
    ['Favourites 2', 'tea-brewing', 'Plain'],
    ['Recently used 1', 'release-notes'],
    ['Skills 1', 'meeting-notesOffice'],
  ]);
  expect(screen.getByText('4 results').getAttribute('role')).toBe('status');
});

it('makes the active row a favourite with Alt Enter, and keeps its position', async () => {
  let starred: unknown[] = [];
  const { user } = setUp({ ...answers, '/api/favourites': () => ({ ...own, skills: starred }) });
  await user.type(field(), '/notes');
  await listbox();
  await user.keyboard('{ArrowDown}');
  starred = [skills[1]];
  await user.keyboard('{Alt>}{Enter}{/Alt}');
  expect(await screen.findByRole('option', { name: /release-notes.*Favourite/ })).toMatchObject({
    ariaSelected: 'true',
  });
  expect(field().value).toBe('/notes');
});

it('offers no favourites to a guest', async () => {
  const { user } = setUp({ ...answers, '/api/favourites': { ...own, canKeep: false } });
  await user.type(field(), '/tea');
  await listbox();
  expect(screen.queryByTitle('Add tea-brewing to favourites')).toBeNull();
});

it('has a star for each skill in the list of skills', async () => {
  const { user } = setUp({ ...answers, '/api/favourites': { ...own, skills: [skills[2]] } });
  await user.click(screen.getByRole('button', { name: 'Skills in this conversation' }));
  const star = { name: 'Add tea-brewing to favourites', pressed: true };
  expect(await screen.findByRole('button', star)).toBeTruthy();
});

it('renders only rows in view, including the active one, and shows their number', async () => {
  const many = Array.from({ length: 200 }, (_, at) => skill(`skill-${at}`));
  const first = { items: many, total: 5_000, nextCursor: '200' };
  const { user } = setUp({ ...answers, '/api/skills': first });
  await user.type(field(), '/');
  await listbox();
  expect(screen.getAllByRole('option').length).toBeLessThan(25);
  expect(screen.getByText('5,001 results')).toBeTruthy();
  expect(screen.getByText('4,800 more skills: type a part of a name')).toBeTruthy();
  await user.keyboard('{ArrowUp}');
  const active = screen.getByRole('option', { selected: true });
  expect(active.textContent).toContain('Plain');
  expect(active.id).toBe(field().getAttribute('aria-activedescendant'));
  expect(active.getAttribute('aria-posinset')).toBe('201');
});

it('works even if the favourites cannot be loaded', async () => {
  const { user } = setUp({ ...answers, '/api/favourites': 'broken' });
  await user.type(field(), '/rel');
  await listbox();
  await waitFor(async () => {
    await user.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Remove release-notes' })).toBeTruthy();
  });
});

import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { useAttachments } from './attachments/use-attachments.ts';
import { Composer } from './composer.tsx';
import { type Draft, emptyDraft } from './use-draft.ts';

const skill = (name: string) => ({
  name,
  displayName: name,
  description: `About ${name}.`,
  userInvocable: true,
  tags: [],
  requiresTools: [],
});
const list = (...items: unknown[]) => ({ items, total: items.length });
const noneOwn = { canKeep: true, skills: [], prompts: [], recent: [] };
const answers = {
  '/api/favourites': noneOwn,
  '/api/skills': list(skill('meeting-notes'), skill('release-notes')),
  '/api/prompts': list(
    { id: 'plain', name: 'Plain', description: '', prompt: 'Explain: ', variables: [] },
    {
      id: 'trip',
      name: 'Packing list',
      description: '',
      prompt: 'Pack for [days] days in [place].',
      variables: [
        {
          name: 'days',
          label: 'Days',
          type: 'string',
          required: true,
          defaultValue: '3',
          options: [],
        },
        {
          name: 'place',
          label: 'Place',
          type: 'select',
          required: true,
          defaultValue: '',
          options: ['Oslo', 'Rome'],
        },
      ],
    },
  ),
};
const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
const listbox = () => screen.findByRole('listbox', { name: 'Prompts and skills' });

function setUp(busy = false, served: Record<string, unknown> = answers) {
  const onSend = vi.fn<(message: Draft) => void>();
  const onStop = vi.fn();
  renderApp(<HeldComposer busy={busy} onSend={onSend} onStop={onStop} />, served);
  return { onSend, onStop, user: userEvent.setup() };
}

interface HeldComposerProps {
  busy: boolean;
  onSend: (message: Draft) => void;
  onStop: () => void;
}

function HeldComposer(props: HeldComposerProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const ref = useRef<HTMLTextAreaElement>(null);
  const attachments = useAttachments(draft, setDraft);
  return (
    <Composer
      {...props}
      appId="chat"
      skillsOff={[]}
      inUse={[]}
      stopping={false}
      field={ref}
      draft={draft}
      attachments={attachments}
      blind={undefined}
      onDraft={setDraft}
    />
  );
}

describe('the composer', () => {
  it('sends with Enter, inserts a line break with Shift Enter, and sends nothing empty', async () => {
    const { user, onSend } = setUp();
    await user.type(field(), ' {Enter}');
    expect(onSend).not.toHaveBeenCalled();
    await user.type(field(), 'one{Shift>}{Enter}{/Shift}two{Enter}');
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ text: ' one\ntwo', skills: [] });
  });

  it('inserts a line break with Enter on an on-screen keyboard, and sends with the button', async () => {
    const { user, onSend } = setUp();
    const { matchMedia } = window;
    const isTouch = (query: string) => ({
      ...matchMedia(query),
      matches: /hover: none/.test(query),
    });
    vi.stubGlobal('matchMedia', isTouch);
    await user.type(field(), 'one{Enter}two');
    expect(onSend).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ text: 'one\ntwo', skills: [] });
  });

  it('queues a message while an answer is written, and can stop the answer', async () => {
    const { user, onSend, onStop } = setUp(true);
    await user.type(field(), 'next{Enter}');
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ text: 'next', skills: [] });
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(onStop).toHaveBeenCalledOnce();
  });

  it('lists the skills of the app, switches one off and on, and uses another at once', async () => {
    const { user, onSend } = setUp();
    await user.click(screen.getByRole('button', { name: 'Skills in this conversation' }));
    const name = 'Allow meeting-notes';
    await user.click(await screen.findByRole('switch', { name, checked: true }));
    await screen.findByRole('switch', { name, checked: false });
    await user.click(screen.getByRole('button', { name: 'Use release-notes now' }));
    const opener = { name: 'Skills in this conversation: 1 skill off' };
    await user.type(field(), 'go{Enter}');
    expect(onSend).toHaveBeenCalledExactlyOnceWith({
      text: 'go',
      skills: ['release-notes'],
      skillsOff: ['meeting-notes'],
    });
    await user.click(screen.getByRole('button', opener));
    await user.click(await screen.findByRole('button', { name: 'Switch on all' }));
    await screen.findByRole('switch', { name, checked: true });
  });

  it('opens the palette with /, and navigates it with the arrows', async () => {
    const { user } = setUp();
    await user.type(field(), '/');
    const options = within(await listbox()).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([
      'meeting-notesAbout meeting-notes.',
      'release-notesAbout release-notes.',
      'Plain',
      'Packing list',
    ]);
    expect(field().getAttribute('aria-expanded')).toBe('true');
    expect(field().getAttribute('aria-activedescendant')).toBe(options[0]?.id);
    await user.keyboard('{ArrowUp}');
    expect(field().getAttribute('aria-activedescendant')).toBe(options[3]?.id);
    await user.keyboard('{ArrowDown}{End}{Home}');
    expect(field().getAttribute('aria-activedescendant')).toBe(options[0]?.id);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(field().value).toBe('/');
  });

  it('turns a chosen skill into a chip that is sent by name and can be removed', async () => {
    const { user, onSend } = setUp();
    await user.type(field(), '/rel');
    await listbox();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Remove release-notes' })).toBeTruthy();
    await user.keyboard('{Backspace}');
    expect(screen.queryByRole('button', { name: 'Remove release-notes' })).toBeNull();

    await user.keyboard('/meet');
    await user.click(within(await listbox()).getByRole('option'));
    await user.keyboard('these please{Enter}');
    await waitFor(() =>
      expect(onSend).toHaveBeenCalledWith({ text: 'these please', skills: ['meeting-notes'] }),
    );
  });

  it('recognises typed skills, and turns names alone into chips', async () => {
    const { user, onSend } = setUp();
    await user.type(field(), '/meeting-notes /release-notes do both{Enter}');
    await waitFor(() =>
      expect(onSend).toHaveBeenCalledWith({
        text: 'do both',
        skills: ['meeting-notes', 'release-notes'],
      }),
    );
  });

  it('searches for several words, and ignores a name followed by text', async () => {
    const { user, onSend } = setUp();
    await user.type(field(), '/release notes');
    const options = within(await listbox()).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([
      'release-notesAbout release-notes.',
    ]);
    await user.clear(field());
    await user.type(field(), '/meeting-notes about');
    expect(screen.queryByRole('listbox')).toBeNull();
    await user.keyboard(' us{Enter}');
    await waitFor(() =>
      expect(onSend).toHaveBeenCalledWith({ text: 'about us', skills: ['meeting-notes'] }),
    );
  });

  it('reports an unknown skill before sending it as text', async () => {
    const { user, onSend } = setUp();
    await user.type(field(), '/meeting-nots do it{Enter}');
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /The skill “\/meeting-nots” is not available/,
    );
    expect(onSend).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(onSend).toHaveBeenCalledWith({ text: '/meeting-nots do it', skills: [] }),
    );
  });

  it('shows how many skills its list leaves out', async () => {
    const first = Array.from({ length: 8 }, (_, index) => skill(`a-${index}`));
    const skills = (query: URLSearchParams) =>
      query.get('query') ? list(skill('zebra')) : { items: first, total: 700, nextCursor: '8' };
    const { user } = setUp(false, { ...answers, '/api/skills': skills });
    await user.click(screen.getByRole('button', { name: 'Skills in this conversation' }));
    expect(await screen.findByText('692 more: search for them')).toBeTruthy();
    await user.type(screen.getByLabelText('Search skills'), 'z');
    expect(await screen.findByRole('switch', { name: 'Allow zebra' })).toBeTruthy();
    expect(screen.queryByText(/more: search/)).toBeNull();
  });

  it('searches the server if there are more skills than it loads', async () => {
    const first = Array.from({ length: 200 }, (_, index) => skill(`a-${index}`));
    const late = [skill('yearly-zebra-report'), skill('zebra-count')];
    const skills = (query: URLSearchParams) => {
      const typed = query.get('query');
      const fit = late.filter(({ name }) => typed && name.includes(typed));
      return typed ? list(...fit) : { items: first, total: 700, nextCursor: '200' };
    };
    const { user, onSend } = setUp(false, { ...answers, '/api/skills': skills });
    await user.type(field(), '/zebra');
    await waitFor(() =>
      expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
        'zebra-countAbout zebra-count.',
        'yearly-zebra-reportAbout yearly-zebra-report.',
      ]),
    );
    await user.clear(field());
    await user.type(field(), '/zebra-count the herd{Enter}');
    await waitFor(() =>
      expect(onSend).toHaveBeenCalledWith({ text: 'the herd', skills: ['zebra-count'] }),
    );
    await user.clear(field());
    await user.type(field(), '/yearly{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove yearly-zebra-report' })).toBeTruthy();
  });

  it('keeps a text that is too long, explains why, and does not send it', async () => {
    const { user, onSend } = setUp();
    await user.click(field());
    fireEvent.change(field(), { target: { value: 'x'.repeat(100_001) } });
    expect(field().value).toHaveLength(100_001);
    expect(screen.getByRole('alert').textContent).toMatch(/100,001 characters; at most 100,000/);
    await user.keyboard('{Enter}');
    expect(onSend).not.toHaveBeenCalled();
  });

  it('asks for the variables of a prompt, and inserts its text', async () => {
    const { user } = setUp();
    await user.type(field(), '/packing');
    await listbox();
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Packing list' }));
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /Days/ }).value).toBe('3');
    await user.selectOptions(dialog.getByRole('combobox', { name: /Place/ }), 'Rome');
    await user.click(dialog.getByRole('button', { name: 'Insert' }));
    expect(field().value).toBe('Pack for 3 days in Rome.');
  });

  it.each([
    ['Escape', undefined],
    ['“Cancel”', 'Cancel'],
    ['the close button', 'Close'],
    ['“Insert”', 'Insert'],
  ])('has the focus again after %s in the dialog of a prompt', async (_, name) => {
    const { user } = setUp();
    await user.type(field(), '/packing');
    await listbox();
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Packing list' }));
    const days = dialog.getByRole('textbox', { name: /Days/ });
    await waitFor(() => expect(document.activeElement).toBe(days));
    await (name ? user.click(dialog.getByRole('button', { name })) : user.keyboard('{Escape}'));
    await waitFor(() => expect(document.activeElement).toBe(field()));
  });

  it('inserts an MCP prompt as the server renders it', async () => {
    const trip = {
      ...{ id: 'travel/trip', name: 'Trip', description: 'Plans.', server: 'Travel', prompt: '' },
      variables: [
        {
          ...{ name: 'place', label: 'Where to', type: 'string', required: true },
          ...{ defaultValue: '', options: [] },
        },
      ],
    };
    const { user } = setUp(false, {
      ...answers,
      '/api/prompts': list(trip),
      '/api/prompts/fill': { text: 'Plan a trip to Rome.' },
    });
    await user.type(field(), '/trip');
    expect((await listbox()).textContent).toContain('Travel');
    await user.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Trip' }));
    expect(dialog.getByText('Provided by Travel')).toBeTruthy();
    await user.type(dialog.getByRole('textbox', { name: /Where to/ }), 'Rome');
    await user.click(dialog.getByRole('button', { name: 'Insert' }));
    await waitFor(() => expect(field().value).toBe('Plan a trip to Rome.'));
  });

  it('explains how to continue without a match', async () => {
    const { user } = setUp();
    await user.type(field(), '/zzzz');
    expect(await screen.findByText(/Nothing matches “zzzz”/)).toBeTruthy();
    expect(field().getAttribute('aria-expanded')).toBeNull();
  });
});

import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '../../../testing/render-app.tsx';
import { Answer } from './answer.tsx';

const activation = {
  name: 'meeting-notes',
  description: 'Sorts notes.',
  via: 'slash',
  tokens: 1200,
  checksum: 'c',
} as const;

const plain: AssistantMessage = {
  role: 'assistant',
  id: 'a',
  content: '',
  thinking: '',
  model: 'gpt',
  status: 'complete',
  finishReason: 'stop',
  activations: [],
  ended: [],
  toolCalls: [],
  createdAt: '2026-03-15T10:00:00Z',
};

function show(
  fields: Partial<AssistantMessage>,
  { isActive = true, language = 'en' }: { isActive?: boolean; language?: 'en' | 'de' } = {},
) {
  const onEndSkill = vi.fn();
  const onRetry = vi.fn();
  const onGoOn = vi.fn();
  renderApp(
    <Answer
      answer={{ ...plain, ...fields }}
      modelName="GPT"
      activeSkills={isActive ? [activation] : []}
      onEndSkill={onEndSkill}
      onRetry={onRetry}
      question=""
      isLast
      onGoOn={onGoOn}
      onFeedback={vi.fn()}
    />,
    {},
    language,
  );
  return { onEndSkill, onRetry, onGoOn, user: userEvent.setup() };
}

describe('an answer', () => {
  it('has a card for a skill with its description, how it was activated, and the files read', async () => {
    const version = { number: 4, digest: 'd' };
    const { user, onEndSkill } = show({
      activations: [{ ...activation, version }],
      toolCalls: [
        {
          id: '1',
          name: 'read_skill_resource',
          input: { skill_name: 'meeting-notes', file_path: 'references/a.md' },
          error: false,
          summary: 'references/a.md',
        },
      ],
    });
    const card = screen.getByRole('button', { name: 'Using meeting-notes' });
    expect(card.getAttribute('aria-expanded')).toBe('false');
    await user.click(card);
    expect(card.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByText('Sorts notes.')).toBeTruthy();
    expect(screen.getByText('Chosen by you with / · about 1,200 tokens · version 4')).toBeTruthy();
    expect(screen.getByText('references/a.md').tagName).toBe('CODE');
    await user.click(screen.getByRole('button', { name: 'Deactivate skill' }));
    expect(onEndSkill).toHaveBeenCalledExactlyOnceWith('meeting-notes');
  });

  it('shows its text, calls and skills in chronological order', async () => {
    const call = { error: false, summary: '', input: {} };
    show({
      content: 'Let me look.\n\nNow the notes.\n\nHere they are.',
      rounds: [
        { end: 12, calls: 1 },
        { end: 28, calls: 2 },
      ],
      activations: [{ ...activation, via: 'model' }],
      toolCalls: [
        { ...call, id: '0', name: 'weather', title: 'Weather', source: 'Office' },
        { ...call, id: '0', name: 'activate_skill', input: { skill_name: 'meeting-notes' } },
        { ...call, id: '1', name: 'pay', title: 'Pay', source: 'Bank' },
      ],
    });
    await screen.findByText('Here they are.');
    await screen.findByRole('button', { name: /^Pay/ });
    const text = screen.getByRole('article').textContent ?? '';
    const found = [
      'Let me look.',
      'Weather',
      'Now the notes.',
      'Using meeting-notes',
      'Pay',
      'Here they are.',
    ].map((words) => text.indexOf(words));
    expect(found).not.toContain(-1);
    expect(found).toEqual(found.toSorted((one, other) => one - other));
  });

  it("shows built-in tools by names in the reader's language, and no others", async () => {
    const call = { id: '0', input: {}, error: false, summary: '', title: 'Current time' };
    const toolCalls = [
      { ...call, name: 'current_time', source: 'Knowhow', toolKey: 'current_time' },
      { ...call, name: 'office__time', source: 'Office' },
    ];
    show({ toolCalls }, { language: 'de' });
    expect(await screen.findByRole('button', { name: 'Datum und Uhrzeit · Knowhow' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Current time · Office' })).toBeTruthy();
  });

  it('does not offer to deactivate a skill that has ended', async () => {
    const { user } = show({ activations: [activation] }, { isActive: false });
    await user.click(screen.getByRole('button', { name: 'Using meeting-notes' }));
    expect(screen.queryByRole('button', { name: 'Deactivate skill' })).toBeNull();
  });

  it('reports an ended skill once, with the latest reason', async () => {
    const name = 'meeting-notes';
    show({
      ended: [
        { name, reason: 'user' },
        { name, reason: 'not-available' },
      ],
    });
    expect(await screen.findByText(/no longer have access/)).toBeTruthy();
    expect(screen.getAllByText(/meeting-notes was deactivated/)).toHaveLength(1);
  });

  it.each([
    ['user', 'en', 'x was deactivated by you.'],
    ['not-available', 'en', /^x was deactivated because you no longer have access/],
    ['changed', 'en', 'x was updated to its latest version.'],
    ['replaced', 'en', 'x was reactivated with your new input.'],
    ['app', 'en', 'x was deactivated because this app no longer offers it.'],
    ['limit', 'en', /^x was deactivated: too many skills/],
    ['blocked', 'en', 'x was withdrawn by an administrator.'],
    ['user', 'de', 'x wurde von Ihnen deaktiviert.'],
    ['not-available', 'de', /^x wurde deaktiviert, weil Sie keinen Zugriff/],
    ['changed', 'de', 'x wurde auf die neueste Fassung aktualisiert.'],
    ['replaced', 'de', /^x wurde mit Ihren neuen Angaben/],
    ['app', 'de', 'x wurde deaktiviert, weil diese App ihn nicht mehr anbietet.'],
    ['limit', 'de', /^x wurde deaktiviert: Es waren zu viele/],
  ] as const)('says why a skill ended: %s, %s', async (reason, language, words) => {
    show({ ended: [{ name: 'x', reason }] }, { language });
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it.each([
    ['results-cleared', 'en', /^Older tool results were removed/],
    ['summarised', 'en', /^From here on, the model reads a summary/],
    ['left-out', 'en', /^Older messages no longer fit the context window/],
    ['results-cleared', 'de', /^Ältere Werkzeugergebnisse/],
    ['summarised', 'de', /^Ab hier liest das Modell eine Zusammenfassung/],
    ['left-out', 'de', /^Ältere Nachrichten passen nicht mehr ins Kontextfenster/],
  ] as const)('says what made room for it: %s, %s', async (code, language, words) => {
    show({ notices: [code], status: 'running' }, { language });
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it.each([
    ['choosing-skills', 'en', 'Choosing skills…'],
    ['summarising', 'en', 'Summarising older messages…'],
    ['choosing-skills', 'de', /^Skills werden ausgewählt/],
    ['summarising', 'de', /^Ältere Nachrichten werden zusammengefasst/],
  ] as const)('says what takes a while, until it has ended: %s, %s', (doing, language, words) => {
    show({ doing, status: 'running' }, { language });
    expect(screen.getByText(words)).toBeTruthy();
    cleanup();
    show({ doing, status: 'interrupted' }, { language });
    expect(screen.queryByText(words)).toBeNull();
  });

  it('does not mention a summary that did not fit the budget', async () => {
    show({ notices: ['results-cleared', 'summarised', 'left-out'] });
    expect(await screen.findByText(/^Older tool results/)).toBeTruthy();
    expect(screen.queryByText(/reads a summary/)).toBeNull();
    expect(screen.getByText(/no longer fit the context window/)).toBeTruthy();
  });

  it('that failed shows the reason, and offers one retry', async () => {
    const { user, onRetry } = show({
      status: 'failed',
      error: { code: 'model-rate-limited', message: 'GPT asks for 20 seconds.' },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('GPT asks for 20 seconds.');
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('that is empty says so, and offers a retry', async () => {
    const { user, onRetry } = show({
      content: '',
      thinking: 'Hmm.',
      status: 'failed',
      error: { code: 'model-empty', message: 'The model "GPT" returned an empty answer.' },
    });
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The model returned an empty answer.',
    );
    await user.click(await screen.findByRole('button', { name: 'Retry' }));
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('that used up its tokens before any text offers a retry', async () => {
    show({ content: '', finishReason: 'length' });
    expect((await screen.findAllByRole('button', { name: 'Retry' })).length).toBeGreaterThan(0);
  });

  it("that failed shows an administrator the provider's message", async () => {
    const error = { code: 'model-unauthorized', message: 'Ask.', reason: '401 bad_org: No such.' };
    show({ status: 'failed', error });
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The provider says: 401 bad_org: No such.',
    );
  });

  it.each([
    [{ status: 'stopped' }, 'You stopped this answer.'],
    [{ status: 'interrupted' }, /interrupted/],
    [{ finishReason: 'length' }, /length limit/],
    [{ finishReason: 'tool-limit' }, /tool calls/],
  ] as const)('says how it ended: %j', async (fields, words) => {
    show(fields);
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it.each([
    [{ finishReason: 'length' }],
    [{ finishReason: 'tool-limit' }],
    [{ status: 'stopped' }],
  ] as const)('is gone on with after a cut: %j', async (fields) => {
    const { user, onGoOn } = show({ content: 'The first half', ...fields });
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    expect(onGoOn).toHaveBeenCalledOnce();
  });

  it('that is complete, or has no text, cannot be continued', async () => {
    show({ content: 'All of it.', finishReason: 'stop' });
    show({ content: '', status: 'stopped' });
    await screen.findByText('You stopped this answer.');
    await screen.findByRole('button', { name: 'Copy' });
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
  });

  it('shows in its head which model wrote it', () => {
    show({ content: 'All of it.' });
    expect(screen.getByText('GPT')).toBeTruthy();
  });

  it('shows tags as text, and loads no remote picture', async () => {
    show({ content: '<b onclick="x">bold</b> ![chart](https://example.org/x.png)' });
    const link = await screen.findByRole('link', { name: 'chart (example.org)' });
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.getByText(/<b onclick="x">/)).toBeTruthy();
  });

  it('links to its trace once it has ended, for readers with access', async () => {
    const onTrace = vi.fn();
    const answer = { ...plain, content: 'Done.' };
    const shared = {
      ...{ modelName: 'GPT', activeSkills: [], question: '', isLast: false },
      ...{ onEndSkill: vi.fn(), onFeedback: vi.fn(), onRetry: vi.fn(), onGoOn: vi.fn() },
    };
    renderApp(
      <>
        <Answer {...shared} answer={answer} />
        <Answer {...shared} answer={{ ...answer, status: 'running' }} onTrace={onTrace} />
        <Answer {...shared} answer={{ ...answer, id: 'shown' }} onTrace={onTrace} />
      </>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'What the model saw' }));
    expect(onTrace).toHaveBeenCalledExactlyOnceWith('shown');
  });
});

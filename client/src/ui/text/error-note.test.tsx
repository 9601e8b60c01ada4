import { type Problem, problem } from '@knowhow/shared/problem';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { ErrorNote } from './error-note.tsx';

const issue = (path: string, code: string) => ({
  issues: [{ path, code, message: 'What the server says.' }],
});

test.each<[string, Problem, string]>([
  ['a code', problem('wrong-code', 'No.'), 'Der Code ist falsch.'],
  ['a taken name', problem('name-taken', 'No.'), 'Wählen Sie einen anderen.'],
  ['an expired password', problem('password-expired', 'No.'), 'Bitten Sie die Administration'],
  ['a file', problem('upload-expired', 'No.'), 'Laden Sie die Datei noch einmal hoch.'],
  [
    'a common password',
    problem('invalid-request', 'No.', issue('password', 'common')),
    'zu häufig',
  ],
  [
    'a short password',
    problem('invalid-request', 'No.', issue('password', 'too_small')),
    'ist zu kurz',
  ],
  [
    'a user name',
    problem('invalid-request', 'No.', issue('username', 'username')),
    'Dieser Benutzername ist nicht erlaubt.',
  ],
  [
    'a limit',
    problem('too-many-requests', 'No.', { retryAfter: 300 }),
    'Versuchen Sie es in 5 Minuten erneut.',
  ],
  [
    'a quota',
    problem('quota-used-up', 'No.', { retryAfter: 7200 }),
    'Versuchen Sie es in 2 Stunden erneut.',
  ],
  [
    'a busy server',
    problem('not-ready', 'No.', { retryAfter: 5 }),
    'Versuchen Sie es in 5 Sekunden erneut.',
  ],
])(
  'says in German what is wrong with %s, without the words of the server',
  async (_, error, text) => {
    renderWithServer(<ErrorNote error={error} />, {}, 'de');
    const note = await screen.findByRole('alert');
    expect(note.textContent).toContain(text);
    expect(note.textContent).not.toMatch(/No\.|What the server says|englisch/);
  },
);

test('folds the English message of the server in a German page, marked as English', async () => {
  renderWithServer(
    <ErrorNote error={problem('conflict', 'You have 50 keys already.')} />,
    {},
    'de',
  );
  const summary = await screen.findByText('Meldung des Servers (englisch)');
  expect(summary.closest('details')?.open).toBe(false);
  expect(screen.getByText('You have 50 keys already.').lang).toBe('en');
  expect(screen.getByText('Das widerspricht dem aktuellen Stand.')).toBeTruthy();
});

test('shows the message of the server at once in an English page', async () => {
  renderWithServer(<ErrorNote error={problem('conflict', 'You have 50 keys already.')} />, {});
  const detail = await screen.findByText('You have 50 keys already.');
  expect(detail.closest('details')).toBeNull();
});

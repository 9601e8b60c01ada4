import { Notifications } from '@mantine/notifications';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderApp } from '../../../testing/render-app.tsx';
import { DictateButton } from './dictate-button.tsx';
import type { Recognition } from './recognition.ts';

let heard: FakeRecognition;

/** The browser's speech recognition, missing in jsdom. */
class FakeRecognition implements Recognition {
  lang = '';
  continuous = false;
  interimResults = false;
  onresult: Recognition['onresult'] = null;
  onerror: Recognition['onerror'] = null;
  onend: Recognition['onend'] = null;
  constructor() {
    heard = this;
  }
  start = vi.fn();
  stop = () => this.onend?.();
  abort = () => this.onend?.();
  say = (...parts: string[]) =>
    act(() => this.onresult?.({ results: parts.map((transcript) => [{ transcript }]) }));
}

function Composer() {
  const [text, setText] = useState('Dear');
  return (
    <>
      <textarea
        aria-label="Message"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Notifications />
      <DictateButton text={text} onText={setText} />
    </>
  );
}

const message = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
const stopButton = () => screen.queryByRole('button', { name: 'Stop dictating' });

beforeEach(() => {
  localStorage.removeItem('knowhow-dictation');
  vi.stubGlobal('webkitSpeechRecognition', FakeRecognition);
});
afterEach(() => vi.unstubAllGlobals());

it('inserts speech as text while the user speaks, after a privacy notice', async () => {
  renderApp(<Composer />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Dictate' }));
  const question = within(await screen.findByRole('dialog'));
  expect(question.getByText(/may send the audio to its vendor/)).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Dictate' }));
  expect(heard.start).toHaveBeenCalled();
  heard.say(' Ana');
  expect(message().value).toBe('Dear Ana');
  heard.say(' Ana,', ' thank you');
  expect(message().value).toBe('Dear Ana, thank you');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.type(message(), '!');
  await waitFor(() => expect(stopButton()).toBeNull());
  heard.say(' more');
  expect(message().value).toBe('Dear Ana, thank you!');
});

it('explains errors, and is hidden if the browser does not support it', async () => {
  localStorage.setItem('knowhow-dictation', 'yes');
  renderApp(<Composer />);
  await userEvent.click(screen.getByRole('button', { name: 'Dictate' }));
  act(() => {
    heard.onerror?.({ error: 'not-allowed' });
    heard.onend?.();
  });
  expect(await screen.findByText(/blocks the microphone/)).toBeTruthy();
  expect(stopButton()).toBeNull();
  cleanup();
  vi.stubGlobal('webkitSpeechRecognition', undefined);
  renderApp(<Composer />);
  expect(screen.queryByRole('button', { name: 'Dictate' })).toBeNull();
});

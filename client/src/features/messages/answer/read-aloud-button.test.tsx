import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderApp } from '../../../testing/render-app.tsx';
import { SpeechContext } from '../../../ui/text/speech-context.ts';
import { ReadAloudButton } from './read-aloud-button.tsx';

interface Spoken {
  text: string;
  lang: string;
  voice?: { name: string } | null;
  onend?: () => void;
  onerror?: () => void;
}
const queue: Spoken[] = [];
const speech = {
  getVoices: () => [
    { name: 'Far away', lang: 'de-DE', localService: false, default: true },
    { name: 'Here', lang: 'de-DE', localService: true, default: false },
  ],
  speak: (utterance: Spoken) => queue.push(utterance),
  cancel: () => {
    for (const { onerror } of queue.splice(0)) {
      onerror?.();
    }
  },
};

function Answer({ html }: { html: string }) {
  const shown = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={shown}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a text of the test */}
        <div data-markdown dangerouslySetInnerHTML={{ __html: html }} />
      </div>
      <ReadAloudButton shown={shown} />
    </>
  );
}

afterEach(() => vi.unstubAllGlobals());

it('an answer is read by a local voice, without its code, until another one starts', async () => {
  vi.stubGlobal('speechSynthesis', speech);
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class {
      text: string;
      constructor(text: string) {
        this.text = text;
      }
    },
  );
  renderApp(
    <SpeechContext value={['output']}>
      <Answer html="<p>Das ist <b>gut</b>. Und nun?</p><pre>x = 1</pre><ul><li>Ein Punkt<ul><li>Noch einer</li></ul></li></ul>" />
      <Answer html="<p>This is the other.</p>" />
    </SpeechContext>,
  );
  const user = userEvent.setup();
  const [first, second] = screen.getAllByRole('button', { name: 'Read aloud' });
  await user.click(first as HTMLElement);
  expect(queue.map(({ text }) => text)).toEqual([
    'Das ist gut.',
    'Und nun?',
    'Ein Punkt',
    'Noch einer',
  ]);
  expect(queue[0]).toMatchObject({ lang: 'de', voice: { name: 'Here' } });
  expect(first?.getAttribute('aria-label')).toBe('Stop reading');
  await user.click(second as HTMLElement);
  expect(queue.map(({ text, lang }) => [text, lang])).toEqual([['This is the other.', 'en']]);
  expect(first?.getAttribute('aria-label')).toBe('Read aloud');
  act(() => queue[0]?.onend?.());
  expect(second?.getAttribute('aria-label')).toBe('Read aloud');
});

it('is hidden if the installation does not allow it', () => {
  vi.stubGlobal('speechSynthesis', speech);
  renderApp(<Answer html="<p>Well.</p>" />);
  expect(screen.queryByRole('button')).toBeNull();
});

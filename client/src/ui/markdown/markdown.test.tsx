import { act, screen } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { WorkerInPage } from '../../testing/worker-in-page.ts';
import { Markdown } from './markdown.tsx';
import type { MarkdownTask } from './parse-markdown.ts';

const notice = 'Shown as plain text because it is too complex or too long to format.';

/** A worker that hangs on text with `hard`. */
const asked: string[] = [];
let questions = 0;
class SlowWorker extends WorkerInPage {
  override postMessage(tasks: MarkdownTask[]): void {
    questions += 1;
    asked.push(...tasks.map(({ text }) => text));
    if (!tasks.some(({ text }) => text.includes('hard'))) {
      super.postMessage(tasks);
    }
  }
}

function show(element: ReactElement): void {
  vi.useFakeTimers();
  asked.length = 0;
  questions = 0;
  vi.stubGlobal('Worker', SlowWorker);
  renderApp(element);
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const headings = () => screen.queryAllByRole('heading').map(({ textContent }) => textContent);

afterEach(() => vi.useRealTimers());

describe('Markdown', () => {
  it('shows a block that takes too long as raw text, and formats the others', async () => {
    show(<Markdown text={'# One\n\nhard **two**\n\n# Three'} streaming={false} />);
    await pass(6_000);
    expect(screen.getByText('hard **two**')).toBeTruthy();
    expect(screen.getByText(notice)).toBeTruthy();
    expect(headings()).toEqual(['One', 'Three']);
  });

  it('shows no such note while parsing', async () => {
    show(<Markdown text="hard" streaming={false} />);
    await pass(500);
    expect(screen.queryByText(notice)).toBeNull();
  });

  it('does not retry a block that timed out when it grows, but when it is edited', async () => {
    function Growing() {
      const [text, setText] = useState('hard');
      return (
        <>
          <button type="button" onClick={() => setText(`${text} more`)}>
            More
          </button>
          <button type="button" onClick={() => setText('# Easy')}>
            Easier
          </button>
          <Markdown text={text} streaming />
        </>
      );
    }
    show(<Growing />);
    await pass(6_000);
    act(() => screen.getByText('More').click());
    await pass(6_000);
    expect(screen.getByText('hard more')).toBeTruthy();
    expect(asked).toEqual(['hard']);
    act(() => screen.getByText('Easier').click());
    await pass(0);
    expect(headings()).toEqual(['Easy']);
    expect(screen.queryByText(notice)).toBeNull();
  });

  it('batches short blocks, so that many are shown at once', async () => {
    show(<Markdown text={'# Part\n\n'.repeat(200)} streaming={false} />);
    await pass(100);
    expect(headings()).toHaveLength(200);
    expect(questions).toBeLessThan(10);
  });

  it('parses the end of a long text first', async () => {
    show(<Markdown text={'first\n\nsecond\n\nthird'} streaming={false} />);
    await pass(100);
    expect(asked.map((text) => text.trim())).toEqual(['first', 'third', 'second']);
  });
});

import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { ImageHostsContext } from './image-hosts-context.ts';
import { Markdown } from './markdown.tsx';
import { toRichText } from './rich-text.ts';

const show = (...texts: string[]) =>
  renderApp(
    <div>
      {texts.map((text) => (
        <article key={text}>
          <Markdown text={text} streaming={false} />
        </article>
      ))}
    </div>,
  );
const frame = () => document.querySelector('iframe');
const say = (data: unknown, source = frame()?.contentWindow ?? null) =>
  act(async () => {
    window.dispatchEvent(new MessageEvent('message', { data, source }));
  });

afterEach(() => vi.useRealTimers());

describe('an answer', () => {
  it('renders formulas, and the TeX of an invalid one', async () => {
    show('So $E = mc^2$ but \\(\\nothing\\).');
    await waitFor(() => expect(document.querySelector('math')).toBeTruthy());
    expect(screen.getByText('\\(\\nothing\\)').tagName).toBe('CODE');
  });

  it('hides an incomplete formula, and always shows the text around it', async () => {
    function Growing() {
      const [text, setText] = useState('# Title\n\nSo \\(x^');
      return (
        <>
          <button type="button" onClick={() => setText('# Title\n\nSo \\(x^2\\).')}>
            More
          </button>
          <Markdown text={text} streaming />
        </>
      );
    }
    renderApp(<Growing />);
    await waitFor(() => expect(screen.getByText(/^So/).textContent).toBe('So'));
    const title = await screen.findByRole('heading');
    fireEvent.click(screen.getByText('More'));
    await waitFor(() => expect(document.querySelector('math')).toBeTruthy());
    expect(screen.getByRole('heading')).toBe(title);
  });

  it('has unique footnote IDs, also in two identical answers', async () => {
    show('One[^1].\n\n[^1]: first', 'Two[^1].\n\n[^1]: second');
    await waitFor(() => expect(screen.getAllByRole('link', { name: '1' })).toHaveLength(2));
    const ids = [...document.querySelectorAll('article [id]')].map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(ids.length);
    const [, second] = screen.getAllByRole('link', { name: '1' });
    await userEvent.click(second as HTMLElement);
    expect(document.activeElement?.textContent).toContain('second');
    expect(location.hash).toBe('');
    await userEvent.click(
      within(document.activeElement as HTMLElement).getByRole('link', { name: 'Back to the text' }),
    );
    expect(document.activeElement).toBe(second);
  });

  it('keeps its parts until its footnotes are rendered after streaming', async () => {
    function Ending() {
      const [streaming, setStreaming] = useState(true);
      return (
        <>
          <button type="button" onClick={() => setStreaming(false)}>
            End
          </button>
          <Markdown text={'# Title\n\nOne[^1].\n\n[^1]: note'} streaming={streaming} />
        </>
      );
    }
    renderApp(<Ending />);
    await screen.findByText('One[^1].');
    const seen: boolean[] = [];
    const observer = new MutationObserver(() => seen.push(screen.queryByText('Title') !== null));
    observer.observe(document.body, { childList: true, subtree: true });
    fireEvent.click(screen.getByText('End'));
    await screen.findByText('note');
    observer.disconnect();
    expect(seen).not.toContain(false);
    expect(screen.getAllByText('Title')).toHaveLength(1);
  });

  it('renders collapsible sections', async () => {
    show('<details>\n<summary>More</summary>\n\nInner **text**\n\n</details>\n\nAfter');
    const summary = await screen.findByText('More');
    expect(summary.closest('details')?.open).toBe(false);
    expect(summary.closest('details')?.textContent).toContain('Inner text');
    expect(screen.getByText('After').closest('details')).toBeNull();
  });

  it('collapses long code, and expands it on request', async () => {
    const code = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n');
    show(`\`\`\`\n${code}\n\`\`\``);
    const button = await screen.findByRole('button', { name: 'Show all 60 lines' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(button);
    expect(screen.getByRole('button', { name: 'Show fewer lines', expanded: true })).toBeTruthy();
  });

  it('renders an SVG as a picture with its code behind it', async () => {
    show('```svg\n<svg viewBox="0 0 9 9"><title>A dot</title><circle r="1"/></svg>\n```');
    const picture = await screen.findByRole('img', { name: 'A dot' });
    expect(picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml,/);
    expect(screen.queryByRole('group', { name: 'Code' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show code' }));
    expect(screen.getByRole('group', { name: 'Code' }).textContent).toContain('<circle r="1"/>');
  });

  it('shows an SVG with active content as code, and explains why', async () => {
    show('```svg\n<svg><script>alert(1)</script></svg>\n```');
    expect(await screen.findByText(/it contains potentially unsafe content/)).toBeTruthy();
    expect(screen.queryByRole('img')).toBeNull();
    expect(document.querySelector('script')).toBeNull();
  });
});

describe('a diagram', () => {
  const diagram = '```mermaid\ngraph LR; A-->B\n```';

  it('is drawn in a sandboxed frame that is removed afterwards, and shown as a picture', async () => {
    show(diagram);
    await waitFor(() => expect(frame()).toBeTruthy());
    expect(frame()?.getAttribute('sandbox')).toBe('allow-scripts');
    await say({ type: 'drawn', svg: '<svg>forged</svg>' }, window);
    expect(screen.queryByRole('img')).toBeNull();
    await say({ type: 'ready' });
    await say({ type: 'drawn', svg: '<svg>drawn</svg>' });
    expect(screen.getByRole('img', { name: 'Diagram' }).getAttribute('src')).toContain('drawn');
    expect(frame()).toBeNull();
  });

  it('that is invalid is shown as code with the error', async () => {
    show(diagram);
    await waitFor(() => expect(frame()).toBeTruthy());
    await say({ type: 'wrong', reason: 'Parse error on line 1' });
    expect(screen.getByText(/cannot be rendered: Parse error on line 1/)).toBeTruthy();
    expect(screen.getByRole('group', { name: 'Code' }).textContent).toContain('A-->B');
  });

  it('that never finishes is aborted', async () => {
    vi.useFakeTimers();
    show(diagram);
    await act(() => vi.advanceTimersByTimeAsync(100));
    await say({ type: 'ready' });
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.getByText(/cannot be rendered: rendering takes too long/)).toBeTruthy();
    expect(frame()).toBeNull();
  });

  it('is shown as code while it is being written', async () => {
    renderApp(<Markdown text={diagram.slice(0, -3)} streaming />);
    expect((await screen.findByRole('group', { name: 'Code' })).textContent).toContain('A-->B');
    expect(frame()).toBeNull();
  });
});

describe('a picture from another host', () => {
  const text = '![chart](https://img.example.org/x.png?secret=1)';

  it('is shown as a URL that is not loaded if the host is not allowed', async () => {
    show(text);
    const link = await screen.findByRole('link', { name: 'chart (img.example.org)' });
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(screen.getByText('https://img.example.org/x.png?secret=1')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
    expect(document.querySelector('img')).toBeNull();
  });

  it('is loaded on click if the host is allowed', async () => {
    renderApp(
      <ImageHostsContext value={['img.example.org']}>
        <Markdown text={`${text} ![other](https://example.org/y.png)`} streaming={false} />
      </ImageHostsContext>,
    );
    const button = await screen.findByRole('button', { name: 'Load from img.example.org' });
    expect(document.querySelector('img')).toBeNull();
    await userEvent.click(button);
    const picture = screen.getByRole('img', { name: 'chart' });
    expect(picture.getAttribute('src')).toBe('https://img.example.org/x.png?secret=1');
    expect(picture.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(screen.queryByRole('button')).toBeNull();
    fireEvent.error(picture);
    expect(screen.getByText('The picture could not be loaded.')).toBeTruthy();
  });
});

it('shows the first column of an Arabic or Hebrew table on the right', async () => {
  renderApp(<Markdown text={'| الاسم | العدد |\n|---|---|\n| أ | 1 |'} streaming={false} />);
  expect((await screen.findByRole('table')).getAttribute('dir')).toBe('auto');
});

it('is copied as HTML for word processors: tables with borders, formulas as TeX, no buttons', async () => {
  show(
    '# A\n\n| a | b |\n|---|---|\n| **1** | $x^2$ |\n\n- [x] done\n\n```js\nlet a;\n```\n\n' +
      '<details>\n<summary>More</summary>\n\nin [it](https://example.org)\n\n</details>',
  );
  await waitFor(() => expect(document.querySelector('math')).toBeTruthy());
  await screen.findByText('More');
  const html = toRichText(document.querySelector('article') as Element);
  expect(html).toContain('<table border="1" cellpadding="6" cellspacing="0">');
  expect(html).toContain('<td><strong>1</strong></td><td>$x^2$</td>');
  expect(html).toContain('☑');
  expect(html).toContain('<pre>let a;</pre>');
  expect(html).toContain(
    '<p><strong>More</strong></p><p>in <a href="https://example.org">it</a></p>',
  );
  expect(html).not.toMatch(/class=|<button|<svg|<figure|<math|<details/);
});

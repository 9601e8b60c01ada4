import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { createGuardedFetch } from '../../../platform/lib/guarded-fetch.ts';
import { cpuTime } from '../../../testing/cpu-time.ts';
import { listenOn } from '../../../testing/listen-on.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ToolCall } from '../tool.ts';
import { builtinTools } from './builtin-tools.ts';
import { currentTimeTool } from './current-time-tool.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { ExpressionError } from './expression-tokens.ts';
import { pageLimits } from './fetch-page-tool.ts';
import { createPageReader } from './read-page.ts';

function call(signal = new AbortController().signal, id = 'ada'): ToolCall {
  return { signal, caller: { id }, progress: () => undefined } as unknown as ToolCall;
}

async function run(
  name: string,
  input: unknown,
  allowed: string[] = ['127.0.0.1'],
  { by = call(), reader = createPageReader(1) } = {},
) {
  const guarded = createGuardedFetch({ allowPrivate: () => allowed });
  onTestFinished(guarded.close);
  const source = builtinTools({
    fetch: guarded.within(pageLimits),
    reader,
  });
  const tool = (await source.list({} as never)).find((each) => each.name === name);
  return tool?.run(input, by);
}

const childProcesses = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;

async function page(html: string | Buffer, headers: Record<string, string> = {}) {
  const http = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
  });
  return `http://127.0.0.1:${await listenOn(http)}/`;
}

describe('current_time', () => {
  const at = (date: string, input: unknown) =>
    currentTimeTool(() => new Date(date)).run(input, call());

  test.each([
    ['2026-07-01T22:30:00Z', 'Europe/Berlin', 'Thursday, 2026-07-02T00:30:00+02:00', 27],
    ['2026-12-31T23:59:59Z', 'UTC', 'Thursday, 2026-12-31T23:59:59+00:00', 53],
    ['2027-01-03T12:00:00Z', 'UTC', 'Sunday, 2027-01-03T12:00:00+00:00', 53],
    ['2026-01-01T05:00:00Z', 'Asia/Kathmandu', 'Thursday, 2026-01-01T10:45:00+05:45', 1],
    ['2026-01-01T05:00:00Z', 'America/New_York', 'Thursday, 2026-01-01T00:00:00-05:00', 1],
  ])('%s in %s is %s', async (date, time_zone, text, week) => {
    const { content, isError } = await at(date, { time_zone });
    expect(isError).toBe(false);
    expect(content).toBe(`${text} (${time_zone}), calendar week ${week}`);
  });

  test('uses the time zone of the server by default', async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    expect((await at('2026-01-01T05:00:00Z', {})).content).toContain(`(${timeZone})`);
  });

  test.each([
    [{ time_zone: 'Mars/North' }, 'no time zone "Mars/North"'],
    [{ zone: 1 }, 'zone'],
  ])('reports an error for %j', async (input, text) => {
    const { isError, content } = await at('2026-01-01T05:00:00Z', input);
    expect(isError).toBe(true);
    expect(content).toContain(text);
  });
});

describe('calculate', () => {
  test.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['-2 ^ 2', '-4'],
    ['2 ^ 3 ^ 2', '512'],
    ['2 ** -1', '0.5'],
    ['0.1 + 0.2', '0.3'],
    ['1.5e3 / .5', '3000'],
    ['-7 % 3', '2'],
    ['10 − 4 × 2 ÷ 8', '9'],
    ['5! / 3!', '20'],
    ['round(1.005, 2)', '1.01'],
    ['round(-2.5)', '-3'],
    ['round(1234.5, -2)', '1200'],
    ['round(1234.56 * 0.19, 2)', '234.57'],
    ['SQRT(2)^2', '2'],
    ['log(8, 2) + ln(e) + log10(1000)', '7'],
    ['max(1, 2, min(9, 4)) + mean(1, 2) + median(3, 1, 2)', '7.5'],
    ['sin(pi / 2) + cos(tau)', '2'],
    ['2 ^ 53 - 1', '9007199254740991'],
    ['2 ^ 100', '1.26765060022823e+30 (rounded to 15 digits)'],
  ])('%s is %s', async (expression, result) => {
    expect(await run('calculate', { expression })).toMatchObject({
      isError: false,
      content: `${expression} = ${result}`,
    });
  });

  test.each([
    ['', 'expression'],
    ['1 +', 'At the end, a number is missing'],
    ['1 2', 'Before "2", an operator'],
    ['(1', 'a ")" is missing'],
    ['1)', 'Before ")", an operator'],
    ['1,5', 'Before ",", an operator'],
    ['sqrt', 'sqrt is a function'],
    ['sqrt()', 'does not take 0 values'],
    ['sin(1, 2)', 'does not take 2 values'],
    ['foo(1)', 'There is no "foo"'],
    ['constructor', 'There is no "constructor"'],
    ['__proto__', '"__proto__" is no part'],
    ['process.exit()', '".exit()" is no part'],
    ['a => 1', '"=> 1" is no part'],
    ['"a" + 1', 'is no part'],
    ['1 / 0', 'divides by zero'],
    ['1 % 0', 'divides by zero'],
    ['sqrt(-1)', 'no finite result'],
    ['9 ^ 9 ^ 9', 'no finite result'],
    ['171!', 'from 0 to 170'],
    ['1.5!', 'from 0 to 170'],
    [`${'('.repeat(101)}1${')'.repeat(101)}`, 'more than 100 deep'],
    ['-'.repeat(1999), 'more than 100 deep'],
    ['1'.repeat(2001), 'expression'],
  ])('reports an error for %s', async (expression, text) => {
    const result = await run('calculate', { expression });
    expect(result?.isError).toBe(true);
    expect(result?.content).toContain(text);
  });

  test.each([
    ['digits', '9'.repeat(2000)],
    ['powers', `${'9^'.repeat(999)}9`],
    ['factorials', `170${'!'.repeat(1990)}`],
    ['arguments', `max(${'1,'.repeat(990)}1)`],
    ['blanks', `1${' '.repeat(1998)}x`],
    ['points', '.'.repeat(2000)],
    ['exponents', '1e'.repeat(1000)],
  ])('is fast for many %s (ReDoS)', (_, expression) => {
    const evaluate = () => {
      try {
        evaluateExpression(expression);
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionError);
      }
    };
    evaluate();
    expect(cpuTime(evaluate)).toBeLessThan(200);
  });
});

describe('fetch_page', () => {
  const text = 'People read this sentence because it says something about the matter. '.repeat(6);
  const article = `<!doctype html><html><head><title>A guide — Site</title>
    <script>alert(1)</script><style>p { color: red }</style></head>
    <body><nav><a href="/imprint">Imprint</a></nav><article><h1>A guide</h1>
    <p>${text}<b>Bold</b>   words.</p><h2>Steps</h2><ul><li>One <a href="more?a=1">more</a></li><li>Two</li></ul>
    <pre><code>if (a)
  b();</code></pre><table><tr><th>Name</th><td>Value</td></tr></table><p>${text}</p>
    <p><a href="javascript:alert(1)">Bad</a> <a href="mailto:a@example.org">Mail</a></p></article></body></html>`;

  test('returns title, text and links of a page', async () => {
    const url = await page(article);
    const result = await run('fetch_page', { url });
    expect(result).toMatchObject({ isError: false, summary: expect.stringContaining('A guide') });
    expect(result?.content).toContain(`Content of ${url}, written by others`);
    expect(result?.content).toContain('## Steps\n\n- One more\n- Two');
    expect(result?.content).toContain('```\nif (a)\n  b();\n```');
    expect(result?.content).toContain('| Name | Value |');
    expect(result?.content).toContain('Bold words.');
    expect(result?.content).toContain(`Links:\n- more: ${url}more?a=1`);
    expect(result?.content).not.toMatch(/alert|color: red|mailto/);
  });

  test('returns a long page in parts', async () => {
    const paragraphs = Array.from({ length: 600 }, (_, count) => `<p>Number ${count}. ${text}</p>`);
    const url = await page(`<html><body><article>${paragraphs.join('')}</article></body></html>`);
    const first = await run('fetch_page', { url });
    expect(first?.content).toMatch(/Number 0\..*Continue with from: 20000\.\]/s);
    const second = await run('fetch_page', { url, from: 20_000 });
    expect(second?.content).not.toContain('Number 0.');
    expect(second?.content).toContain('Continue with from: 40000.');
  });

  test.each([
    ['the encoding of the server', 'text/html; charset=iso-8859-1', ''],
    ['the encoding of the page', 'text/html', '<meta charset="iso-8859-1">'],
  ])('decodes text by %s', async (_, type, meta) => {
    const html = Buffer.from(`<html><head>${meta}</head><body>Größe</body></html>`, 'latin1');
    const result = await run('fetch_page', { url: await page(html, { 'content-type': type }) });
    expect(result?.content).toContain('Größe');
  });

  test('returns plain text unchanged', async () => {
    const url = await page('# As it is\n<b>', { 'content-type': 'text/markdown' });
    expect((await run('fetch_page', { url }))?.content).toContain('# As it is\n<b>');
  });

  test.each([
    ['an invalid address', 'example', ['127.0.0.1'], 'is no address'],
    ['another protocol', 'file:///etc/passwd', ['127.0.0.1'], 'only http and https'],
    ['a private address', undefined, [], 'is a private address'],
  ])('reports an error for %s', async (_, address, allowed, expected) => {
    const url = address ?? (await page(article));
    const result = await run('fetch_page', { url }, allowed);
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining(expected) });
  });

  test('reports errors for non-text, missing and oversized pages', async () => {
    const packed = gzipSync(Buffer.alloc(11 * 1024 * 1024, 'a'));
    const large = await page(packed, { 'content-encoding': 'gzip' });
    const content = async (url: string) => (await run('fetch_page', { url }))?.content;
    expect(await content(await page('', { 'content-type': 'image/png' }))).toContain('image/png');
    expect(await content(large)).toContain('sent more than');
    const missing = createServer((_request, response) => response.writeHead(404).end());
    const url = `http://127.0.0.1:${await listenOn(missing)}/`;
    expect(await content(url)).toContain('answered 404');
  });

  test.each([
    ['a million nested tags', '<div>'.repeat(1_000_000)],
    ['a million sibling tags', '<p>a'.repeat(1_000_000)],
    ['a tag of ten million bytes', `<a ${'b="c" '.repeat(1_600_000)}`],
    ['a million open links', '<a href="/x">'.repeat(750_000)],
    ['the maximum number of tags', '<i>'.repeat(250_000)],
    ['only angle brackets', '<'.repeat(10_000_000)],
  ])('survives %s', async (_, html) => {
    const url = await page(html);
    const result = await run('fetch_page', { url });
    expect(result?.content).toMatch(/could not be read|Content of/);
    expect((await run('calculate', { expression: '1' }))?.isError).toBe(false);
  });

  test('aborts when the turn is stopped', async () => {
    const http = createServer(() => undefined);
    const url = `http://127.0.0.1:${await listenOn(http)}/`;
    const stop = new AbortController();
    const result = run('fetch_page', { url }, ['127.0.0.1'], { by: call(stop.signal) });
    stop.abort(new Error('stopped'));
    await expect(result).rejects.toThrow('stopped');
  });

  /** Takes longer to read than a page may. */
  const slow = '<div>'.repeat(1_000_000);

  test('ends the process that reads a page when the turn is stopped', async () => {
    const url = await page(slow);
    const reader = createPageReader(2);
    const stop = new AbortController();
    const other = new AbortController();
    const read = (by: ToolCall) => run('fetch_page', { url }, ['127.0.0.1'], { by, reader });
    const earlier = read(call(other.signal, 'ben'));
    await waitFor(() => childProcesses() === 1);
    const stopped = read(call(stop.signal)).catch(getErrorMessage);
    await waitFor(() => childProcesses() === 2);
    stop.abort(new Error('stopped'));
    expect(await Promise.race([earlier, stopped])).toBe('stopped');
    await waitFor(() => childProcesses() === 1);
    other.abort();
    await Promise.allSettled([earlier]);
    await waitFor(() => childProcesses() === 0);
  });

  test('refuses pages when too many of one user wait, and reads those of others', async () => {
    const url = await page(slow);
    const quick = await page(article);
    const reader = createPageReader(2);
    const stop = new AbortController();
    const pages = Array.from({ length: 6 }, () =>
      run('fetch_page', { url }, ['127.0.0.1'], { by: call(stop.signal), reader }),
    );
    const refused = await Promise.race(pages);
    expect(refused).toMatchObject({ isError: true, summary: 'cannot be read' });
    expect(refused?.content).toContain('Too many pages are being read at once');
    const others = { by: call(undefined, 'ben'), reader };
    const read = await run('fetch_page', { url: quick }, ['127.0.0.1'], others);
    expect(read?.content).toContain('Title: A guide');
    stop.abort(new Error('stopped'));
    await Promise.allSettled(pages);
    await waitFor(() => childProcesses() === 0);
    // The places in the queue are free again.
    expect(await run('fetch_page', { url: quick }, ['127.0.0.1'], { reader })).toMatchObject({
      isError: false,
    });
  });
});

import { afterEach, expect, it, vi } from 'vitest';
import { importWith } from './import-with.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

function stubFetch(answers: (Response | Error)[]) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const answer = answers.shift() ?? new Response('');
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  });
  return asked;
}

it.each([
  ['cannot be reached', new TypeError('Failed to fetch')],
  ['is not there any more', new Response('', { status: 404 })],
])('imports nothing while a script %s, and requests it again', async (why, failure) => {
  const file = `assets/lost-${why.length}.js`;
  const asked = stubFetch([failure]);
  const load = vi.fn(async () => 'loaded');
  await expect(importWith(load, [file])).rejects.toThrow();
  expect(load).not.toHaveBeenCalled();
  await expect(importWith(load, [file])).resolves.toBe('loaded');
  await expect(importWith(load, [file])).resolves.toBe('loaded');
  expect(asked).toEqual([`/${file}`, `/${file}`]);
});

it('requests a failed style sheet again, but not a loaded one', async () => {
  const load = async () => 'loaded';
  const links = () => [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const first = importWith(load, ['assets/lost.css']);
  links()[0]?.dispatchEvent(new Event('error'));
  await expect(first).rejects.toThrow('/assets/lost.css');
  expect(links()).toEqual([]);
  const second = importWith(load, ['assets/lost.css']);
  links()[0]?.dispatchEvent(new Event('load'));
  await expect(second).resolves.toBe('loaded');
  await expect(importWith(load, ['assets/lost.css'])).resolves.toBe('loaded');
  expect(links()).toHaveLength(1);
});

it('imports at once what needs no files', async () => {
  await expect(importWith(async () => 'loaded')).resolves.toBe('loaded');
});

import { expect, type Locator, type Page } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { lookRarely } from '../look-rarely.ts';
import { say } from '../provider-script.ts';

const keys = 30;

test('in a conversation of 2,000 messages keys appear immediately, and nothing jumps', async ({
  chat,
  page,
  provider,
}) => {
  test.setTimeout(120_000);
  const broken: Error[] = [];
  page.on('pageerror', (error) => broken.push(error));
  provider.plays(say('Two herons, **one** egret.'));
  await chat.open();
  await chat.send('What did we count?');
  await expect(chat.log.getByText('egret')).toBeVisible();
  await chat.waitUntilSettled();
  await expect(page).toHaveURL(/\/c\//);
  await repeatMessages(page, 1000);

  const opened = await timeToOpen(page);
  await expect(chat.log.getByText('Question 999?')).toBeInViewport();
  await expect(chat.log.getByRole('article')).toHaveCount(2000);

  await chat.composer.focus();
  const times = await timesOfKeys(page);
  const median = times.sort((one, other) => one - other)[keys / 2] ?? Number.NaN;
  console.log(`2,000 messages: open in ${opened.toFixed()} ms, a key in ${median.toFixed()} ms`);
  expect(median).toBeLessThan(500);
  expect(opened).toBeLessThan(10_000);

  // Messages out of view are in the document, and can be scrolled to.
  const early = chat.log.getByText('Question 3?');
  await early.scrollIntoViewIfNeeded();
  await expect(early).toBeInViewport();
  await expect(chat.button('Jump to latest')).toBeVisible();
  // It is formatted when it comes near.
  await waitUntilFormatted(page, 3);
  await upwards(page);
  await chat.button('Jump to latest').click();
  await expect(chat.log.getByText('Question 999?')).toBeInViewport();

  // As a search does.
  await page.evaluate(() => {
    history.pushState(null, '', '#00000000-0000-4000-8000-000000000602');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(chat.log.getByText('Question 301?')).toBeInViewport();
  await expect(chat.log.locator('article:focus')).toContainText('Question 301?');
  expect(broken).toEqual([]);
});

test('a reader at the end stays there when something above shrinks while the answer grows', async ({
  chat,
  page,
  provider,
}) => {
  provider.plays(say('Two herons.\n\n'.repeat(60)));
  await chat.open();
  await chat.send('What did we count?');
  await chat.waitUntilSettled();
  const { grow, distance } = await growingLog(chat.log);
  await grow({ above: 2000, below: 0 });
  await expect.poll(distance).toBeLessThan(4);
  await grow({ above: 1900, below: 170 });
  await expect.poll(distance).toBeLessThan(4);

  // The viewport grows for a moment, as while the field below is measured, without scrolling.
  await chat.log.evaluate((log) => {
    const scroller = log.parentElement as HTMLElement;
    scroller.style.height = 'calc(100% + 150px)';
    scroller.getBoundingClientRect();
    scroller.style.removeProperty('height');
  });
  await grow({ above: 1900, below: 300 });
  await expect.poll(distance).toBeLessThan(4);

  await chat.log.hover();
  await page.mouse.wheel(0, -200);
  await expect.poll(distance).toBeGreaterThan(150);
  await grow({ above: 1900, below: 600 });
  await expect.poll(distance).toBeGreaterThan(400);
});

/**
 * Adds elements of variable height above and below the messages. Returns a function that measures the
 * distance to the end.
 */
async function growingLog(log: Locator) {
  const added = await log.evaluateHandle((element) => {
    const [above, below] = [document.createElement('p'), document.createElement('p')];
    element.prepend(above);
    element.append(below);
    return { above, below, scroller: element.parentElement as HTMLElement };
  });
  return {
    grow: (heights: { above: number; below: number }) =>
      added.evaluate(({ above, below }, { above: over, below: under }) => {
        above.style.height = `${over}px`;
        below.style.height = `${under}px`;
      }, heights),
    distance: () =>
      added.evaluate(
        ({ scroller }) => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop,
      ),
  };
}

/** Repeats the questions and answers of the shown conversation this many times, from the next request on. */
async function repeatMessages(page: Page, times: number): Promise<void> {
  await page.route(/\/api\/conversations\/[0-9a-f-]{36}$/, async (route) => {
    const response = await route.fetch();
    const { messages, ...rest } = await response.json();
    const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const repeated = Array.from({ length: times }, (_, number) => [
      { ...messages[0], id: idOf(2 * number), content: `Question ${number}?` },
      { ...messages[1], id: idOf(2 * number + 1), content: answer(number) },
    ]);
    await route.fulfill({ response, json: { ...rest, messages: repeated.flat() } });
  });
}

function answer(number: number): string {
  const points = Array.from({ length: number % 7 }, (_, point) => `- point ${point}`).join('\n');
  return `## Part ${number}\n\nThe **count** of it.\n\n${points}\n\n\`\`\`ts\nlet it = ${number};\n\`\`\``;
}

/** From the arrival of the conversation to the first frame that shows its end, in ms. */
async function timeToOpen(page: Page): Promise<number> {
  await page.reload();
  await page.getByText('Question 999?').waitFor({ timeout: 30_000 });
  return page.evaluate(() => {
    const arrived = performance
      .getEntriesByType('resource')
      .filter(({ name }) => /\/conversations\/[0-9a-f-]{36}$/.test(name))
      .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
    return performance.now() - Math.max(...arrived);
  });
}

/** From each key event to its frame, in ms. */
async function timesOfKeys(page: Page): Promise<number[]> {
  const times = await page.evaluateHandle(() => {
    const measured: number[] = [];
    const measure = ({ timeStamp }: KeyboardEvent) =>
      requestAnimationFrame(() => setTimeout(() => measured.push(performance.now() - timeStamp)));
    addEventListener('keydown', measure, { capture: true });
    return measured;
  });
  for (let key = 1; key <= keys; key += 1) {
    await page.keyboard.press('h');
    await expect.poll(() => times.evaluate(({ length }) => length)).toBe(key);
  }
  return times.jsonValue();
}

/** Waits until the heading of an answer is in view. */
async function waitUntilFormatted(page: Page, number: number): Promise<void> {
  const heading = page.getByRole('heading', { name: `Part ${number}`, exact: true });
  await lookRarely(() => expect(heading).toBeInViewport({ timeout: 1 }));
}

/**
 * Scrolls up past messages that were never laid out. The visible ones must move down by exactly that
 * distance.
 */
async function upwards(page: Page): Promise<void> {
  await page.getByText('Question 600?').scrollIntoViewIfNeeded();
  await waitUntilFormatted(page, 600);
  await page.getByText('Question 600?').hover();
  for (let step = 0; step < 10; step += 1) {
    const seen = page.getByText(/^Question \d+\?$/);
    const before = await positions(page);
    await page.mouse.wheel(0, -100);
    await expect.poll(async () => haveMoved(before, await positions(page), 100)).toBe(true);
    await expect(seen.first()).toBeAttached();
  }
}

type Positions = Record<string, number>;

/** Positions of the visible questions, by their text, in px. */
async function positions(page: Page): Promise<Positions> {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('[aria-label="Your message"]')]
        .map(
          (element) =>
            [element.textContent, Math.round(element.getBoundingClientRect().top)] as const,
        )
        .filter(([, top]) => top > 0 && top < innerHeight),
    ),
  );
}

/** Whether everything that stayed in view has moved by this many px, within rounding. */
function haveMoved(before: Positions, after: Positions, by: number): boolean {
  const ways = Object.entries(before).flatMap(([words, top]) => {
    const now = after[words];
    return now === undefined ? [] : [now - top];
  });
  return ways.length > 0 && ways.every((way) => Math.abs(way - by) <= 1);
}

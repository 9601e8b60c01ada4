import { randomUUID } from 'node:crypto';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { findChromium } from '../find-chromium.ts';
import { longConversation, runTurns } from './long-conversation.ts';
import { median, quantile } from './statistics.ts';

export interface ThreadFigures {
  openMs: number;
  heapMb: number;
  longestTaskMs: number;
  frameMs: number;
  paintMs: number;
}

const openings = 5;
/** So fast that the next token arrives before the frame of the last one. */
const stream = 'bench tokens=1000 wait=500 every=10';
const streamTimeout = 60_000;

/** Opens long conversations of a Knowhow in a browser, and continues one. */
export async function measureThread(url: string): Promise<ThreadFigures> {
  const browser = await chromium.launch(await findChromium());
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const paintMs = await firstPaint(page, url);
    const long = await conversation(context, url, longConversation);
    const short = await conversation(context, url, 200);
    await page.goto(url);
    const open: number[] = [];
    for (let opening = 0; opening < openings; opening++) {
      await page.goto(url);
      open.push(await timeToOpen(page, long));
    }
    const heapMb = await measureHeapMb(page);
    await page.goto(`${url}/c/${short}`);
    return { openMs: median(open), heapMb, ...(await streamInto(page)), paintMs };
  } finally {
    await browser.close();
  }
}

/** ID of a new conversation with this many messages, owned by the browser's user. */
async function conversation(context: BrowserContext, url: string, messages: number) {
  const id = randomUUID();
  const cookies = await context.cookies(url);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  await runTurns(`${url}/api/apps/chat/chat/${id}`, { cookie, origin: url }, messages / 2);
  return id;
}

/** In milliseconds after navigation start. */
async function firstPaint(page: Page, url: string): Promise<number> {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      Object.assign(globalThis, { paintedMs: list.getEntries().at(-1)?.startTime });
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => (globalThis as unknown as { paintedMs: number }).paintedMs);
}

/** From the click on its title in the list to the frame with its last message in view, in milliseconds. */
async function timeToOpen(page: Page, id: string): Promise<number> {
  const link = page.locator(`a[href="/c/${id}"]`);
  await link.waitFor();
  await page.waitForLoadState('networkidle');
  return link.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        (element as HTMLElement).click();
        const look = () => {
          const last = [...document.querySelectorAll('[role=log] article')].at(-1);
          const box = last?.getBoundingClientRect();
          if (box && box.bottom > 0 && box.bottom < innerHeight) {
            resolve(performance.now() - began);
          } else {
            requestAnimationFrame(look);
          }
        };
        requestAnimationFrame(look);
      }),
  );
}

/** JavaScript heap after a garbage collection, in MB. */
async function measureHeapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

async function streamInto(page: Page) {
  const composer = page.getByLabel('Message', { exact: true });
  await composer.fill(stream);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const seen = { longest: 0, frames: [] as number[] };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      seen.longest = Math.max(seen.longest, ...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask' });
  });
  await composer.press('Enter');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { frames: number[] } };
    let before = performance.now();
    const look = (now: number) => {
      seen.frames.push(now - before);
      before = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page
    .getByRole('button', { name: 'Stop' })
    .waitFor({ state: 'detached', timeout: streamTimeout });
  const { longest, frames } = await page.evaluate(
    () => (globalThis as unknown as { seen: { longest: number; frames: number[] } }).seen,
  );
  return { longestTaskMs: longest, frameMs: quantile(frames, 0.95) };
}

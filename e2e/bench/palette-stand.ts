import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { findChromium } from '../find-chromium.ts';
import { startKnowhow } from '../start-knowhow.ts';
import { median, quantile } from './statistics.ts';

export const paletteSkills = 5_000;

/** Milliseconds in the page: from the key event until the list is in the document and laid out. */
export interface PaletteFigures {
  listMs: number;
  /** Until the known entries are ranked by the current input. */
  keyMs: number;
  /** 95th percentile of `keyMs`. */
  slowKeyMs: number;
  /** Until the server's ranking has arrived. */
  rankedMs: number;
}

const openings = 15;
/** Longer than the server takes to respond to a key. */
const settleMs = 250;
const words = ['review', 'budget', 'travel'];

/** Types into the palette of a Knowhow with thousands of skills. */
export async function measurePalette(): Promise<PaletteFigures> {
  const knowhow = await startKnowhow({ prepare: writePaletteSkills });
  const browser = await chromium.launch(await findChromium());
  try {
    const page = await browser.newPage();
    await page.goto(knowhow.url);
    const composer = page.getByLabel('Message');
    await composer.click();
    await page.waitForLoadState('networkidle');
    await page.evaluate(watchKeys);
    const list: number[] = [];
    const keys: number[] = [];
    const ranked: number[] = [];
    for (let opening = 0; opening < openings; opening++) {
      await composer.fill('');
      list.push((await press(page, '/')).listMs);
      for (const letter of words[opening % words.length] ?? '') {
        const { listMs, rankedMs } = await press(page, letter);
        keys.push(listMs);
        ranked.push(rankedMs);
      }
    }
    return {
      listMs: median(list),
      keyMs: median(keys),
      slowKeyMs: quantile(keys, 0.95),
      rankedMs: median(ranked),
    };
  } finally {
    await browser.close();
    await knowhow.dispose();
  }
}

interface KeyLatency {
  listMs: number;
  rankedMs: number;
}

async function press(page: Page, key: string): Promise<KeyLatency> {
  await page.keyboard.press(key);
  await wait(settleMs);
  return page.evaluate(() => (globalThis as unknown as { lastKey: KeyLatency }).lastKey);
}

/**
 * Runs in the page: records when a key went down, and when the list next changed and last changed. Forces
 * layout before taking the time, as painting would.
 */
function watchKeys(): void {
  const latency = { began: 0, listMs: 0, rankedMs: 0 };
  Object.assign(globalThis, { lastKey: latency });
  addEventListener(
    'keydown',
    () => Object.assign(latency, { began: performance.now(), listMs: 0, rankedMs: 0 }),
    { capture: true },
  );
  new MutationObserver(() => {
    const list = document.querySelector('[data-palette] [role=listbox]');
    if (list) {
      list.getBoundingClientRect();
      const ms = performance.now() - latency.began;
      latency.listMs ||= ms;
      latency.rankedMs = ms;
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

const verbs = ['Reviews', 'Plans', 'Drafts', 'Checks', 'Explains'];
const things = ['budget', 'contract', 'travel', 'release', 'invoice', 'meeting', 'review'];

async function writePaletteSkills(contentsDir: string): Promise<void> {
  const folder = join(contentsDir, 'skills');
  await rm(folder, { recursive: true });
  for (let at = 0; at < paletteSkills; at++) {
    const thing = things[at % things.length] ?? '';
    const verb = verbs[at % verbs.length] ?? '';
    const name = `${thing}-${verb.toLowerCase()}-${at}`;
    const description = `${verb} a ${thing} the way we do it. Use when a user asks for ${thing} number ${at}.`;
    await mkdir(join(folder, name), { recursive: true });
    const head = `---\nname: ${name}\ndescription: ${description}\n---\n`;
    await writeFile(join(folder, name, 'SKILL.md'), `${head}\n# ${name}\n\nDo it with care.\n`);
  }
}

import { expect } from '@playwright/test';
import { knowhowTest as test } from '../knowhow-test.ts';
import { dump } from '../provider-script.ts';

const notice = 'Shown as plain text';

// Each of these blocked a Markdown parser on the main thread for many seconds, or minutes.
const answers = {
  'nested quotes': '> '.repeat(10_000),
  'a formula of macros': `\\(\\def\\a{${'x'.repeat(150)}}${'\\a'.repeat(70)}\\)`.repeat(150),
  'emphasis in emphasis': '**_a'.repeat(15_000),
  'links in links': '[a]('.repeat(40_000),
  'runs of stars': `${'*'.repeat(25_000)}a${'*'.repeat(25_000)}`,
  'a long list': '- a\n'.repeat(50_000),
  'very many paragraphs': 'a\n\n'.repeat(60_000),
};

/** Answers that are shown without the notice, with a part of their text. */
const shown: Record<string, RegExp> = { 'a formula of macros': /\\def\\a\{xxx/ };

for (const [name, text] of Object.entries(answers)) {
  test(`${name} as an answer does not block typing`, async ({ chat, page, provider }) => {
    await page.addInitScript(() => {
      const tasks: number[] = [];
      Object.assign(globalThis, { tasks });
      const note = (list: PerformanceObserverEntryList) => {
        tasks.push(...list.getEntries().map(({ duration }) => duration));
      };
      new PerformanceObserver(note).observe({ type: 'longtask' });
    });
    provider.plays(dump(text));
    await chat.open();
    await chat.send('Go on.');
    await chat.waitUntilSettled();
    await chat.composer.pressSequentially('Still here');
    await expect(chat.composer).toHaveValue('Still here');
    const unformatted = chat.log.getByText(shown[name] ?? notice).first();
    await expect(unformatted).toBeVisible();

    await page.reload();
    await chat.waitUntilReady();
    await expect(unformatted).toBeVisible();
    // A multiple of the time on an idle machine, and a fraction of the time before the fix.
    const longest = await page.evaluate(() =>
      Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks),
    );
    expect(longest).toBeLessThan(1_500);
  });
}

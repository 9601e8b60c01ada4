import { test as base, expect } from '@playwright/test';
import { ChatPage } from './chat-page.ts';
import { addTestContents } from './prepare-contents.ts';
import { ScriptedProvider } from './scripted-provider.ts';
import { addScriptedModel, type Knowhow, startKnowhow } from './start-knowhow.ts';

interface WorkerFixtures {
  workerProvider: ScriptedProvider;
  knowhow: Knowhow;
}

interface TestFixtures {
  /** The scripted model's server, with nothing scripted and nothing recorded. */
  provider: ScriptedProvider;
  chat: ChatPage;
  /** Fails a test in which a page breaks its content security policy. */
  heldPolicy: undefined;
}

/** A test with the built product, its default model played by `provider`. */
export const knowhowTest = base.extend<TestFixtures, WorkerFixtures>({
  workerProvider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from here
    async ({}, use) => {
      const provider = await ScriptedProvider.start();
      await use(provider);
      provider.stop();
    },
    { scope: 'worker' },
  ],
  knowhow: [
    async ({ workerProvider }, use) => {
      const knowhow = await startKnowhow({
        prepare: async (contentsDir) => {
          await addTestContents(contentsDir);
          await addScriptedModel(contentsDir, workerProvider.url);
        },
      });
      await use(knowhow);
      await knowhow.dispose();
    },
    { scope: 'worker' },
  ],
  provider: async ({ workerProvider }, use) => {
    workerProvider.reset();
    await use(workerProvider);
  },
  heldPolicy: [
    async ({ context }, use) => {
      const broken = new Set<string>();
      await context.exposeBinding('reportBroken', (_source, what: string) => broken.add(what));
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', (event) => {
          const { reportBroken } = globalThis as unknown as {
            reportBroken: (what: string) => void;
          };
          reportBroken(`${event.effectiveDirective} ${event.blockedURI} in ${event.sourceFile}`);
        });
      });
      await use(undefined);
      expect([...broken]).toEqual([]);
    },
    { auto: true },
  ],
  baseURL: async ({ knowhow }, use) => {
    await use(knowhow.url);
  },
  chat: async ({ page, provider: _ }, use) => {
    await use(new ChatPage(page));
  },
});

import { test as base } from '@playwright/test';
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
  baseURL: async ({ knowhow }, use) => {
    await use(knowhow.url);
  },
  chat: async ({ page, provider: _ }, use) => {
    await use(new ChatPage(page));
  },
});

import { type BrowserContext, test as base, expect, request } from '@playwright/test';
import { AdminPage, signInAdmin } from './admin-page.ts';
import { ChatPage } from './chat-page.ts';
import { addTestContents } from './prepare-contents.ts';
import { ScriptedProvider } from './scripted-provider.ts';
import { addScriptedModel, type Knowhow, startKnowhow } from './start-knowhow.ts';

interface WorkerFixtures {
  workerProvider: ScriptedProvider;
  knowhow: Knowhow;
  /** A shared `admin` session per worker; no test may end it. Signing in hashes a password, which is slow. */
  adminState: StorageState;
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

interface TestFixtures {
  /** The scripted model's server, with nothing scripted and nothing recorded. */
  provider: ScriptedProvider;
  chat: ChatPage;
  /** `page`, with `admin` signed in. */
  admin: AdminPage;
  /** Fails a test if a page violates its content security policy (CSP). */
  cspGuard: undefined;
}

/** A test with the built product; `provider` plays its default model. */
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
      const knowhow = await startWith(workerProvider);
      await use(knowhow);
      await knowhow.dispose();
    },
    { scope: 'worker' },
  ],
  adminState: [
    async ({ knowhow }, use) => {
      const visitor = await request.newContext();
      await signInAdmin(visitor, knowhow.url);
      await use(await visitor.storageState());
      await visitor.dispose();
    },
    { scope: 'worker' },
  ],
  provider: async ({ workerProvider }, use) => {
    workerProvider.reset();
    await use(workerProvider);
  },
  cspGuard: [
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
  admin: async ({ adminState, context, knowhow, page }, use) => {
    await context.addCookies(adminState.cookies);
    await use(new AdminPage(page, knowhow.url));
  },
});

type ChangeContents = (contentsDir: string) => Promise<void>;

/** The same, with a change to the contents. */
export function testWithContents(change: ChangeContents) {
  return knowhowTest.extend({
    knowhow: [
      async ({ workerProvider }, use) => {
        const knowhow = await startWith(workerProvider, change);
        await use(knowhow);
        await knowhow.dispose();
      },
      { scope: 'worker' },
    ],
  });
}

/** Starts the product with the contents of all tests and the scripted model. */
function startWith(provider: ScriptedProvider, change?: ChangeContents): Promise<Knowhow> {
  return startKnowhow({
    prepare: async (contentsDir) => {
      await addTestContents(contentsDir);
      await addScriptedModel(contentsDir, provider.url);
      await change?.(contentsDir);
    },
  });
}

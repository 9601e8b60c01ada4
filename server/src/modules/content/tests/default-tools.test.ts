import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { agentFlow, createTextZip } from '../../../testing/foreign-skills.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

const contents = fileURLToPath(new URL('../../../../../contents/', import.meta.url));

let server: TestServer;
afterEach(() => server.close());

/** A server as installed, except for its model. */
async function startAsShipped() {
  const folder = await temporaryFolder();
  await cp(contents, join(folder, 'contents'), { recursive: true });
  const model = scriptedModel(says('Yes.'));
  server = await startTestServer({ folder, model: model.ask });
  const offered = async (app: string) => {
    await takeTurn(server.visitor(), { message: 'What time is it?', app });
    const names = model.requests.at(-1)?.tools.map(({ name }) => name) ?? [];
    return names.filter((name) => !/skill/.test(name));
  };
  return { offered };
}

test.each(['chat', 'data-analysis', 'legal-review', 'writing'])(
  'as shipped, %s offers everyone the tools without side effects',
  async (app) => {
    const { offered } = await startAsShipped();
    expect(await offered(app)).toEqual(['ask_user', 'calculate', 'current_time']);
  },
);

test("as shipped, a skill's tool comes with the skill", async () => {
  const { offered } = await startAsShipped();
  const steps = [{ type: 'llmInstruction', config: { instruction: 'Say hello.' } }];
  const zip = createTextZip({ 'agent-flows/a.json': agentFlow(steps) });
  const admin = await signInAdmin(server);
  expect((await postArchive(admin, 'import', zip, 'application/zip')).ok).toBe(true);
  expect(await offered('chat')).toContain('flow_weather_report');
  expect(await offered('writing')).not.toContain('flow_weather_report');
});

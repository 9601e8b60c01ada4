import { healthApi } from '@knowhow/shared/health';
import { runnerApi } from '@knowhow/shared/runner';
import { expect, onTestFinished, test } from 'vitest';
import { parseAnswer } from '../testing/parse-answer.ts';
import { type EngineRule, startScriptedEngine } from '../testing/scripted-engine.ts';
import { signInAdmin } from '../testing/sign-in-admin.ts';
import { startTestServer } from '../testing/start-test-server.ts';

async function start(wanted: string, rule?: EngineRule) {
  const engine = await startScriptedEngine(rule);
  const environment = { SCRIPT_RUNNER: wanted, DOCKER_HOST: `tcp://127.0.0.1:${engine.port}` };
  const server = await startTestServer({ environment });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const { scripts } = await parseAnswer(healthApi.ready.response, admin('/api/ready'));
  const state = await parseAnswer(runnerApi.state.response, admin('/api/admin/runner'));
  return { scripts, state, calls: engine.calls() };
}

test('it is said that containers run scripts, what they run, and what is missing', async () => {
  const { scripts, state } = await start('container', ({ call }) =>
    call === 'GET /images/node:22-slim/json' ? { status: 404 } : undefined,
  );
  expect(scripts).toEqual({ tier: 'container', status: 'ready' });
  expect(state).toMatchObject({
    ...{ tier: 'container', status: 'ready', keepsCopies: false },
    runtimes: { python: '3.12.1', sh: '5.2' },
    warnings: [expect.stringContaining('Get it with "docker pull node:22-slim"')],
  });
});

test('an engine that cannot be used is away, with the reason', async () => {
  const { scripts, state } = await start('container', () => ({ mute: true, ending: 'cut' }));
  expect(scripts).toEqual({ tier: 'container', status: 'away' });
  expect(state).toMatchObject({ status: 'away', runtimes: {} });
  expect(state.warnings).toEqual([expect.stringContaining('cannot be reached')]);
});

test.each(['auto', 'off'])('an engine is not even asked with SCRIPT_RUNNER=%s', async (wanted) => {
  const { calls, state } = await start(wanted);
  expect(calls).toEqual([]);
  expect(state.tier).not.toBe('container');
});

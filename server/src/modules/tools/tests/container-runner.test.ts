import { healthApi } from '@knowhow/shared/config/health';
import { runnerApi } from '@knowhow/shared/config/runner';
import { expect, onTestFinished, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { type EngineRule, startScriptedEngine } from '../../../testing/scripted-engine.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, withAllTools } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

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

test('reports that containers run scripts, the available runtimes, and what is missing', async () => {
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

test('without Node.js no code is generated for a skill, and no consent is requested', async () => {
  const engine = await startScriptedEngine();
  const model = scriptedModel(calls(['adder', {}]), says('Done.'));
  const tool = { name: 'adder', description: 'Adds.', parameters: { type: 'object' } };
  const server = await startTestServer({
    model: model.ask,
    environment: {
      ...{ SCRIPT_RUNNER: 'container', DOCKER_HOST: `tcp://127.0.0.1:${engine.port}` },
      SCRIPT_IMAGES: 'sh=debian:stable-slim',
    },
    files: {
      ...withAllTools,
      'skills/adder/SKILL.md': skillFile('adder', 'Adds.\nmetadata:\n  tool: assets/tool.json'),
      'skills/adder/assets/tool.json': { ...tool, run: { type: 'generated' } },
      'config/skills.json': {
        settings: { allowScriptExecution: true },
        skills: { adder: { allowScriptExecution: true } },
      },
    },
  });
  onTestFinished(server.close);
  const { events } = await takeTurn(server.visitor(), { message: 'Add 1 and 2' });
  expect(events.map(({ type }) => type)).not.toContain('tool.consent');
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('needs Node.js');
});

test('an unusable engine is unreachable, with the reason', async () => {
  const { scripts, state } = await start('container', () => ({ mute: true, ending: 'cut' }));
  expect(scripts).toEqual({ tier: 'container', status: 'away' });
  expect(state).toMatchObject({ status: 'away', runtimes: {} });
  expect(state.warnings).toEqual([expect.stringContaining('cannot be reached')]);
});

test.each(['auto', 'off'])('an engine is not probed with SCRIPT_RUNNER=%s', async (wanted) => {
  const { calls, state } = await start(wanted);
  expect(calls).toEqual([]);
  expect(state.tier).not.toBe('container');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectDirectory } from '../../../project.ts';
import { memorySource } from '../../../testing/memory-source.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

async function startMeasured(options: Parameters<typeof startTestServer>[0] = {}) {
  const environment = { METRICS_PORT: '0', ...options.environment };
  const server = await startTestServer({ ...options, environment });
  onTestFinished(server.close);
  return server;
}

const fetchMetrics = ({ app }: TestServer, path = '/metrics', init = {}) =>
  fetch(`http://127.0.0.1:${app.telemetry.metricsPort}${path}`, init);

/** Values by name and labels. */
async function readMetrics(server: TestServer): Promise<Map<string, number>> {
  const response = await fetchMetrics(server);
  expect(response.status).toBe(200);
  return parse(await response.text());
}

function parse(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = line, value] = /^([a-z_][a-z0-9_]*(?:\{.*\})?) (\S+)$/i.exec(line) ?? [];
      expect(value, line).toBeDefined();
      return [name, Number(value)];
    }),
  );
}

const labelled = (metrics: Map<string, number>, name: string, ...labels: string[]) =>
  [...metrics].filter(
    ([key]) => key.startsWith(`${name}{`) && labels.every((label) => key.includes(label)),
  );

test('serves metrics without sign-in on a separate port, and nothing else', async () => {
  const { ask } = scriptedModel(
    calls(['activate_skill', { skill_name: 'meeting-notes' }]),
    says('Done.'),
  );
  const server = await startMeasured({ model: ask });
  await takeTurn(server.visitor(), { message: 'Go.' });
  await server.visitor()('/api/skills/meeting-notes');
  await server.visitor()('/api/skills/release-notes');
  const response = await fetchMetrics(server);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const metrics = parse(await response.text());
  const one = (name: string, ...labels: string[]) => {
    const found = labelled(metrics, name, ...labels);
    expect(found, name).toHaveLength(1);
    return found[0]?.[1];
  };
  expect(one('gen_ai_invoke_agent_duration_count', 'gen_ai_agent_name="chat"')).toBe(1);
  expect(one('gen_ai_client_operation_duration_count', 'gen_ai_request_model="scripted"')).toBe(2);
  expect(one('gen_ai_client_token_usage_sum', 'gen_ai_token_type="input"')).toBe(10);
  expect(one('gen_ai_execute_tool_duration_count', 'gen_ai_tool_name="activate_skill"')).toBe(1);
  expect(one('knowhow_skill_activations_total', 'gen_ai_skill_name="meeting-notes"')).toBe(1);
  const route = 'http_route="/api/skills/:name"';
  expect(one('http_server_request_duration_count', route)).toBe(2);
  expect(one('knowhow_skills', 'knowhow_skill_state="loaded"')).toBe(2);
  expect(metrics.get('knowhow_turns_running')).toBe(0);
  for (const name of ['knowhow_skills_scan_duration', 'process_memory_usage', 'process_uptime']) {
    expect(metrics.get(name), name).toBeGreaterThan(0);
  }
  expect(metrics.has('nodejs_eventloop_delay_p99')).toBe(true);
  expect((await fetchMetrics(server, '/api/health')).status).toBe(404);
  expect((await fetchMetrics(server, '/metrics', { method: 'POST' })).status).toBe(404);
});

test('serves metrics to administrators on the main port, and counts from the first read', async () => {
  const server = await startTestServer();
  onTestFinished(server.close);
  expect(server.app.telemetry.metricsPort).toBeUndefined();
  const visitor = server.visitor();
  expect((await visitor('/metrics')).status).toBe(401);
  await takeTurn(visitor, { message: 'Go.' });
  const admin = await signInAdmin(server);
  const turns = async () =>
    labelled(
      parse(await (await admin('/metrics')).text()),
      'gen_ai_invoke_agent_duration_count',
    ).map(([, count]) => count);
  expect(await turns()).toEqual([]);
  const metrics = parse(await (await admin('/metrics')).text());
  expect(metrics.get('knowhow_skills_scan_duration')).toBeGreaterThan(0);
  await takeTurn(visitor, { message: 'Go on.' });
  expect(await turns()).toEqual([1]);
});

test('escapes quotes, backslashes and line breaks in names', async () => {
  const server = await startMeasured({
    files: {
      'models/scripted.json': {
        id: 'scripted',
        modelId: 'say "hi"\\\nnot_a_metric 1',
        name: 'Scripted',
        provider: 'local',
        default: true,
      },
    },
  });
  await takeTurn(server.visitor(), { message: 'Go.' });
  const metrics = await readMetrics(server);
  expect(metrics.has('not_a_metric')).toBe(false);
  const name = String.raw`gen_ai_request_model="say \"hi\"\\\nnot_a_metric 1"`;
  expect(labelled(metrics, 'gen_ai_client_operation_duration_count', name)).toHaveLength(1);
});

test('limits labels: a thousand skills yield two hundred names and one for the rest', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `skill-${index}`);
  const skills = names.map((name) => [name, { 'SKILL.md': skillFile(name, 'Is one of many.') }]);
  const apps = Array.from({ length: 10 }, (_, index) => ({
    id: `app-${index}`,
    name: 'App',
    skills: names.slice(index * 100, (index + 1) * 100),
    skillSettings: { autoActivate: true },
  }));
  const model = { modelId: 'plain', name: 'Plain', provider: 'local', supportsTools: false };
  const server = await startMeasured({
    skillSources: [memorySource(Object.fromEntries(skills))],
    files: {
      ...Object.fromEntries(apps.map((app) => [`apps/${app.id}.json`, app])),
      'models/scripted.json': { id: 'scripted', ...model, default: true },
      'config/skills.json': { skills: {}, settings: { maxSkillsPerRequest: 100 } },
    },
  });
  for (const { id: app } of apps) {
    await takeTurn(server.visitor(), { message: 'Go.', app });
  }
  const counted = labelled(await readMetrics(server), 'knowhow_skill_activations_total');
  expect(counted).toHaveLength(201);
  expect(counted.reduce((sum, [, count]) => sum + count, 0)).toBe(1000);
  expect(counted.find(([key]) => key.includes('"other"'))?.[1]).toBe(800);
});

test('counts unknown paths as one', async () => {
  const server = await startMeasured();
  const visitor = server.visitor();
  for (const path of ['/api/one', '/api/two', '/three', '/four']) {
    await visitor(path);
  }
  const routes = labelled(await readMetrics(server), 'http_server_request_duration_count');
  for (const word of ['one', 'two', 'three', 'four']) {
    expect(routes.filter(([key]) => key.includes(word))).toEqual([]);
  }
});

test('the guide lists exactly the existing metrics', async () => {
  const { ask } = scriptedModel(
    calls(['activate_skill', { skill_name: 'meeting-notes' }]),
    says('Done.'),
  );
  const server = await startMeasured({ model: ask });
  await takeTurn(server.visitor(), { message: 'Go.' });
  await server.visitor()('/api/admin/users');
  const text = await (await fetchMetrics(server)).text();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const guide = readFileSync(join(projectDirectory, 'docs/guides/observe.md'), 'utf8');
  const rows = (guide.split('\n## Metrics\n')[1] ?? '')
    .split('\n')
    .filter((line) => /^\| `/.test(line));
  const listed = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(new Set(names.filter((name) => name !== 'target_info'))).toEqual(new Set(listed));
});

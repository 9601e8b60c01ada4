import { expect, test } from 'vitest';
import { parseEnvironment } from '../../../env.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

test('sends and serves nothing by default', () => {
  expect(parseEnvironment({}).telemetry).toEqual({
    otlp: undefined,
    metrics: undefined,
    warnings: [],
  });
});

test('enables traces and metrics if an endpoint is set', () => {
  expect(parseEnvironment(endpoint).telemetry).toEqual({
    otlp: {
      endpoint: 'http://collector:4318',
      sampling: { byParent: true, ratio: 1 },
      metricsEveryMs: 60_000,
      timeoutMs: 10_000,
    },
    metrics: undefined,
    warnings: [],
  });
  expect(parseEnvironment({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).telemetry.otlp).toBe(
    undefined,
  );
});

test('supports choosing a sampler', () => {
  const variables = {
    ...endpoint,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  };
  expect(parseEnvironment(variables).telemetry.otlp?.sampling).toEqual({
    byParent: false,
    ratio: 0.25,
  });
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'an http or https address'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'as JSON over HTTP'],
  ['OTEL_TRACES_SAMPLER', 'sometimes', 'one of always_on, '],
  ['OTEL_METRIC_EXPORT_INTERVAL', '1 s', 'milliseconds from 100'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '-1', 'milliseconds from 100'],
])('%s=%s yields a warning and is ignored', (name, value, takes) => {
  const { warnings, otlp } = parseEnvironment({ ...endpoint, [name]: value }).telemetry;
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(name);
  expect(warnings[0]).toContain(takes);
  expect(otlp === undefined).toBe(name === 'OTEL_EXPORTER_OTLP_ENDPOINT');
});

test('warns about a sampling ratio that is not a number from 0 to 1', () => {
  const sampler = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '20 %' };
  expect(parseEnvironment({ ...endpoint, ...sampler }).telemetry.warnings).toEqual([
    'OTEL_TRACES_SAMPLER_ARG is wrong and has no effect: it takes a number from 0 to 1.',
  ]);
});

test('warns at startup and in the admin area if metrics are reachable from the network', async () => {
  const server = await startTestServer({
    environment: { METRICS_PORT: '0', METRICS_HOST: '0.0.0.0' },
  });
  const admin = await signInAdmin(server);
  const status = await (await admin('/api/admin/status')).text();
  await server.close();
  expect(server.app.warnings.join()).toContain('can read the metrics (METRICS_HOST)');
  expect(status).toContain('can read the metrics (METRICS_HOST)');
});

import { expect, onTestFinished, test } from 'vitest';
import { modelWith, startTestServer } from './testing/start-test-server.ts';

async function warningsWith(environment: Record<string, string>, files = {}) {
  const server = await startTestServer({ environment, files });
  onTestFinished(server.close);
  return server.app.warnings.filter((warning) => warning.includes('has no effect'));
}

test.each([
  ['LOG_LEVLE', 'LOG_LEVEL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['log_level', 'LOG_LEVEL'],
  ['TRUST_PROXIE', 'TRUST_PROXY'],
  ['ADMIN_PASWORD', 'ADMIN_PASSWORD'],
  ['BACKUP_CORN', 'BACKUP_CRON'],
  ['METRIC_PORT', 'METRICS_PORT'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['OTEL_EXPORTER_OTLP_ENDPONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['OPENIA_API_KEY', 'OPENAI_API_KEY'],
])('reports that %s has no effect and resembles %s', async (name, near) => {
  expect(await warningsWith({ [name]: 'x' })).toEqual([
    `The variable ${name} has no effect. Did you mean ${near}?`,
  ]);
});

test('ignores names that have an effect or belong to other programs', async () => {
  const environment = {
    ...{ EDITOR: 'vi', PORTS: '1', KNOWHOW_TEAM: 'Ours', MCP_TOKEN: 'x', OIDC_MAIN_SECRET: 'x' },
    ...{ OPENAI_AP_KEY_OF_OTHERS: 'x', GPT_API_KEY: 'x', LOG_LEVEL: 'silent', TEAM_NAME: 'Ours' },
    OPENA_API_KEY: 'x',
  };
  const files = {
    ...modelWith({ apiKeyEnv: 'OPENA_API_KEY' }),
    'config/platform.json': { placeholders: ['TEAM_NAME'] },
  };
  expect(await warningsWith(environment, files)).toEqual([]);
});

import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { bundledScript } from '../../../testing/bundled-script.ts';
import { freePort } from '../../../testing/free-port.ts';
import { runProduct, startProduct } from '../../../testing/start-product.ts';
import { defaultFiles } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

let script: string;
let folder: string;

beforeAll(async () => {
  script = await bundledScript('main');
}, 60_000);
beforeEach(async () => {
  folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), defaultFiles);
});

/** Names of the bundle's files that a process loaded during its lifetime. */
async function loadedFiles(environment: Record<string, string>): Promise<string[]> {
  const coverage = join(folder, 'coverage');
  const product = await startProduct(script, folder, {
    ...environment,
    NODE_V8_COVERAGE: coverage,
  });
  expect((await fetch(`${product.url}/api/health`)).status).toBe(200);
  product.process.kill('SIGTERM');
  expect(await product.ended).toBe(0);
  const texts = (await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8'));
  const urls = (await Promise.all(texts)).flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  );
  return urls.map((url) => url.slice(url.lastIndexOf('/') + 1));
}

const telemetryFiles = (files: string[]) => files.filter((name) => name.startsWith('start-sdk'));

test('rejects a METRICS_PORT that equals PORT at startup', async () => {
  const port = String(await freePort());
  const product = runProduct(script, folder, { PORT: port, METRICS_PORT: port });
  expect(await product.ended).toBe(78);
  expect(product.output.trim()).toBe(
    `Port ${port} is also set as METRICS_PORT. Set METRICS_PORT to another port.`,
  );
});

test('does not load OpenTelemetry if it is not used', async () => {
  const files = await loadedFiles({});
  expect(files).toContain('main.js');
  expect(telemetryFiles(files)).toEqual([]);
});

test('honours the standard variables for headers and service name', async () => {
  const headers: unknown[] = [];
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    headers.push(request.headers['x-tenant']);
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
    request.on('end', () => response.writeHead(200).end('{}'));
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  onTestFinished(() => void collector.close());
  const { port } = collector.address() as AddressInfo;
  const files = await loadedFiles({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one',
    OTEL_SERVICE_NAME: 'knowledge',
  });
  expect(telemetryFiles(files)).not.toEqual([]);
  await waitFor(() => headers.length > 0);
  expect(new Set(headers)).toEqual(new Set(['one']));
  expect(bodies.join('')).toContain('"knowledge"');
});

test('refuses to start if the metrics port is in use', async () => {
  const other = createTcpServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const product = runProduct(script, folder, { METRICS_PORT: String(port) });
  expect(await product.ended).toBe(78);
  expect(product.output).toContain(
    `Cannot serve metrics on 127.0.0.1:${port} (EADDRINUSE). Check METRICS_HOST and METRICS_PORT.`,
  );
});

test('prints the metrics URL at startup', async () => {
  const product = await startProduct(script, folder, { METRICS_PORT: '0' });
  await product.says('\nMetrics: ');
  const url = /Metrics: (\S+)/.exec(product.output)?.[1] ?? '';
  expect(await (await fetch(url)).text()).toContain('\nknowhow_turns_running 0\n');
});

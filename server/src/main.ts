import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localize } from '@knowhow/shared/localized';
import { type App, type AppDependencies, createApp, StartProblem } from './app.ts';
import { type Environment, readEnvironment } from './env.ts';
import { createLog } from './lib/log.ts';
import { findOllama } from './models/find-ollama.ts';
import { openModel } from './models/open-model.ts';

await main();

async function main(): Promise<void> {
  const environment = environmentOrExit();
  const app = await createAppOrExit({
    environment,
    log: createLog(environment.logLevel),
    openModel,
    passwordRounds: 12,
    findModels: () => findOllama(),
  });
  const server = createServer(app.http);
  server.on('error', (error) => exitWith(listenProblem(error, environment)));
  server.listen(environment.port, environment.host, () => {
    const { port } = server.address() as AddressInfo;
    void app.ready.then(() => print(greeting(app, environment, port)));
  });
  const stop = () => {
    server.close();
    void app.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

async function createAppOrExit(dependencies: AppDependencies): Promise<App> {
  try {
    return await createApp(dependencies);
  } catch (error) {
    if (error instanceof StartProblem) {
      return exitWith(error.message);
    }
    throw error;
  }
}

function environmentOrExit(): Environment {
  try {
    return readEnvironment();
  } catch (error) {
    return exitWith(error instanceof Error ? error.message : String(error));
  }
}

function greeting(app: App, { host, publicUrl }: Environment, port: number): string {
  const address = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const models = app.models.all();
  const ready = models.filter(({ needs }) => needs === undefined);
  const waiting = models.filter(({ needs }) => needs !== undefined);
  return [
    `Knowhow is ready at ${address}`,
    `Models: ${ready.map(({ config }) => localize(config.name, 'en')).join(', ') || 'none'}`,
    ...waiting.map(({ config, needs }) => `  ${localize(config.name, 'en')} needs ${needs}`),
    ...(app.newAdminPassword === undefined
      ? []
      : [
          `An administrator was made: name "admin", password "${app.newAdminPassword}".`,
          'It is shown this once only.',
        ]),
    ...app.warnings.map((warning) => `Warning: ${warning}`),
  ].join('\n');
}

function listenProblem(error: NodeJS.ErrnoException, { host, port }: Environment): string {
  return error.code === 'EADDRINUSE'
    ? `Port ${port} on ${host} is in use. Stop what uses it, or set PORT to another one.`
    : `Cannot listen on ${host}:${port} (${error.code ?? error.message}). Check HOST and PORT.`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function exitWith(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

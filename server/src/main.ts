import { inspect } from 'node:util';
import { localize } from '@knowhow/shared/localized';
import { passwordRounds } from './access/passwords.ts';
import { type App, createApp } from './app.ts';
import { checkFolders } from './check-folders.ts';
import { type Environment, readEnvironment } from './env.ts';
import { errorCode } from './lib/error-code.ts';
import { createLog, type Log } from './lib/log.ts';
import { findOllama } from './models/find-ollama.ts';
import { openModel } from './models/open-model.ts';
import { StartProblem } from './open-skills.ts';
import { type Serving, serve } from './serve.ts';
import { databaseProblem } from './storage/database-problem.ts';
import { FolderInUse } from './storage/lock-folder.ts';

await main();

async function main(): Promise<void> {
  const environment = environmentOrExit();
  const log = createLog(environment.logLevel);
  const app = await createApp({
    environment,
    log,
    openModel,
    passwordRounds,
    findModels: () => findOllama(),
  }).catch(refuseToStart);
  const serving = await serve(app, environment).catch((error: unknown) =>
    exitWith(listenProblem(error, environment)),
  );
  stopOnSignal(serving, log);
  await app.ready;
  print(greeting(app, environment, serving));
}

/** What the operator can mend is said in a line. */
function refuseToStart(error: unknown): never {
  if (error instanceof StartProblem || error instanceof FolderInUse) {
    return exitWith(error.message);
  }
  return exitWith(databaseProblem(error)?.message ?? inspect(error));
}

/** npm passes on a signal that the terminal sends to all: it comes twice in the same moment. */
const echoMs = 1000;

/** The first signal stops in good order, a second one at once. */
function stopOnSignal(serving: Serving, log: Log): void {
  let since: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (since !== undefined) {
      if (performance.now() - since > echoMs) {
        process.exit(1);
      }
      return;
    }
    since = performance.now();
    log.info({ signal }, 'stopping; a second signal ends it at once');
    serving.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ error }, 'the stop has failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function environmentOrExit(): Environment {
  try {
    const environment = readEnvironment();
    checkFolders(environment);
    return environment;
  } catch (error) {
    return exitWith(error instanceof Error ? error.message : String(error));
  }
}

function greeting(
  app: App,
  { host, publicUrl }: Environment,
  { port, newAdminPassword }: Serving,
): string {
  const address = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const models = app.models.all();
  const ready = models.filter(({ needs }) => needs === undefined);
  const waiting = models.filter(({ needs }) => needs !== undefined);
  return [
    `Knowhow is ready at ${address}`,
    `Models: ${ready.map(({ config }) => localize(config.name, 'en')).join(', ') || 'none'}`,
    ...waiting.map(({ config, needs }) => `  ${localize(config.name, 'en')} needs ${needs}`),
    ...(newAdminPassword === undefined
      ? []
      : [
          `An administrator was made: name "admin", password "${newAdminPassword}".`,
          'It is shown this once only.',
        ]),
    ...app.warnings.map((warning) => `Warning: ${warning}`),
  ].join('\n');
}

function listenProblem(error: unknown, { host, port }: Environment): string {
  const code = errorCode(error);
  return code === 'EADDRINUSE'
    ? `Port ${port} on ${host} is in use. Stop what uses it, or set PORT to another one.`
    : `Cannot listen on ${host}:${port} (${code ?? String(error)}). Check HOST and PORT.`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function exitWith(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

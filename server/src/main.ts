import { inspect } from 'node:util';
import { localize } from '@knowhow/shared/config/localized';
import { type App, createApp } from './app.ts';
import { checkFolders } from './check-folders.ts';
import { type Environment, readEnvironment } from './env.ts';
import { getOpenUrl } from './get-open-url.ts';
import { exitCodes, shutDownGracefully } from './graceful-shutdown.ts';
import type { ListedModel } from './modules/chat/index.ts';
import { createPasswords, passwordRounds } from './modules/identity/index.ts';
import { findOllama, openModel } from './modules/models/index.ts';
import { StartupError } from './open-skills.ts';
import { errorCode } from './platform/lib/error-code.ts';
import { getErrorMessage } from './platform/lib/get-error-message.ts';
import { createLog, type Log, logProcessWarnings, prettyDestination } from './platform/lib/log.ts';
import { databaseProblem } from './platform/storage/database-problem.ts';
import { FolderInUse } from './platform/storage/lock-folder.ts';
import { builtinSkills, readVersion } from './project.ts';
import { type Serving, serve } from './serve.ts';

await main();

async function main(): Promise<void> {
  const environment = environmentOrExit();
  const log = openLog(environment);
  logProcessWarnings(log);
  let serving: Serving | undefined;
  const delay = environment.shutdownDelaySeconds;
  shutDownGracefully(log, (isPlanned) => serving?.stop(isPlanned ? delay : 0));
  const app = await createApp({
    environment,
    log,
    openModel,
    passwords: createPasswords(passwordRounds),
    builtinSkills: builtinSkills(),
    findModels: () => findOllama(),
  }).catch(refuseToStart);
  serving = await serve(app, environment).catch((error: unknown) =>
    refuse(listenProblem(error, environment)),
  );
  await app.ready;
  for (const warning of app.warnings) {
    log.warn(warning);
  }
  log.info({ version: readVersion(), port: serving.port }, 'ready');
  print(greeting(app, environment, serving));
}

/** Standard output is reserved for the log. */
function openLog({ logLevel, logFormat }: Environment): Log {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY);
  return createLog(logLevel, isPretty ? prettyDestination(process.stdout) : undefined);
}

/** Errors an operator can fix are reported in one line. */
function refuseToStart(error: unknown): never {
  if (error instanceof StartupError || error instanceof FolderInUse) {
    return refuse(error.message);
  }
  const known = databaseProblem(error);
  return known ? refuse(known.message) : exitWith(inspect(error), exitCodes.died);
}

function environmentOrExit(): Environment {
  try {
    const environment = readEnvironment();
    // With a database, the folder is checked later, as its contents may come from there.
    if (environment.databaseUrl === undefined) {
      checkFolders(environment);
    }
    return environment;
  } catch (error) {
    return refuse(getErrorMessage(error));
  }
}

function greeting(
  app: App,
  { host, publicUrl, publish, telemetry }: Environment,
  { port, newAdminPassword }: Serving,
): string {
  const { url, isEverywhere } = getOpenUrl({ host, port }, publish);
  const models = app.models.all();
  const ready = models.filter(({ needs }) => needs === undefined);
  const waiting = models.filter(({ needs }) => needs !== undefined);
  return [
    `Knowhow is ready at ${publicUrl ?? url}`,
    ...(publicUrl === undefined && isEverywhere
      ? [
          `It listens on every address: from elsewhere open it by the name or an address of this machine.`,
        ]
      : []),
    `Models: ${ready.map(({ config }) => localize(config.name, 'en')).join(', ') || 'none'}`,
    ...waiting.map(waitingLine),
    ...(app.telemetry.metricsPort === undefined
      ? []
      : [`Metrics: http://${telemetry.metrics?.host}:${app.telemetry.metricsPort}/metrics`]),
    ...(newAdminPassword === undefined
      ? []
      : [
          `An administrator was made: name "admin", password "${newAdminPassword}".`,
          'It is shown this once only, and expires unless you sign in with it within seven days.',
        ]),
  ].join('\n');
}

function waitingLine({ config, needs, withheld }: ListedModel): string {
  const reason = withheld
    ? `: the key of ${withheld.variable} is not sent to ${withheld.host}`
    : '';
  return `  ${localize(config.name, 'en')} needs ${needs}${reason}`;
}

function listenProblem(error: unknown, { host, port, telemetry }: Environment): string {
  const code = errorCode(error);
  if (code === 'EADDRINUSE' && telemetry.metrics?.port === port) {
    return `Port ${port} is also set as METRICS_PORT. Set METRICS_PORT to another port.`;
  }
  return code === 'EADDRINUSE'
    ? `Port ${port} on ${host} is in use. Stop what uses it, or set PORT to another one.`
    : `Cannot listen on ${host}:${port} (${code ?? String(error)}). Check HOST and PORT.`;
}

/** To standard error, since it is for humans and contains the initial password. */
function print(text: string): void {
  process.stderr.write(`${text}\n`);
}

function refuse(text: string): never {
  return exitWith(text, exitCodes.refused);
}

function exitWith(text: string, code: number): never {
  print(text);
  process.exit(code);
}

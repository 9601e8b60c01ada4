import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { runCli } from './cli/run-cli.ts';
import { type Environment, readEnvironment } from './env.ts';
import { errorCode } from './platform/lib/error-code.ts';
import { getErrorMessage } from './platform/lib/get-error-message.ts';
import { readVersion } from './project.ts';

// A reader such as `head` may close the pipe early.
process.stdout.on('error', () => process.exit(0));

const installation = () => ({ ...environment(), version: readVersion() });

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => process.stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
  skillsFolder: () => join(environment().contentsDirectory, 'skills'),
  skillLimits: () => environment().skillLimits,
  sizeLimits: () => environment().sizeLimits,
  key: () => environment().variables.KNOWHOW_KEY,
  installation,
  runner: () => ({ ...environment(), stop: untilStopped() }),
  input: () => text(process.stdin),
  ask,
});

/** Reports invalid variables in a sentence, like the server at startup. */
function environment(): Environment {
  try {
    return readEnvironment();
  } catch (error) {
    process.stderr.write(`${getErrorMessage(error)}\n`);
    process.exit(1);
  }
}

function untilStopped(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort());
  }
  return controller.signal;
}

async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) {
    return undefined;
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await prompt.question(question);
  } catch (error) {
    if (errorCode(error) !== 'ABORT_ERR') {
      throw error;
    }
    // Ctrl C or Ctrl D counts as an answer.
    process.stdout.write('\n');
    return '';
  } finally {
    prompt.close();
  }
}

import { join } from 'node:path';
import { runCli } from './cli/run-cli.ts';
import { readEnvironment } from './env.ts';

// What reads the answer may stop reading, as `head` does.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => process.stdout.write(`${text}\n`),
  error: (text) => process.stderr.write(`${text}\n`),
  skillsFolder: () => join(readEnvironment().contentsDirectory, 'skills'),
});

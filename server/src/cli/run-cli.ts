import { parseArgs } from 'node:util';
import { corpusCommand } from './corpus-command.ts';
import { listCommand, showCommand, toPromptCommand } from './list-commands.ts';
import { renderDiagnosticsPage } from './render-diagnostics-page.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { validateCommand } from './validate-command.ts';

const help = `Reads Agent Skills as the Knowhow server does.

Usage: knowhow COMMAND [PATH…]

  validate PATH… [--strict] [--json]
      Prints every remark: path:line, severity, code, what is wrong and how to mend it.
      A PATH may be an archive too (.zip, .skill, .tar.gz, or a skill as .json): what keeps it from
      being imported is printed, else the remarks on each skill in it.
      Exits with 1 when a skill has an error, that is, when it would not be offered, and when an
      archive is refused.
      --strict  exits with 1 when the reference library of the specification rejects a skill
  list [PATH…] [--json]
      Prints the skills with their state: on, off, shadowed by one of the same name, or broken.
  show NAME [PATH…]
      Prints one skill: its fields, the remarks on it, and its instructions.
  to-prompt PATH…
      Prints the <available_skills> block that a model is given.
  corpus DIR [--out FILE]
      Reads every folder with a SKILL.md in a tree, and counts verdicts and remarks.
      --out     writes one JSON object a line: path, id, valid, loads, enabled, codes
  diagnostics
      Prints every remark there is, as Markdown.

PATH is a folder of skills, the folder of one skill, or a SKILL.md; where it may be left out, it
is the folder of this installation, contents/skills.

Exit codes: 0 all is well, 1 something was found, 2 the command was called in a wrong way.
`;

type Options = Partial<Record<'strict' | 'json' | 'help', boolean>> & { out?: string | undefined };

interface Command {
  options: readonly (keyof Options)[];
  run(paths: string[], options: Options, terminal: Terminal): Promise<number>;
}

const commands: Readonly<Record<string, Command>> = {
  validate: {
    options: ['strict', 'json'],
    run: (paths, { strict = false, json = false }, terminal) =>
      validateCommand(atLeastOne(paths), { strict, json }, terminal),
  },
  list: {
    options: ['json'],
    run: (paths, { json = false }, terminal) =>
      listCommand(orInstalled(paths, terminal), json, terminal),
  },
  show: {
    options: [],
    run: ([name, ...paths], _, terminal) => {
      if (name === undefined) {
        throw new UsageError('Say which skill: knowhow show NAME.');
      }
      return showCommand(name, orInstalled(paths, terminal), terminal);
    },
  },
  'to-prompt': {
    options: [],
    run: (paths, _, terminal) => toPromptCommand(atLeastOne(paths), terminal),
  },
  corpus: {
    options: ['out'],
    run: (paths, { out }, terminal) => {
      const [directory, ...more] = paths;
      if (directory === undefined || more.length > 0) {
        throw new UsageError('Name one folder: knowhow corpus DIR.');
      }
      return corpusCommand(directory, out, terminal);
    },
  },
  diagnostics: {
    options: [],
    run: async (_, __, terminal) => {
      terminal.out(renderDiagnosticsPage());
      return 0;
    },
  },
};

/** Runs one command of `knowhow`, and gives its exit code. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { name, paths, options } = parse(args);
    if (options.help || name === 'help') {
      terminal.out(help.trimEnd());
      return 0;
    }
    return await commandFor(name, options).run(paths, options, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }
    terminal.error(`${error.message}\nSee: knowhow --help`);
    return 2;
  }
}

function parse(args: readonly string[]): { name: string; paths: string[]; options: Options } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        strict: { type: 'boolean' },
        json: { type: 'boolean' },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [name = '', ...paths] = positionals;
    return { name, paths, options: values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function commandFor(name: string, options: Options): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    throw new UsageError(
      name === '' ? 'Say what to do.' : `"${name}" is not a command of knowhow.`,
    );
  }
  const known: readonly string[] = command.options;
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown !== undefined) {
    throw new UsageError(`${name} does not take --${unknown}.`);
  }
  return command;
}

function atLeastOne(paths: string[]): string[] {
  if (paths.length === 0) {
    throw new UsageError('Name at least one PATH.');
  }
  return paths;
}

function orInstalled(paths: string[], terminal: Terminal): string[] {
  return paths.length === 0 ? [terminal.skillsFolder()] : paths;
}

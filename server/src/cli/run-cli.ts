import { parseArgs } from 'node:util';
import { Problem, problem } from '@knowhow/shared/problem';
import { skillFixes } from '@knowhow/shared/skills/skill-fixes';
import { skillMessages } from '@knowhow/shared/skills/skill-messages';
import {
  diffContents,
  openContentFolder,
  readContentState,
  syncContentFolder,
} from '../modules/content/index.ts';
import {
  type DiagnosticCode,
  type DiagnosticKind,
  diagnosticKinds,
} from '../modules/skills/index.ts';
import { getErrorMessage } from '../platform/lib/get-error-message.ts';
import { databaseProblem } from '../platform/storage/database-problem.ts';
import { FolderInUse } from '../platform/storage/lock-folder.ts';
import { backupCommand } from './backup-command.ts';
import { corpusCommand } from './corpus-command.ts';
import { evalCommand } from './eval-command.ts';
import { helpOn } from './help.ts';
import { importCommand } from './import-command.ts';
import {
  isPath,
  listCommand,
  showCommand,
  showPathCommand,
  toPromptCommand,
} from './list-commands.ts';
import { migrateCommand } from './migrate-command.ts';
import { publishCommand } from './publish-command.ts';
import { pushCommand } from './push-command.ts';
import { resetPasswordCommand } from './reset-password-command.ts';
import { restoreCommand } from './restore-command.ts';
import { retrievalCommand } from './retrieval-command.ts';
import { runnerCommand } from './runner-command.ts';
import { sourcesCommand, syncSourceCommand } from './sources-command.ts';
import { syncCommand } from './sync-command.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { validateCommand } from './validate-command.ts';
import { confirmChanges, type SharingOptions, withSharedDatabase } from './with-shared-database.ts';

type Flag =
  | 'strict'
  | 'json'
  | 'help'
  | 'data'
  | 'dry-run'
  | 'yes'
  | 'stdin'
  | 'measure'
  | 'if-empty'
  | 'replace'
  | 'insecure-http';
type Text =
  | 'from'
  | 'ref'
  | 'path'
  | 'out'
  | 'only'
  | 'model'
  | 'app'
  | 'against'
  | 'to'
  | 'message';
type Options = Partial<Record<Flag, boolean>> & Partial<Record<Text, string>>;

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
  import: {
    options: ['out', 'json', 'ref', 'path'],
    run: (paths, { out, json = false, ref, path: folder }, terminal) =>
      importCommand(theOne(paths, 'import PATH'), { out, json, ref, folder }, terminal),
  },
  sync: {
    options: ['from', 'dry-run', 'insecure-http'],
    run: (paths, options, terminal) => {
      const { from, 'dry-run': dryRun = false, 'insecure-http': insecureHttp = false } = options;
      return syncCommand(
        theOne(paths, 'sync DIR --from ADDRESS'),
        { from, key: terminal.key(), dryRun, insecureHttp },
        terminal,
      );
    },
  },
  publish: {
    options: ['to', 'message', 'replace', 'insecure-http'],
    run: (paths, options, terminal) => {
      const { to, message, replace = false, 'insecure-http': insecureHttp = false } = options;
      return publishCommand(
        theOne(paths, 'publish NAME --to ADDRESS --message TEXT'),
        { to, message, replace, insecureHttp },
        terminal,
      );
    },
  },
  sources: {
    options: ['json'],
    run: ([action, ...ids], { json = false }, terminal) => {
      if (action === undefined) {
        return sourcesCommand(json, terminal);
      }
      if (action !== 'sync' || json) {
        throw new UsageError('Usage: knowhow sources [--json], or knowhow sources sync ID.');
      }
      return syncSourceCommand(theOne(ids, 'sources sync ID'), terminal);
    },
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
        throw new UsageError('Say which skill: knowhow show NAME, or its path.');
      }
      return paths.length === 0 && isPath(name)
        ? showPathCommand(name, terminal)
        : showCommand(name, orInstalled(paths, terminal), terminal);
    },
  },
  'to-prompt': {
    options: [],
    run: (paths, _, terminal) => toPromptCommand(atLeastOne(paths), terminal),
  },
  corpus: {
    options: ['out'],
    run: (paths, { out }, terminal) => corpusCommand(theOne(paths, 'corpus DIR'), out, terminal),
  },
  retrieval: {
    options: [],
    run: (paths, _, terminal) => retrievalCommand(theOne(paths, 'retrieval DIR'), terminal),
  },
  eval: {
    options: ['model', 'app', 'json', 'against'],
    run: (paths, { model, app, json = false, against }, terminal) => {
      const models = [...new Set(namesIn(model))];
      const directory = theOne(paths, 'eval DIR --model ID');
      if (models.length === 0) {
        throw new UsageError('Say which model: knowhow eval DIR --model ID.');
      }
      return evalCommand(directory, { models, app, json, against }, terminal);
    },
  },
  diagnostics: {
    options: [],
    run: async (_, __, terminal) => {
      terminal.out(renderDiagnosticsPage());
      return 0;
    },
  },
  runner: {
    options: ['measure'],
    run: (_, { measure = false }, terminal) => runnerCommand({ measure }, terminal),
  },
  backup: {
    options: ['data', 'only'],
    run: (paths, { data = false, only }, terminal) =>
      backupCommand(theOne(paths, 'backup FILE'), { data, only: namesIn(only) }, terminal),
  },
  restore: {
    options: ['dry-run', 'yes', 'only'],
    run: (paths, { 'dry-run': dryRun = false, yes = false, only }, terminal) => {
      const choice = { dryRun, yes, only: namesIn(only) };
      return restoreCommand(theOne(paths, 'restore FILE'), choice, terminal);
    },
  },
  push: {
    options: ['dry-run', 'yes', 'if-empty'],
    run: (paths, options, terminal) => {
      const { 'dry-run': dryRun = false, yes = false, 'if-empty': ifEmpty = false } = options;
      return pushCommand(theOne(paths, 'push DIR'), { dryRun, yes, ifEmpty }, terminal);
    },
  },
  pull: {
    options: ['dry-run', 'yes'],
    run: (paths, { 'dry-run': dryRun = false, yes = false }, terminal) =>
      pullCommand(theOne(paths, 'pull DIR'), { dryRun, yes }, terminal),
  },
  migrate: {
    options: ['to', 'yes'],
    run: (paths, { to, yes = false }, terminal) => {
      if (to === undefined || paths.length > 0) {
        throw new UsageError('Say where to: knowhow migrate --to postgresql://…');
      }
      return migrateCommand(to, yes, terminal);
    },
  },
  'reset-password': {
    options: ['stdin'],
    run: (users, { stdin = false }, terminal) => {
      const user = users.length === 0 ? 'admin' : theOne(users, 'reset-password USER');
      return resetPasswordCommand(user, { stdin }, terminal);
    },
  },
};

/** Runs a `knowhow` command and returns its exit code. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { name, paths, options } = parse(args);
    if (options.help || name === 'help') {
      terminal.out(helpOn(name === 'help' ? paths[0] : name));
      return 0;
    }
    return await commandFor(name, options).run(paths, options, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.error(`${error.message}\nSee: knowhow --help`);
      return 2;
    }
    const known = error instanceof FolderInUse ? error : databaseProblem(error);
    if (known) {
      terminal.error(known instanceof Problem ? describeProblem(known) : known.message);
      return 1;
    }
    throw error;
  }
}

/** With each of its issues, where there is more than the one that the message names. */
function describeProblem({ message, issues = [] }: Problem): string {
  const lines = issues.map(({ path, message: fault }) =>
    path === '' ? fault : `${path}: ${fault}`,
  );
  return [message, ...(lines.length > 1 ? lines : [])].join('\n');
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
        from: { type: 'string' },
        ref: { type: 'string' },
        path: { type: 'string' },
        data: { type: 'boolean' },
        only: { type: 'string' },
        model: { type: 'string' },
        app: { type: 'string' },
        against: { type: 'string' },
        to: { type: 'string' },
        message: { type: 'string' },
        replace: { type: 'boolean' },
        'insecure-http': { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        'if-empty': { type: 'boolean' },
        yes: { type: 'boolean' },
        stdin: { type: 'boolean' },
        measure: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [name = '', ...paths] = positionals;
    return { name, paths, options: values };
  } catch (error) {
    const message = getErrorMessage(error);
    // Drops Node's advice about paths that start with a dash.
    throw new UsageError(message.replace(/\. To specify a positional.*/s, '.'));
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

function theOne(args: string[], usage: string): string {
  const [one, ...more] = args;
  if (one === undefined || more.length > 0) {
    throw new UsageError(`Usage: knowhow ${usage}.`);
  }
  return one;
}

function namesIn(list: string | undefined): string[] | undefined {
  return list?.split(',').filter((name) => name !== '');
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

const introduction = `# Diagnostics of skills

All diagnostics that the administration and \`knowhow validate\` can show for a skill. A skill with a diagnostic of
severity *error* is not offered. *Specification*: whether it violates the Agent Skills specification. *Strict*:
whether its reference library rejects it, and with it \`knowhow validate --strict\`.

This page is generated: \`npx knowhow diagnostics > docs/diagnostics.md\`.
`;

/** The documentation page that lists all diagnostics. */
function renderDiagnosticsPage(): string {
  const kinds = Object.entries(diagnosticKinds) as [DiagnosticCode, DiagnosticKind][];
  const rows = kinds.map(([code, kind]) => {
    const breaks = kind.breaksSpecification ? 'breaks' : '';
    const rejected = kind.rejectedByReference ? 'rejected' : '';
    const texts = `${skillMessages[code]} | ${skillFixes[code]}`;
    return `| \`${code}\` | ${kind.severity} | ${breaks} | ${rejected} | ${texts} |`;
  });
  const head = '| code | severity | specification | strict | what it is | what to do |';
  return [introduction, head, '|---|---|---|---|---|---|', ...rows].join('\n');
}

/** Downloads the shared contents of the database into a folder; other files remain. */
function pullCommand(
  directory: string,
  options: SharingOptions,
  terminal: Terminal,
): Promise<number> {
  return withSharedDatabase(terminal.installation(), async (database) => {
    const state = await readContentState(database);
    if (!state) {
      throw problem(
        'not-found',
        'The database contains no configuration and no skills: they are in the folder of its server. Upload them with: knowhow push DIR.',
      );
    }
    const folder = openContentFolder(directory);
    const { files: from } = await folder.scan();
    const changes = diffContents(from, state.files);
    if (await confirmChanges(changes, { ...options, word: 'pull' }, terminal)) {
      await syncContentFolder(state.files, { from, folder, database });
      terminal.out(`Pulled: generation ${state.generation}.`);
    }
    return 0;
  });
}

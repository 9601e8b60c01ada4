import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, reveal, runsCode, type Skill, type SkillTool } from '../../skills/index.ts';
import type { Runner, ScriptKind } from '../../tools/index.ts';
import type { SkillAdmin } from './skill-admin.ts';

/** Runtimes of scripts as people name them. Ambiguous words such as "go" are omitted. */
const runtimes: readonly { name: string; words: RegExp; kind?: ScriptKind }[] = [
  { name: 'Python', words: /\bpython(?:3)?\b(?!-)/i, kind: 'python' },
  {
    name: 'Node.js',
    words: /\bnode\.?js\b|\bnode\b(?=\s*(?:[v\d<>=≥^~,;.]|and\b|or\b|$))/i,
    kind: 'node',
  },
  { name: 'Bash', words: /\bbash\b|\bposix shell\b/i, kind: 'sh' },
  { name: 'Docker', words: /\bdocker\b(?!-)/i },
  { name: 'Podman', words: /\bpodman\b/i },
  { name: 'Deno', words: /\bdeno\b/i },
  { name: 'Bun', words: /\bbun\b/ },
  { name: 'Ruby', words: /\bruby\b(?!-)/i },
  { name: 'Perl', words: /\bperl\b/i },
  { name: 'PHP', words: /\bphp\b/i },
  { name: 'Java', words: /\b(?:java|jdk|jre)\b(?!-)/i },
  { name: 'PowerShell', words: /\bpowershell\b|\bpwsh\b/i },
  { name: '.NET', words: /(?<![\w.])\.net\b|\bdotnet\b/i },
];

/** Metadata fields whose values name runtimes. */
const runtimeField = /^(?:requires?[-_.]?)?(?:runtimes?|interpreters?|languages?|bins?|binaries)$/i;

/**
 * Compares the runtimes that a skill names with those of the script runner: one diagnostic, or
 * none.
 */
export function diagnoseRuntimes(
  { compatibility, metadata }: Pick<Skill, 'compatibility' | 'metadata'>,
  { runner }: Pick<SkillAdmin['scripts'], 'runner'>,
): Diagnostic[] {
  const fields = Object.entries(metadata).filter(([key]) => runtimeField.test(key));
  const text = [compatibility ?? '', ...fields.map(([, value]) => value)].join('\n');
  // The runtimes of an unreachable runner are unknown.
  if (text.trim() === '' || runner?.status === 'away') {
    return [];
  }
  const missing = runtimes.flatMap(({ name, words, kind }) => {
    const found = words.exec(text);
    const installed = kind && runner?.runtimes[kind];
    return found
      ? missingFrom(name, installed, findMinVersion(text.slice(found.index + found[0].length)))
      : [];
  });
  if (missing.length === 0) {
    return [];
  }
  const values = { runtimes: reveal(missing.join(', ')) };
  const messageKey = runner ? 'runtimes-named' : 'runtimes-none';
  return [
    diagnose('runtimes-missing', {
      text: messageKey,
      values,
      ...(runner ? {} : { fix: 'runner-set-up' }),
    }),
  ];
}

/** Whether the tool of a skill has code that cannot run here. */
export function diagnoseToolCode(
  tool: SkillTool | undefined,
  { runner, isAllowed }: { runner: Runner | undefined; isAllowed: boolean },
): Diagnostic[] {
  if (!tool || !runsCode(tool) || (runner && isAllowed)) {
    return [];
  }
  return [diagnose('tool-code-off', runner ? {} : { fix: 'runner-set-up' })];
}

/** The name of a runtime that is missing or older than required. */
function missingFrom(
  name: string,
  installed: string | undefined,
  minVersion: string | undefined,
): string[] {
  const wanted = minVersion === undefined ? name : `${name} ${minVersion}`;
  if (installed === undefined) {
    return [wanted];
  }
  return minVersion !== undefined && isOlder(installed, minVersion)
    ? [`${wanted} (${installed})`]
    : [];
}

/**
 * The minimum version after a name, if newer ones are accepted: `3.12+`, `>= 3.12`, `3.12 or
 * newer`.
 */
function findMinVersion(text: string): string | undefined {
  const [, sign, version, plus] =
    /^(>=|≥|v(?:ersion)?\s)?\s*v?(\d+(?:\.\d+){0,2})(\s*(?:\+|or (?:newer|later|above|higher)))?/i.exec(
      text.trimStart(),
    ) ?? [];
  return sign?.startsWith('v') && plus === undefined ? undefined : (sign ?? plus) && version;
}

function isOlder(installed: string, minVersion: string): boolean {
  const [have, want] = [installed, minVersion].map((version) => version.split('.').map(Number));
  const differing = want?.findIndex((part, at) => part !== (have?.[at] ?? 0)) ?? -1;
  return differing >= 0 && (have?.[differing] ?? 0) < (want?.[differing] ?? 0);
}

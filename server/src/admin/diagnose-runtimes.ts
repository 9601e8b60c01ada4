import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { runsCode, type SkillTool } from '../conversion/skill-tool.ts';
import type { Runner, ScriptKind } from '../runner/runner.ts';
import { diagnose, reveal, type Skill } from '../skill-format/skill-format.ts';
import type { SkillAdmin } from './skill-admin.ts';

/** What scripts are written for, as people write it. Words that mean other things, too, such as "go", are left out. */
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

/** Fields of the metadata whose values name runtimes. */
const runtimeField = /^(?:requires?[-_.]?)?(?:runtimes?|interpreters?|languages?|bins?|binaries)$/i;

/** What a skill says its scripts need and what runs scripts here does not have: one diagnostic, or none. */
export function diagnoseRuntimes(
  { compatibility, metadata }: Pick<Skill, 'compatibility' | 'metadata'>,
  { runner }: SkillAdmin['scripts'],
): Diagnostic[] {
  const fields = Object.entries(metadata).filter(([key]) => runtimeField.test(key));
  const text = [compatibility ?? '', ...fields.map(([, value]) => value)].join('\n');
  // What a runner that is away has is not known.
  if (text.trim() === '' || runner?.status === 'away') {
    return [];
  }
  const missing = runtimes.flatMap(({ name, words, kind }) => {
    const found = words.exec(text);
    const there = kind && runner?.runtimes[kind];
    return found
      ? missingFrom(name, there, leastIn(text.slice(found.index + found[0].length)))
      : [];
  });
  if (missing.length === 0) {
    return [];
  }
  const values = { runtimes: reveal(missing.join(', ')) };
  const said = runner ? 'runtimes-named' : 'runtimes-none';
  return [
    diagnose('runtimes-missing', {
      text: said,
      values,
      ...(runner ? {} : { fix: 'runner-set-up' }),
    }),
  ];
}

/** Whether the tool that a skill brings is code that nothing may run here. */
export function diagnoseToolCode(
  tool: SkillTool | undefined,
  { runner, isAllowed }: { runner: Runner | undefined; isAllowed: boolean },
): Diagnostic[] {
  if (!tool || !runsCode(tool) || (runner && isAllowed)) {
    return [];
  }
  return [diagnose('tool-code-off', runner ? {} : { fix: 'runner-set-up' })];
}

/** How it is named where it is not there, or older than it has to be. */
function missingFrom(name: string, there: string | undefined, least: string | undefined): string[] {
  const wanted = least === undefined ? name : `${name} ${least}`;
  if (there === undefined) {
    return [wanted];
  }
  return least !== undefined && isOlder(there, least) ? [`${wanted} (${there})`] : [];
}

/** The version right after a name, where newer ones do: `3.12+`, `>= 3.12`, `3.12 or newer`. */
function leastIn(text: string): string | undefined {
  const [, sign, version, plus] =
    /^\s*(>=|≥|v(?:ersion)?\s)?\s*v?(\d+(?:\.\d+){0,2})(\s*(?:\+|or (?:newer|later|above|higher)))?/i.exec(
      text,
    ) ?? [];
  return sign?.startsWith('v') && plus === undefined ? undefined : (sign ?? plus) && version;
}

function isOlder(there: string, least: string): boolean {
  const [have, want] = [there, least].map((version) => version.split('.').map(Number));
  const differing = want?.findIndex((part, at) => part !== (have?.[at] ?? 0)) ?? -1;
  return differing >= 0 && (have?.[differing] ?? 0) < (want?.[differing] ?? 0);
}

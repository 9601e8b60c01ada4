import type { Diagnostic } from '@knowhow/shared/skills';
import { guessTokens } from '../lib/count-tokens.ts';
import type { SkillDocument } from './read-skill-document.ts';
import { isSkillName } from './slug.ts';
import type { Fields } from './yaml-fields.ts';

interface Evidence {
  document: SkillDocument;
  name: string | undefined;
  description: string | undefined;
  folder: string;
  id: string;
}

/** Top-level fields that the Agent Skills specification (2026-08-09) names. */
const specified = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);
const maxDescription = 1024;
const maxCompatibility = 500;
const maxBodyTokens = 5000;
const maxBodyLines = 500;

/** Judges what was read against the specification: whether it conforms, and every remark. */
export function judgeSkill(evidence: Evidence): { valid: boolean; diagnostics: Diagnostic[] } {
  const { document } = evidence;
  const violations = document.hasFrontmatter
    ? [...judgeName(evidence), ...judgeDescription(evidence), ...judgeOptional(document.fields)]
    : [];
  const readable = !document.diagnostics.some(({ severity }) => severity === 'error');
  return {
    valid: readable && violations.length === 0,
    diagnostics: [...violations, ...judgeUnknown(document.fields), ...judgeBody(document)].map(
      (diagnostic) => inFile(diagnostic),
    ),
  };
}

/** From a line of the frontmatter to a line of the file. */
function inFile(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.line === undefined ? diagnostic : { ...diagnostic, line: diagnostic.line + 1 };
}

function judgeName({ document, name, folder, id }: Evidence): Diagnostic[] {
  const line = document.fields.get('name')?.line;
  if (name === undefined) {
    return [
      {
        code: 'name-missing',
        severity: 'warning',
        message: `There is no name; the folder's, "${id}", is used.`,
        fix: `Add "name: ${id}".`,
      },
    ];
  }
  const found: Diagnostic[] = [];
  if (!isSkillName(name)) {
    found.push({
      code: 'name-invalid',
      severity: 'warning',
      message: `"${name}" is not a legal name; "${id}" is used.`,
      line,
      fix: 'Use 1 to 64 lower-case letters, digits and single hyphens.',
    });
  }
  if (name.normalize('NFKC') !== folder.normalize('NFKC')) {
    found.push({
      code: 'name-directory-mismatch',
      severity: 'warning',
      message: `The name is "${name}", the folder's is "${folder}"; "${id}" is used.`,
      line,
      fix: 'Give both the same name.',
    });
  }
  return found;
}

function judgeDescription({ document, description }: Evidence): Diagnostic[] {
  if (description === undefined) {
    return [
      {
        code: 'description-missing',
        severity: 'error',
        message: 'There is no description, so no one could tell when to use the skill: it is off.',
        fix: 'Add "description:" with what the skill does and when to use it.',
      },
    ];
  }
  const length = [...description].length;
  if (length <= maxDescription) {
    return [];
  }
  return [
    {
      code: 'description-too-long',
      severity: 'warning',
      message: `The description has ${length} characters, ${length - maxDescription} over the limit.`,
      line: document.fields.get('description')?.line,
      fix: `Shorten it to ${maxDescription}.`,
    },
  ];
}

function judgeOptional(fields: Fields): Diagnostic[] {
  const found: Diagnostic[] = [];
  const compatibility = fields.get('compatibility');
  if (compatibility && !isTextUpTo(compatibility.text, maxCompatibility)) {
    found.push({
      code: 'compatibility-invalid',
      severity: 'warning',
      message: `compatibility is not a text of at most ${maxCompatibility} characters.`,
      line: compatibility.line,
      fix: 'Shorten it, or move it into the body.',
    });
  }
  const metadata = fields.get('metadata');
  const values = [...(metadata?.entries?.values() ?? [])];
  if (metadata && (!metadata.entries || values.includes(undefined))) {
    found.push({
      code: 'metadata-invalid',
      severity: 'warning',
      message: 'metadata is not a map of texts.',
      line: metadata.line,
      fix: 'Write one "key: text" a line below metadata.',
    });
  }
  const allowedTools = fields.get('allowed-tools');
  if (allowedTools && allowedTools.text === undefined) {
    found.push({
      code: 'allowed-tools-invalid',
      severity: 'warning',
      message: 'allowed-tools is not a text.',
      line: allowedTools.line,
      fix: 'Write the names on one line, separated by blanks.',
    });
  }
  return found;
}

function isTextUpTo(text: string | undefined, limit: number): boolean {
  return text !== undefined && [...text].length <= limit;
}

function judgeUnknown(fields: Fields): Diagnostic[] {
  return [...fields]
    .filter(([key]) => !specified.has(key))
    .map(([key, { line }]) => ({
      code: 'unknown-field',
      severity: 'info',
      message: `"${key}" is not a field of the specification; it is kept.`,
      line,
      fix: 'Move it below metadata.',
    }));
}

function judgeBody({ body }: SkillDocument): Diagnostic[] {
  const lines = body.split('\n').length;
  const tokens = guessTokens(body);
  if (lines <= maxBodyLines && tokens <= maxBodyTokens) {
    return [];
  }
  return [
    {
      code: 'body-long',
      severity: 'warning',
      message: `The body has ${lines} lines and about ${tokens} tokens.`,
      fix: `Keep it below ${maxBodyLines} lines and ${maxBodyTokens} tokens; move details into files.`,
    },
  ];
}

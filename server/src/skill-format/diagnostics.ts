import type { Diagnostic } from '@knowhow/shared/skills';
import {
  advice,
  type DiagnosticKind,
  error,
  info,
  refusedThere,
  unchecked,
  warning,
} from './diagnostic-kind.ts';

/** Every remark there is on a skill. An error keeps the skill from being offered. */
export const diagnosticKinds = {
  unreadable: error(
    'SKILL.md cannot be read, is empty, or is a link that leads nowhere or out of its source.',
    'Put a readable file with a frontmatter and instructions here.',
  ),
  'too-large': error('SKILL.md is larger than 4 MiB.', 'Move long texts into files of their own.'),
  encoding: refusedThere(
    advice('The file is not UTF-8; it was read as windows-1252.', 'Save it as UTF-8.'),
  ),
  utf16: refusedThere(advice('The file is UTF-16.', 'Save it as UTF-8.')),
  'byte-order-mark': refusedThere(
    info('The file begins with a byte order mark.', 'Save it without one.'),
  ),
  'control-characters': info('Control characters were left out.', 'Remove them.'),
  'line-endings': info(
    'Lines end with a carriage return; they were read as plain line ends.',
    'Save the file with LF.',
  ),
  'frontmatter-missing': error(
    'There is no frontmatter.',
    'Begin the file with "---", then name: and description:, then "---".',
  ),
  'frontmatter-late': warning(
    'There is something before the frontmatter; text is read as part of the instructions.',
    'Make "---" the first line.',
  ),
  'frontmatter-fenced': warning(
    'The file stands in a code fence.',
    'Remove the line of backticks at the top, and the one at the end.',
  ),
  'frontmatter-unopened': warning(
    'The line "---" before the first field is missing.',
    'Add "---" as the first line.',
  ),
  'frontmatter-unclosed': warning(
    'The line "---" after the last field is missing.',
    'Add "---" after the last field.',
  ),
  'frontmatter-engine-refused': error(
    'Frontmatter in another language than YAML is refused; nothing of it was run.',
    'Write the frontmatter in YAML, between two lines of three dashes.',
  ),
  'frontmatter-too-long': error(
    'The frontmatter is longer than 64 KiB and was not read.',
    'Move long texts into the body.',
  ),
  'frontmatter-unreadable': error(
    'No description can be read from the frontmatter, because it is not valid YAML.',
    'Correct the line named.',
  ),
  'yaml-duplicate-keys': warning(
    'A field stands twice in the frontmatter; the last one counts.',
    'Remove one of the two.',
  ),
  'yaml-tabs': warning('The frontmatter is indented with tabs.', 'Indent with blanks.'),
  'yaml-quoted': warning(
    'A value in the frontmatter holds characters that YAML gives a meaning, such as ": ".',
    'Put the value in quotes.',
  ),
  'yaml-unclosed': warning(
    'A brace, a bracket or a quotation mark in the frontmatter is opened and not closed.',
    'Close it, or take it out.',
  ),
  'yaml-invalid': warning(
    'The frontmatter is not valid YAML; it was read line by line.',
    'Mend the line named; put values that hold ": " in quotes.',
  ),
  'yaml-comment': advice(
    'What follows " #" in the description is a comment; it is not read.',
    'Put the whole description in quotes, or take the comment out.',
  ),
  'merge-conflict': warning(
    'A merge conflict is not resolved; the lines of the first side are read.',
    'Keep the lines that are wanted; remove the others, and those with <<<<<<<, ======= and >>>>>>>.',
  ),
  'name-missing': warning("There is no name; the folder's is used.", 'Add "name:".'),
  'name-invalid': warning(
    'The name breaks the rules.',
    'Use 1 to 64 lower-case letters and digits, with single hyphens between.',
  ),
  'name-directory-mismatch': warning(
    'The name differs from the folder; the folder counts.',
    'Give both the same name.',
  ),
  'description-missing': error(
    'There is no description, so no one could tell when to use the skill: it is off until it has one.',
    'Add "description:" with what the skill does and when to use it.',
  ),
  'description-in-body': warning(
    'The description stands in the body instead of the frontmatter.',
    'Write it as "description:" between the two lines "---" at the top of the file.',
  ),
  'description-too-long': warning(
    'The description is longer than 1,024 characters.',
    'Shorten it; say what the skill does and when to use it.',
  ),
  'description-shortened': info(
    'With its name, the description has more than 200 tokens: models are shown its first sentences.',
    'Say in the first sentences what the skill does and when to use it.',
  ),
  'compatibility-invalid': warning(
    'compatibility is not a text of 1 to 500 characters.',
    'Shorten it, or move it into the body.',
  ),
  'compatibility-empty': unchecked(
    'compatibility is empty.',
    'Say what the skill needs, or remove it.',
  ),
  'metadata-invalid': unchecked(
    'metadata is not a map of texts.',
    'Write one "key: text" a line below metadata.',
  ),
  'metadata-not-text': info(
    'A value below metadata is not a text; it is kept as one.',
    'Write it as one text: a number in quotes, a list as "red, green".',
  ),
  'allowed-tools-invalid': unchecked(
    'allowed-tools is not a text.',
    'Write the names on one line, separated by blanks.',
  ),
  'license-invalid': unchecked('license is not a text.', 'Write the name of the license.'),
  'unknown-field': refusedThere(
    info(
      'A field that the specification does not name; it is kept.',
      'Move it below metadata, as one text.',
    ),
  ),
  'tags-invalid': info(
    'A tag has other characters than a to z, 0 to 9 and hyphens; it is read in lower case, with hyphens for blanks.',
    'Write it such as "meeting-notes".',
  ),
  'tags-too-many': info(
    'There are more than 20 tags; the first 20 count.',
    'Keep those that people look for.',
  ),
  'tools-missing': advice(
    'The skill requires a tool that is not available here; it is offered anyway.',
    'Write instructions that do without it, or take it out of requires-tools.',
  ),
  'body-empty': advice('There are no instructions.', 'Say in the body what to do.'),
  'body-long': advice(
    'The body has more than 500 lines or about 5,000 tokens.',
    'Move details into files below references/.',
  ),
  'body-too-long': {
    ...advice(
      'The body is far longer than a model can take with a question.',
      'Move details into files below references/.',
    ),
    severity: 'error',
  },
  'hidden-characters': advice(
    'There are characters that cannot be seen, or that turn the direction of writing.',
    'Remove them, unless the language needs them.',
  ),
  'looks-like-secret': advice(
    'A file holds what looks like a password or a key.',
    'Take it out, and make it invalid: whoever may use the skill can read it.',
  ),
  'file-missing': advice(
    'The instructions name a file that is not in the folder.',
    'Put it there, or correct the path.',
  ),
  'files-not-inspected': info(
    'Not every file was looked into: up to 512 are, of up to 4 MiB, 16 MiB together.',
    'Look at the others yourself, or take out what the skill does not need.',
  ),
  'filename-case': advice('The file is named skill.md.', 'Rename it to SKILL.md.'),
  'filename-mixed-case': refusedThere(
    advice('The file is named neither SKILL.md nor skill.md.', 'Rename it to SKILL.md.'),
  ),
  'flattened-symlink': refusedThere(
    advice(
      'SKILL.md holds only the path of another file; that one was read.',
      'Put the file itself here.',
    ),
  ),
  'strict-refused': refusedThere(
    info(
      "Only with --strict: the standard's own validator refuses a list or map in brackets, an anchor, an alias, a tag, a control character in the frontmatter, and three dashes in a value.",
      'Write it in lines of its own, or as a text in quotes.',
    ),
  ),
  'same-name': error(
    'Another skill with this name comes first.',
    'Rename one of the two, or remove it.',
  ),
} as const satisfies Record<string, DiagnosticKind>;

export type DiagnosticCode = keyof typeof diagnosticKinds;

/** A remark of a kind; `message` says more than the kind does, `line` counts from 1 in the file. */
export function diagnose(
  code: DiagnosticCode,
  details: { message?: string; fix?: string; line?: number | undefined } = {},
): Diagnostic {
  const { severity, about, fix } = diagnosticKinds[code];
  return {
    code,
    severity,
    message: details.message ?? about,
    fix: details.fix ?? fix,
    ...(details.line === undefined ? {} : { line: details.line }),
  };
}

/** Whether what these remarks are on conforms to the specification. */
export function conforms(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some(
    ({ code }) => diagnosticKinds[code as DiagnosticCode].breaksSpecification,
  );
}

/** Whether the reference library would accept what these remarks are on. */
export function passesReference(diagnostics: readonly Diagnostic[]): boolean {
  return !diagnostics.some(
    ({ code }) => diagnosticKinds[code as DiagnosticCode].rejectedByReference,
  );
}

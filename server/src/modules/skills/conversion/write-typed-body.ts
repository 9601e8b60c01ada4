import type { CodeScope } from './code-scope.ts';
import { findSection, plainHeading, type TypedDocument } from './typed-document.ts';
import type { TypedKind } from './typed-kinds.ts';
import type { ToolSteps } from './typed-steps.ts';

/** Sampling parameters specified by the skill. */
export interface Sampling {
  temperature?: number;
  maxTokens?: number;
}

/** Parsed facts about a typed skill. */
export interface TypedFacts {
  kind: TypedKind;
  name: string;
  document: TypedDocument;
  description: string;
  parameters: Record<string, unknown> | undefined;
  steps: ToolSteps | undefined;
  sampling: Sampling;
  /** Variables available to its code in addition to the input. */
  scope: CodeScope;
  /** The module that implements it. */
  script: string | undefined;
  /** Schema of a table's records. */
  schema: Record<string, unknown> | undefined;
}

/** Path of a table's schema. */
export const schemaFile = 'references/schema.json';

/** Sections with instructions for the model. */
export const prompts = ['system prompt', 'prompt', 'instructions', 'behaviour', 'behavior'];

/** Sections that are not for the model, or represented elsewhere. */
const omitted: ReadonlySet<string> = new Set([
  'config',
  'configuration',
  'orchestration',
  'module',
  'session',
  'llm mode',
]);

/**
 * Instructions generated from a typed skill: its prompt first, without machine-readable sections.
 */
export function writeTypedBody(facts: TypedFacts): string {
  const { name, document } = facts;
  const prompt = findSection(document, ...prompts);
  const others = document.sections.filter(
    (section) => section !== prompt && !omitted.has(plainHeading(section.heading)),
  );
  return [
    `# ${document.title ?? name}`,
    document.intro,
    prompt?.text ?? '',
    ...others.map(({ heading, text }) => `## ${heading}\n\n${text}`),
    noteOn(facts),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
}

function noteOn({ kind, steps, script, schema }: TypedFacts): string {
  if (steps || script !== undefined) {
    return `The tool of this skill does this in one go, where it is offered. Where it is not, ${steps ? 'call the tools one after the other yourself' : 'follow the description as far as possible without the code, and say what you could not do'}.`;
  }
  const note = notes[kind] ?? '';
  return schema ? `${note} Its fields are in ${schemaFile} as a JSON schema.` : note;
}

const generated =
  'The tool of this skill has code written for this, shows it to the user and runs it, where it is offered. Where it is not, work the result out step by step, and say so.';

const notes: Partial<Record<TypedKind, string>> = {
  iskill:
    'Ask for what is missing, one thing at a time, and have all of it confirmed before you continue.',
  oskill:
    'Activate the skills that this one names, in the order that fits, and pass on what each gives.',
  cskill:
    'The code of this skill is not run here: follow its description, and say what you could not do.',
  cgskill: generated,
  dcgskill: generated,
  tskill: 'There is no database behind this skill here: it describes the table and its rules.',
};

import { z } from 'zod';
import { lineOf } from '../names.ts';

/** A field of the frontmatter that is read, passed on and shown as it was written. */
interface SkillField {
  /** What it is called in the file; the first is how it is written here. */
  names: readonly [string, ...string[]];
  /** One text; or words, as a list or between commas or blanks. */
  type: 'text' | 'words';
  /** The specification has it at the top; any other is read below `metadata` as well, and written there. */
  isSpecified?: true;
  /** Whether those who may use the skill get it: with every list of skills, or with the one skill. */
  member?: View;
  /** The same of administrators. */
  admin?: View;
  /** The client's text for it; a field with one is among the facts on the page of a skill. */
  label?: string;
  /** Holds names that machines read. */
  isCode?: true;
  /** The form of a new skill asks for it, and the page of a skill changes it. */
  isEditable?: true;
}

type View = 'list' | 'detail';
type Reader = 'member' | 'admin';

/**
 * The fields of a skill in the order in which its page shows them. The reading of the file, the contracts,
 * the answers and the page follow from this table.
 */
const skillFields = {
  version: {
    names: ['version'],
    type: 'text',
    member: 'list',
    admin: 'list',
    label: 'skillPage.version',
    isEditable: true,
  },
  license: {
    names: ['license'],
    type: 'text',
    isSpecified: true,
    member: 'detail',
    admin: 'detail',
    label: 'skillPage.license',
    isEditable: true,
  },
  compatibility: {
    names: ['compatibility'],
    type: 'text',
    isSpecified: true,
    member: 'detail',
    admin: 'detail',
    label: 'skillPage.compatibility',
    isEditable: true,
  },
  category: {
    names: ['category'],
    type: 'text',
    member: 'list',
    admin: 'list',
    label: 'skillPage.category',
    isEditable: true,
  },
  /** In lower case, at most 20. */
  tags: {
    names: ['tags'],
    type: 'words',
    member: 'list',
    admin: 'list',
    label: 'skillPage.tags',
    isEditable: true,
  },
  /** Tools without which it is of little use. Advice: without them it is offered anyway. */
  requiresTools: {
    names: ['requires-tools', 'requires_tools', 'requiresTools'],
    type: 'words',
    member: 'list',
    admin: 'list',
    label: 'skillPage.requiresTools',
    isCode: true,
    isEditable: true,
  },
  /** Other skills it builds on: who activates it is told of them. Advice: without them it is offered anyway. */
  dependsOn: {
    names: ['depends-on', 'depends_on', 'dependsOn'],
    type: 'words',
    member: 'detail',
    admin: 'detail',
    label: 'skillPage.dependsOn',
    isCode: true,
  },
  allowedTools: {
    names: ['allowed-tools', 'allowed_tools', 'allowedTools'],
    type: 'words',
    isSpecified: true,
    admin: 'detail',
    label: 'skillPage.allowedTools',
    isCode: true,
  },
  /** What may be written after `/name`; the palette shows it. */
  argumentHint: {
    names: ['argument-hint', 'argument_hint', 'argumentHint'],
    type: 'text',
    member: 'list',
    admin: 'detail',
  },
} as const satisfies Record<string, SkillField>;

type Table = typeof skillFields;
export type SkillFieldKey = keyof Table;

/** The fields for which `Which` holds. */
type KeysOf<Which> = {
  [Key in SkillFieldKey]: Table[Key] extends Which ? Key : never;
}[SkillFieldKey];

/** The fields as they are read. */
export type SkillFields = {
  readonly [Key in SkillFieldKey]: Table[Key]['type'] extends 'text'
    ? string | undefined
    : readonly string[];
};

interface KeyedField extends SkillField {
  key: SkillFieldKey;
}

/** The fields in order. */
export const skillFieldList: readonly KeyedField[] = Object.entries(skillFields).map(
  // The keys of an object literal are all it has.
  ([key, field]) => ({ key: key as SkillFieldKey, ...field }),
);

/** Every field of a skill, and nothing else of it. */
export function allSkillFields(skill: SkillFields): SkillFields {
  return Object.fromEntries(skillFieldList.map(({ key }) => [key, skill[key]])) as SkillFields;
}

type Shape<Key extends SkillFieldKey> = {
  [K in Key]: Table[K]['type'] extends 'text'
    ? z.ZodOptional<z.ZodString>
    : z.ZodArray<z.ZodString>;
};
type SeenBy<Who extends Reader, In extends View> = Shape<KeysOf<{ [key in Who]: In }>>;

/** What a contract says of the fields that somebody gets there. */
export function shapeOfFields<Who extends Reader, In extends View>(
  who: Who,
  view: In,
): SeenBy<Who, In> {
  const seen = skillFieldList.filter((field) => field[who] === view);
  const shape = seen.map(({ key, type }) => [key, schemas[type]]);
  return Object.fromEntries(shape) as SeenBy<Who, In>;
}

const schemas = { text: z.string().optional(), words: z.array(z.string()) };

/** The fields of a skill that somebody gets there. */
export function fieldsFor<Who extends Reader, In extends View>(
  skill: SkillFields,
  who: Who,
  view: In,
): z.output<z.ZodObject<SeenBy<Who, In>>> {
  const seen = skillFieldList.filter((field) => field[who] === view);
  const values = seen.map(({ key }) => {
    const value = skill[key];
    return [key, typeof value === 'object' ? [...value] : value];
  });
  return Object.fromEntries(values) as z.output<z.ZodObject<SeenBy<Who, In>>>;
}

type Labelled = KeysOf<{ label: string }>;
interface Fact extends KeyedField {
  key: Labelled;
  label: Table[Labelled]['label'];
}

/** The fields that the page of a skill shows. */
export const skillFacts: readonly Fact[] = skillFieldList.filter(
  (field): field is Fact => field.label !== undefined,
);

/** What the form of a new skill asks for. */
export type EditableField = KeysOf<{ isEditable: true }>;

interface EditableFact extends Fact {
  key: EditableField;
}

/** The fields that the page of a skill changes. */
export const editableFields: readonly EditableFact[] = skillFacts.filter(
  (field): field is EditableFact => field.isEditable === true,
);

type AtTop = KeysOf<{ isEditable: true; isSpecified: true; type: 'text' }>;

/** What a new skill may say at the top of its file; all else that it says goes below `metadata`. */
export const topShape = Object.fromEntries(
  skillFieldList
    .filter(({ isEditable, isSpecified }) => isEditable && isSpecified)
    .map(({ key }) => [key, z.string().trim().min(1).optional()]),
) as Shape<AtTop>;

const maxFieldText = 1000;

/** Texts of the fields that a form changes. An empty one removes the field; words have commas between. */
export const fieldTextsSchema = z
  .strictObject(
    Object.fromEntries(
      editableFields.map(({ key }) => [key, lineOf(maxFieldText).optional()]),
    ) as Record<EditableField, z.ZodOptional<z.ZodString>>,
  )
  .refine((texts) => Object.keys(texts).length > 0, 'Name a field to change.');

/** Texts of a new skill as its file has them: by name, at the top or below `metadata`; no empty ones. */
export function writtenFields(texts: Record<EditableField, string>): {
  top: { [Key in AtTop]?: string };
  metadata: Record<string, string>;
} {
  const written = { top: {} as Record<string, string>, metadata: {} as Record<string, string> };
  for (const [key, text] of Object.entries(texts)) {
    const field = skillFieldList.find((each) => each.key === key);
    if (field && text !== '') {
      written[field.isSpecified ? 'top' : 'metadata'][field.names[0]] = text;
    }
  }
  return written;
}

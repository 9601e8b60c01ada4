import { z } from 'zod';

/** Maximum characters of `compatibility`, by the specification of Agent Skills. */
export const maxCompatibilityLength = 500;

/** A frontmatter field that is parsed, returned and displayed as written. */
interface SkillField {
  /** Its names in the file; the first is the one that we write. */
  names: readonly [string, ...string[]];
  /** One text; or words, as a list or separated by commas or blanks. */
  type: 'text' | 'words';
  /**
   * At the top level by the specification; other fields are also read below `metadata`, and written
   * there.
   */
  isSpecified?: true;
  /** Whether users of the skill get it: with every list of skills, or only with its details. */
  member?: View;
  /** The same for administrators. */
  admin?: View;
  /** The client's text key; fields with a label are displayed on the page of a skill. */
  label?: string;
  /** Contains identifiers. */
  isCode?: true;
  /** Part of the form for new skills, and editable on the page of a skill. */
  isEditable?: true;
}

type View = 'list' | 'detail';
type Reader = 'member' | 'admin';

/**
 * The fields of a skill in display order. Parsing, contracts, responses and pages are derived from
 * this table.
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
  /** Tools that it needs. Advisory: without them it is offered anyway. */
  requiresTools: {
    names: ['requires-tools', 'requires_tools', 'requiresTools'],
    type: 'words',
    member: 'list',
    admin: 'list',
    label: 'skillPage.requiresTools',
    isCode: true,
    isEditable: true,
  },
  /**
   * Skills that it builds on, mentioned on activation. Advisory: without them it is offered anyway.
   */
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
  /** A hint for the arguments after `/name`, displayed in the palette. */
  argumentHint: {
    names: ['argument-hint', 'argument_hint', 'argumentHint'],
    type: 'text',
    member: 'list',
    admin: 'detail',
  },
} as const satisfies Record<string, SkillField>;

type Table = typeof skillFields;
export type SkillFieldKey = keyof Table;

/** Keys of the fields for which `Which` holds. */
type KeysOf<Which> = {
  [Key in SkillFieldKey]: Table[Key] extends Which ? Key : never;
}[SkillFieldKey];

/** The fields as parsed. */
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
  // Safe: an object literal has no other keys.
  ([key, field]) => ({ key: key as SkillFieldKey, ...field }),
);

/** Only the fields of a skill. */
export function allSkillFields(skill: SkillFields): SkillFields {
  return Object.fromEntries(skillFieldList.map(({ key }) => [key, skill[key]])) as SkillFields;
}

type Shape<Key extends SkillFieldKey> = {
  [K in Key]: Table[K]['type'] extends 'text'
    ? z.ZodOptional<z.ZodString>
    : z.ZodArray<z.ZodString>;
};
type SeenBy<Who extends Reader, In extends View> = Shape<KeysOf<{ [key in Who]: In }>>;

/** The schema of the fields that a reader gets in a view. */
export function shapeOfFields<Who extends Reader, In extends View>(
  who: Who,
  view: In,
): SeenBy<Who, In> {
  const seen = skillFieldList.filter((field) => field[who] === view);
  const shape = seen.map(({ key, type }) => [key, schemas[type]]);
  return Object.fromEntries(shape) as SeenBy<Who, In>;
}

const schemas = { text: z.string().optional(), words: z.array(z.string()) };

/** The fields that a reader gets in a view. */
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

/** The fields displayed on the page of a skill. */
export const skillFacts: readonly Fact[] = skillFieldList.filter(
  (field): field is Fact => field.label !== undefined,
);

/** The fields in the form for new skills. */
export type EditableField = KeysOf<{ isEditable: true }>;

interface EditableFact extends Fact {
  key: EditableField;
}

/** The editable fields on the page of a skill. */
export const editableFields: readonly EditableFact[] = skillFacts.filter(
  (field): field is EditableFact => field.isEditable === true,
);

type AtTop = KeysOf<{ isEditable: true; isSpecified: true; type: 'text' }>;

/** Top-level fields of a new skill; all others go below `metadata`. */
export const topShape = Object.fromEntries(
  skillFieldList
    .filter(({ isEditable, isSpecified }) => isEditable && isSpecified)
    .map(({ key }) => [key, z.string().trim().min(1).optional()]),
) as Shape<AtTop>;

/**
 * Fields of a new skill in the form of the file: at the top or below `metadata`, without empty
 * ones.
 */
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

import { slug } from '@knowhow/shared/skills/skill-name';
import { toJsonSchema, typeName } from './skill-tool.ts';
import { findSection, itemsIn, type TypedDocument } from './typed-document.ts';

interface Parameter {
  type?: string;
  description: string;
  required: boolean;
}

/**
 * JSON schema of a typed skill's parameters; undefined if it lists none. Unless stated otherwise,
 * only `Required Inputs` are required.
 */
export function readParameters(document: TypedDocument): Record<string, unknown> | undefined {
  const found = new Map<string, Parameter>();
  for (const { names, required } of headings) {
    for (const item of itemsIn(findSection(document, ...names))) {
      const read = readItem(item, required);
      if (read && !found.has(read.name)) {
        found.set(read.name, read.parameter);
      }
    }
  }
  return found.size === 0 ? undefined : toJsonSchema(Object.fromEntries(found));
}

const headings = [
  { names: ['required inputs', 'required input'], required: true },
  { names: ['optional inputs', 'optional input'], required: false },
  { names: ['parameters', 'inputs', 'input', 'arguments', 'input format'], required: false },
];

/** Parses ``- `name` (type, required): text``, with any quotes, or plain words. */
function readItem(
  item: string,
  isRequired: boolean,
): { name: string; parameter: Parameter } | undefined {
  const named =
    /^(\*\*|`|"|)([A-Za-z_][\w.-]{0,63})\1(?:\s*\(([^()]*)\))?\s*(?:[:–—]|-\s|$)\s*(.*)$/s.exec(
      item.replace(/^\*\*`([^`]+)`\*\*/, '`$1`'),
    );
  if (!named) {
    // Words like "none" are not names.
    const name = slug(item).replaceAll('-', '_');
    return name === '' || name.length > 64 || item.length > 120
      ? undefined
      : { name, parameter: { type: 'string', description: item, required: isRequired } };
  }
  const [, , name = '', notes = '', description = ''] = named;
  if (/^(?:none|n\/a)$/i.test(name) && description === '') {
    return undefined;
  }
  const words = notes.split(',').map((word) => word.trim());
  const type = words.map(typeName).find((known) => known !== undefined);
  const hasNote = (pattern: RegExp) => words.some((word) => pattern.test(word));
  return {
    name,
    parameter: {
      ...(type === undefined ? {} : { type }),
      description,
      required: hasNote(/^(?:required|mandatory)\b/i) || (isRequired && !hasNote(/^optional\b/i)),
    },
  };
}

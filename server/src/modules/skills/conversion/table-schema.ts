import { slug } from '@knowhow/shared/skills/skill-name';
import { parseJson } from '../../../platform/lib/parse-json.ts';
import { typeName } from './skill-tool.ts';
import { findSection, firstParagraph, headingsIn, type TypedDocument } from './typed-document.ts';

/**
 * JSON schema of one record of a `tskill` table; undefined if it lists no fields. Rules that JSON
 * schema cannot express (display, validation, computation) are kept verbatim as `x-…`.
 */
export function tableSchema(
  document: TypedDocument,
  description: string,
): Record<string, unknown> | undefined {
  const section = findSection(document, 'fields', 'columns');
  const fields = section ? headingsIn(section.text, 3) : [];
  if (fields.length === 0) {
    return undefined;
  }
  const read = fields.map(({ heading, text }) => ({
    name: heading.replaceAll('`', ''),
    parts: new Map(headingsIn(text, 4).map((part) => [slug(part.heading), part.text])),
    intro: firstParagraph(text),
  }));
  const required = read.filter(({ parts }) => isRequired(parts)).map(({ name }) => name);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: document.title,
    description,
    type: 'object',
    properties: Object.fromEntries(
      read
        .filter(({ name }) => name !== '__proto__')
        .map(({ name, parts, intro }) => [name, propertyOf(parts, intro)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

function propertyOf(parts: ReadonlyMap<string, string>, intro: string): Record<string, unknown> {
  const description = parts.get('description') ?? intro;
  // In brackets, such as "(string, max 200 characters)", or in the text.
  const words = [/\(([^()]*)\)/.exec(description)?.[1] ?? '', description].join(' ');
  const type = words
    .split(/[\s,:;]+/)
    .map(typeName)
    .find((name) => name !== undefined);
  const choices = choicesIn(parts.get('field-value-enumerator'));
  const others = [...parts].filter(([name]) => name !== 'description');
  return {
    ...(type === undefined ? {} : { type }),
    description,
    ...(choices ? { enum: choices } : {}),
    ...Object.fromEntries(others.map(([name, text]) => [`x-${name}`, text])),
  };
}

/** A JSON list anywhere in a text. */
function choicesIn(text = ''): unknown[] | undefined {
  const list = text.slice(text.indexOf('['), text.lastIndexOf(']') + 1);
  const read: unknown = parseJson(list);
  return Array.isArray(read) && read.length > 0 ? read : undefined;
}

function isRequired(parts: ReadonlyMap<string, string>): boolean {
  return /^(?:always|required|yes|true|mandatory)\b/i.test(
    parts.get('field-value-is-required') ?? '',
  );
}
